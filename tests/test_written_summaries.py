"""Summaries that ops write when they run, in graphs and at once."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest
from golden import written_summary_cases
from recorded_cases import check, golden

from retrograd import tf
from retrograd.eager.context import eager_mode

SO = importlib.import_module("retrograd.tf.python.ops.summary_ops_v2")
S = tf.contrib.summary
GOLDEN = golden("written_summary")


@pytest.mark.parametrize("name", written_summary_cases.CASES)
def test_as_recorded(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    check(written_summary_cases, name, GOLDEN[name])


def _events(folder: Path) -> list[Any]:
    """The events of the only file in a folder, behind the first one."""
    (path,) = folder.iterdir()
    version, *events = tf.train.summary_iterator(str(path))
    assert version.file_version == "brain.Event:2"
    return events


def test_a_run_writes_what_it_reaches(tmp_path: Path) -> None:
    with tf.Graph().as_default() as graph, tf.Session() as session:
        step = tf.train.get_or_create_global_step()
        writer = S.create_file_writer(str(tmp_path))
        with writer.as_default(), S.record_summaries_every_n_global_steps(2):
            x = tf.placeholder(tf.float32, [])
            S.scalar("loss", x)
            S.generic("both", tf.stack([x, x]), tf.SummaryMetadata(display_name="two"))
            session.run(step.initializer)
            S.initialize(graph)
        written = S.all_summary_ops()
        for i in range(4):
            assert session.run(written, {x: i + 0.5}) == [i % 2 == 0] * 2
            session.run(tf.assign_add(step, 1))
        session.run(writer.flush())
        drawn, *events = _events(tmp_path)
        assert tf.GraphDef.FromString(drawn.graph_def).node[0].name == graph.as_graph_def().node[0].name
        assert [e.step for e in events] == [0, 0, 2, 2]
        values = [e.summary.value[0] for e in events]
        assert [v.tag for v in values] == ["loss", "both"] * 2
        assert [v.simple_value for v in values[::2]] == [0.5, 2.5]
        assert [tf.make_ndarray(v.tensor).tolist() for v in values[1::2]] == [[0.5, 0.5], [2.5, 2.5]]
        assert values[1].metadata.display_name == "two"
        session.run(writer.close())
        with pytest.raises(tf.errors.NotFoundError, match="SummaryWriterInterfaceE does not exist") as caught:
            session.run(written, {x: 0.0, step: 0})
        assert "sess.run(tf.contrib.summary.summary_writer_initializer_op())" in caught.value.message


def test_events_wait_until_there_are_too_many(tmp_path: Path) -> None:
    with eager_mode():
        writer = SO.create_file_writer_v2(str(tmp_path), max_queue=1, flush_millis=10**9)
        with writer.as_default():
            seen = []
            for i in range(4):
                assert bool(SO.write("tag", i, step=i))
                seen.append(len(_events(tmp_path)))
            SO.write("tag", 4, step=4)
        assert seen == [0, 2, 2, 4]
        assert len(_events(tmp_path)) == 5  # the end of the block brings what waits to the disk
        other = SO.create_file_writer_v2(str(tmp_path / "other"))
        assert [e.step for e in _events(tmp_path / "other")] == []
        writer.close()
        writer.close()
        with pytest.raises(RuntimeError, match="SummaryWriter is already closed"):
            writer.set_as_default()
        with (
            other.as_default(),
            pytest.raises(tf.errors.DataLossError, match=r"Bad tf\.compat\.v1\.Summary .* index 0"),
        ):
            SO.write_raw_pb("notaproto", step=1)


def test_functions_of_tensorflow_2(tmp_path: Path) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        writer = SO.create_file_writer_v2(str(tmp_path))
        assert writer.init().name == "create_file_writer/CreateSummaryFileWriter"
        assert SO.write("nowhere", 1).op.type == "Const"
        with writer.as_default():
            with pytest.raises(TypeError, match=r"graph\(\) needs a tf.Tensor"):
                S.graph(tf.get_default_graph())
            with pytest.raises(ValueError, match="No step set via 'step' argument"):
                SO.write("tag", 1)
            with tf.name_scope("outer"), SO.summary_scope("a?b") as (tag, scope):
                assert (tag, scope) == ("outer/a?b", "outer/ab/")
                ops = [SO.write(tag, lambda: tf.constant([1, 2]), step=3)]
            with SO.record_if(False):
                ops.append(SO.write("off", 1, step=3))
            summary = tf.Summary(value=[tf.Summary.Value(tag="raw", simple_value=2.0)])
            ops.append(SO.write_raw_pb([summary.SerializeToString()] * 2, step=4))
        assert SO.all_v2_summary_ops() == ops
        session.run(writer.init())
        assert session.run(ops) == [True, False, True]
        session.run(writer.flush())
    first, second = _events(tmp_path)
    assert (first.step, first.summary.value[0].tag) == (3, "outer/a?b")
    assert (second.step, [v.simple_value for v in second.summary.value]) == (4, [2.0, 2.0])


def test_a_written_scalar_is_the_first_number(tmp_path: Path) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        writer = S.create_file_writer(str(tmp_path))
        with writer.as_default(), S.always_record_summaries():
            written = [S.scalar("two", [1.0, 2.0], step=1), S.scalar("one", [[3.0]], step=1)]
            empty = S.scalar("none", tf.ones([0]), step=1)
        session.run(writer.init())
        session.run(written)
        with pytest.raises(tf.errors.InvalidArgumentError, match="A scalar summary needs a number: none"):
            session.run(empty)
        session.run(writer.close())
    assert sorted(v.simple_value for e in _events(tmp_path) for v in e.summary.value) == [1.0, 3.0]


def test_summaries_of_the_second_version_are_tensorboards(tmp_path):
    S = tf.compat.v2.summary
    with tf.Graph().as_default(), tf.Session() as sess:
        writer = S.create_file_writer(str(tmp_path))
        with writer.as_default(), S.record_if(True):
            wrote = [
                S.scalar("loss", tf.constant(2.5), step=1, description="of one batch"),
                S.histogram("h", tf.constant([1.0, 2.0, 5.0]), step=1, buckets=4),
                S.image("im", tf.zeros([2, 3, 4, 1]), step=1),
                S.text("t", tf.constant("x"), step=1),
                S.audio("a", tf.zeros([1, 10, 1]), 8000, step=1),
            ]
        sess.run(writer.init())
        assert sess.run(wrote) == [True] * 5
        sess.run(writer.flush())
    (path,) = tmp_path.iterdir()
    found = {v.tag: v for e in tf.train.summary_iterator(str(path)) for v in e.summary.value}
    plugins = {tag: v.metadata.plugin_data.plugin_name for tag, v in found.items()}
    assert plugins == {"loss": "scalars", "h": "histograms", "im": "images", "t": "text", "a": "audio"}
    assert found["loss"].tensor.float_val == [2.5]
    assert found["loss"].metadata.summary_description == "of one batch"
    assert tf.make_ndarray(found["h"].tensor)[:, 2].tolist() == [1, 1, 0, 1]
    assert [len(x) > 20 for x in found["im"].tensor.string_val[2:]] == [True, True]


def test_a_file_writer_of_a_session_shares_the_file_of_its_folder(tmp_path: Path) -> None:
    logdir = str(tmp_path)
    with tf.Graph().as_default(), tf.Session() as session:
        first = tf.summary.FileWriter(logdir, session=session)
        first.add_summary(tf.Summary(value=[tf.Summary.Value(tag="one", simple_value=1.0)]), 1)
        writer = SO.create_file_writer(logdir=logdir)
        with S.always_record_summaries(), writer.as_default():
            two = SO.scalar("two", 2.0, step=2)
        session.run(writer.init())
        session.run(two)
        first.add_summary(tf.Summary(value=[tf.Summary.Value(tag="three", simple_value=1.0)]), 3)
        first.flush()
        assert [e.summary.value[0].tag for e in _events(tmp_path)] == ["one", "two", "three"]
        first.close()
        first.reopen()
        first.add_summary(tf.Summary(), 4)
        first.close()
