"""Summaries and event files: what TensorFlow 1.15.5 wrote, and what TensorBoard reads."""

from __future__ import annotations

import errno
import gc
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden import summary_cases
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from retrograd import tf
from retrograd.files.records import Writer
from retrograd.graph.errors import ResourceExhaustedError
from retrograd.ops.summaries import bucket_limits

GOLDEN = json.loads((Path(__file__).parent / "golden" / "summaries.json").read_text())


def nodes_of(graph: tf.Graph) -> list[dict[str, Any]]:
    return [{"name": op.name, "op": op.type, "inputs": [t.name for t in op.inputs]} for op in graph.get_operations()]


def close(mine: Any, theirs: Any) -> bool:
    if isinstance(theirs, float):
        return bool(np.isclose(mine, theirs, rtol=1e-6))
    if isinstance(theirs, list):
        return len(mine) == len(theirs) and all(map(close, mine, theirs))
    if isinstance(theirs, dict):
        return mine.keys() == theirs.keys() and all(close(mine[k], theirs[k]) for k in theirs)
    return bool(mine == theirs)


@pytest.mark.parametrize("code", summary_cases.CASES)
def test_case(code: str) -> None:
    want = GOLDEN[code]
    got = json.loads(json.dumps(summary_cases.outcome(tf, np, code, nodes_of)))
    assert got.get("error") == want.get("error")
    theirs = [{k: n[k] for k in ("name", "op", "inputs")} for n in want.get("nodes", ())]
    assert sorted(got.get("nodes", ()), key=lambda n: n["name"]) == sorted(theirs, key=lambda n: n["name"])
    assert got.get("collections") == want.get("collections")
    assert close(got.get("values"), want.get("values"))


