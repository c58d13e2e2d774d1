"""``tf.profiler``: the numbers and reports of TensorFlow 1.15.5, and of what a run took."""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from golden import profiler_cases

from retrograd import tf
from retrograd.files.messages import message

WANT = json.loads((Path(__file__).parent / "golden" / "profiler.json").read_text())
VIEWS = json.loads((Path(__file__).parent / "golden" / "profiler_views.json").read_text())
BUILDER = tf.profiler.ProfileOptionBuilder


@pytest.fixture(scope="module")
def got() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecations, as in TensorFlow
        return profiler_cases.outcome(tf, profiler_cases.of_stdout)


@pytest.mark.parametrize("case", range(len(WANT)))
def test_profile_as_recorded(got: Any, case: int) -> None:
    assert got[case]["rows"] == WANT[case]["rows"]
    assert got[case]["text"].splitlines() == WANT[case]["text"].splitlines()


def traced() -> tuple[tf.Graph, Any]:
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        with tf.name_scope("net"):
            x = tf.placeholder(tf.float32, [50, 40])
            y = tf.matmul(x, tf.ones([40, 30]), name="y")
        metadata = tf.RunMetadata()
        options = tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE)
        sess.run(y, {x: np.ones((50, 40))}, options=options, run_metadata=metadata)
    return graph, metadata


def test_time_and_memory_of_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    graph, metadata = traced()
    found = tf.profiler.profile(graph, metadata, options=BUILDER.time_and_memory(min_micros=0))
    (net,) = found.children
    assert [c.name for c in net.children] == ["net/y"]
    assert net.children[0].requested_bytes == 50 * 30 * 4
    assert net.children[0].exec_micros > 0
    assert "net/y (6.00KB/6.00KB, " in capsys.readouterr().out


def test_several_steps() -> None:
    graph, metadata = traced()
    profiler = tf.profiler.Profiler(graph)
    profiler.add_step(1, metadata)
    profiler.add_step(2, metadata)
    options = BUILDER(BUILDER.time_and_memory(min_micros=0)).with_empty_output().build()
    (row,) = [n for n in profiler.profile_operations(options).children if n.name == "MatMul"]
    assert (row.requested_bytes, row.float_ops) == (50 * 30 * 4, 2 * 50 * 40 * 30)


def test_a_report_goes_to_a_file(tmp_path: Path) -> None:
    with tf.Graph().as_default() as graph:
        tf.get_variable("v", [2, 3])
    path = tmp_path / "report"
    tf.profiler.profile(
        graph, options=BUILDER(BUILDER.trainable_variables_parameter()).with_file_output(str(path)).build()
    )
    assert "v (2x3, 6/6 params)" in path.read_text()


@pytest.fixture(scope="module")
def viewed() -> Any:
    return profiler_cases.views(tf)


@pytest.mark.parametrize("case", range(len(VIEWS)))
def test_views_by_what_ops_read_and_by_lines_as_recorded(viewed: Any, case: int) -> None:
    assert viewed[case] == VIEWS[case]


def test_a_long_row_of_ops_by_what_they_read() -> None:
    with tf.Graph().as_default() as graph:
        x = tf.zeros([3])
        for _ in range(3000):
            x = tf.add(x, x)
    node = tf.profiler.profile(
        graph, cmd="graph", options=BUILDER(BUILDER.float_operation()).with_empty_output().build()
    )
    assert node.total_float_ops == 9000
    for _ in range(3000):
        (node,) = node.children
    assert node.name == "Add"
    assert not node.children


def test_advice_is_refused() -> None:
    with pytest.raises(NotImplementedError, match="advise"):
        tf.profiler.advise(tf.Graph())


def test_log_of_ops_with_costs_and_types_of_the_program(tmp_path: Path) -> None:
    profiler = tf.profiler
    with tf.Graph().as_default() as graph:
        y = tf.matmul(tf.zeros([2, 3]), tf.get_variable("w", [3, 4]), name="y")
        tf.matmul(tf.placeholder(tf.float32, [None, 2]), y, name="z")
    log = profiler.OpLogProto()
    log.log_entries.add(name="z", float_ops=77, types=["mine"])
    profiler.write_op_log(graph, str(tmp_path), op_log=log)
    read = profiler.OpLogProto.FromString((tmp_path / "tfprof_log").read_bytes())
    entries = {e.name: e for e in read.log_entries}
    assert [entries[n].float_ops for n in ("y", "z")] == [48, 77]
    assert (entries["w"].types, entries["z"].types) == (["_trainable_variables"], ["mine"])
    line = entries["y"].code_def.traces[-1]
    assert read.id_to_string[line.file_id] == __file__
    assert read.id_to_string[line.line_id].startswith("y = tf.matmul")
    profiler.write_op_log(graph, str(tmp_path), add_trace=False)
    read = profiler.OpLogProto.FromString((tmp_path / "tfprof_log").read_bytes())
    assert {"w", "y"} < {e.name for e in read.log_entries}
    assert "z" not in {e.name for e in read.log_entries}
    options = BUILDER(BUILDER.float_operation()).with_accounted_types(["mine"]).with_empty_output().build()
    assert profiler.profile(graph, op_log=log, options=options).total_float_ops == 77


def test_a_context_traces_profiles_and_writes_runs(tmp_path: Path) -> None:
    options = BUILDER(BUILDER.time_and_memory()).with_empty_output().build()
    with tf.Graph().as_default(), tf.contrib.tfprof.ProfileContext(str(tmp_path), dump_steps=[15]) as context:
        weights = tf.get_variable("weights", [4, 3])
        y = tf.matmul(tf.ones([2, 4]), weights, name="y")
        context.add_auto_profiling("op", options, [3, 5])
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(20):
                sess.run(y)
        made = context.get_profiles("op")
        assert sorted(made) == [3, 5]
        assert "MatMul" in {node.name for node in made[5].children}
        with pytest.raises(ValueError, match="No autoprofiler for command: graph, was run"):
            context.get_profiles("graph")
        with pytest.raises(tf.errors.InternalError, match=r"Already in context or context not cleaned\."):
            context.__enter__()
    written = message("ProfileProto").FromString((tmp_path / "profile_15").read_bytes())
    nodes = {entry.value.name: entry.value for entry in written.nodes}
    assert list(written.steps) == [3, 5, 11]  # what was asked for, and the first run behind the warm-up
    assert [entry.key for entry in nodes["y"].execs] == [3, 5, 11]
    assert list(nodes["weights"].shape) == [4, 3]
    assert nodes["y"].float_ops == 2 * 2 * 4 * 3
    assert [entry.value for entry in nodes["y"].inputs] == [nodes["ones"].id, nodes["weights/read"].id]


def test_a_context_that_is_not_enabled_does_nothing() -> None:
    plain = tf.Session.run
    with tf.contrib.tfprof.ProfileContext("", enabled=False) as context:
        assert context.profiler is None
        assert tf.Session.run is plain
    with pytest.raises(ValueError, match=r"Must have a directory for profile\."):
        tf.contrib.tfprof.ProfileContext("")
    with pytest.raises(ValueError, match=r"Only support tracing up to 100 steps\."):
        tf.contrib.tfprof.ProfileContext("folder", range(200))