def test_tensorboard_reads_what_a_training_writes(tmp_path: Path) -> None:
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        w = tf.Variable(3.0, name="w")
        loss = tf.square(w)
        train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
        tf.summary.scalar("loss", loss)
        tf.summary.histogram("weights", [w, w])
        tf.summary.image("picture", tf.ones([1, 4, 4, 3]))
        tf.summary.text("notes", tf.constant("*hello*"))
        merged = tf.summary.merge_all()
        sess.run(tf.global_variables_initializer())
        with tf.summary.FileWriter(str(tmp_path), graph) as writer:
            for step in range(5):
                summary, _ = sess.run([merged, train])
                writer.add_summary(summary, step)
            metadata = tf.RunMetadata()
            sess.run(loss, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
            writer.add_run_metadata(metadata, "step 5")
            with pytest.raises(ValueError, match="already used"):
                writer.add_run_metadata(metadata, "step 5")
    board = EventAccumulator(str(tmp_path), size_guidance={"tensors": 0}).Reload()
    tags = board.Tags()
    assert tags["graph"]
    assert tags["meta_graph"]
    assert tags["run_metadata"] == ["step 5"]
    assert tags["images"] == ["picture/image"] or tags["images"] == ["picture/image/0"]
    assert [e.step for e in board.Scalars("loss")] == [0, 1, 2, 3, 4]
    np.testing.assert_allclose(board.Scalars("loss")[1].value, 9 * 0.8**2, rtol=1e-5)
    assert board.Histograms("weights")[0].histogram_value.num == 2
    assert board.Tensors("notes")[0].tensor_proto.string_val == [b"*hello*"]
    assert board.SummaryMetadata("notes").plugin_data.plugin_name == "text"
    (path,) = tmp_path.iterdir()
    events = list(tf.train.summary_iterator(str(path)))
    assert events[0].file_version == "brain.Event:2"
    assert [e.step for e in events if e.HasField("summary")] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_each_of_many_values_is_counted_in_its_bucket(dtype: Any) -> None:
    limits = bucket_limits()
    with np.errstate(over="ignore"):
        at = limits.astype(dtype)
        near = [at, np.nextafter(at, dtype(np.inf)), np.nextafter(at, dtype(-np.inf))]
    tiny = np.finfo(dtype).smallest_subnormal
    values = np.concatenate([*near, np.array([0.0, -0.0, tiny, -tiny, 1e30, -1e30], dtype)])
    values = np.tile(values[np.abs(values) < dtype(1e35)], 3)  # their squares are numbers too
    assert len(values) > 4096  # where they are no longer sorted
    with tf.Session() as sess:
        summary = tf.Summary.FromString(sess.run(tf.summary.histogram("values", tf.constant(values))))
    histogram = summary.value[0].histo
    buckets = np.minimum(np.searchsorted(limits, np.sort(values).astype(np.float64), "right"), len(limits) - 1)
    found = dict(zip(histogram.bucket_limit, histogram.bucket, strict=True))
    counts = np.bincount(buckets, minlength=len(limits))
    assert {k: n for k, n in found.items() if n} == {limits[i]: counts[i] for i in np.flatnonzero(counts)}


def test_a_writer_can_be_closed_and_opened_again(tmp_path: Path) -> None:
    writer = tf.summary.FileWriter(str(tmp_path / "new" / "folder"), filename_suffix=".mine")
    assert writer.get_logdir() == str(tmp_path / "new" / "folder")
    value = tf.Summary(value=[tf.Summary.Value(tag="a", simple_value=2.0)])
    writer.add_summary(value, 7)
    writer.close()
    with pytest.warns(UserWarning, match="Attempting to use a closed FileWriter"):
        writer.add_summary(value, 8)  # is left out
    writer.reopen()
    writer.add_summary(value.SerializeToString(), np.int64(9))
    writer.flush()
    writer.close()
    files = sorted((tmp_path / "new" / "folder").iterdir())
    assert all(f.name.endswith(".mine") for f in files)
    steps = [e.step for f in files for e in tf.train.summary_iterator(str(f)) if e.HasField("summary")]
    assert sorted(steps) == [7, 9]
    with pytest.raises(TypeError, match="must be an instance of `Graph`"):
        writer.add_graph(3)


def test_one_writer_for_each_folder(tmp_path: Path) -> None:
    cache = tf.summary.FileWriterCache
    assert cache.get(str(tmp_path)) is cache.get(str(tmp_path))
    cache.clear()
    assert "tensorflow" not in sys.modules or sys.modules["tensorflow"].__name__.startswith("retrograd")


def test_a_full_disk_costs_events_and_not_the_training(tmp_path, monkeypatch):
    """The log tells once what is lost; the next events go to a new file."""

    class Full:
        def add_event(self, event):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        def close(self):
            pass

    told = []
    monkeypatch.setattr("retrograd.graph.log.error", lambda *words: told.append(words))
    writer = tf.summary.FileWriter(str(tmp_path))
    for _ in range(2):
        writer._writer = Full()
        writer.add_summary(tf.Summary(), 1)
    writer.add_summary(tf.Summary(), 2)
    writer.close()
    assert [words[1:] for words in told] == [(str(tmp_path), "No space left on device")]
    steps = {event.step for path in tmp_path.iterdir() for event in tf.train.summary_iterator(str(path))}
    assert 2 in steps
    assert 1 not in steps


def test_a_full_disk_gets_no_empty_files(tmp_path, monkeypatch, capsys):
    def full(self, data):
        raise ResourceExhaustedError(None, None, "No space left on device")

    writer = tf.summary.FileWriter(str(tmp_path))
    writer.add_summary(tf.Summary(), 1)
    with monkeypatch.context() as patched:
        patched.setattr(Writer, "write", full)
        for step in range(2, 9):
            writer.add_summary(tf.Summary(), step)
    assert len(list(tmp_path.iterdir())) == 1
    writer.add_summary(tf.Summary(), 9)
    writer.close()
    gc.collect()
    assert "Exception ignored" not in capsys.readouterr().err
    steps = {event.step for path in tmp_path.iterdir() for event in tf.train.summary_iterator(str(path))}
    assert steps == {0, 1, 9}


@pytest.mark.parametrize(("rate", "written"), [(0.2, 1), (2.5, 2), (44100.7, 44101)])
def test_a_sound_file_has_a_whole_rate(rate: float, written: int) -> None:
    with tf.Graph().as_default(), tf.Session() as session:
        text = session.run(tf.summary.audio("a", tf.zeros([1, 3, 1]), rate))
        audio = tf.Summary.FromString(text).value[0].audio
        assert audio.sample_rate == np.float32(rate)
        assert int.from_bytes(audio.encoded_audio_string[24:28], "little") == written
        with pytest.raises(tf.errors.InvalidArgumentError, match="sample_rate must be > 0"):
            session.run(tf.summary.audio("b", tf.zeros([1, 3, 1]), 0.0))
