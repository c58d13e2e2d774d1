"""Sessions that last: hooks, checkpoints and summaries by themselves, and what is left when they end."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from retrograd import tf
from retrograd.run import session
from retrograd.tf.python.client import timeline


@pytest.fixture(autouse=True)
def graph() -> Iterator[None]:
    with tf.Graph().as_default():
        yield
    tf.summary.FileWriterCache.clear()


def model() -> tuple[Any, Any, Any, Any]:
    step = tf.train.get_or_create_global_step()
    v = tf.Variable(1.0, name="v")
    loss = v * 2.0
    tf.summary.scalar("loss", loss)
    return step, v, loss, tf.group(v.assign_add(1.0), step.assign_add(1))


class Told(tf.train.SessionRunHook):
    def __init__(self) -> None:
        self.calls: list[str] = []

    def begin(self) -> None:
        self.calls.append("begin")

    def after_create_session(self, session: Any, coord: Any) -> None:
        self.calls.append(f"created {type(coord).__name__}")

    def before_run(self, run_context: Any) -> Any:
        return tf.train.SessionRunArgs({"v": tf.get_default_graph().get_tensor_by_name("v/read:0")})

    def after_run(self, run_context: Any, run_values: Any) -> None:
        self.calls.append(f"run {run_values.results['v']}")

    def end(self, session: Any) -> None:
        self.calls.append("end")


def test_a_training_session_saves_summarizes_and_stops(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    step, v, loss, train = model()
    told = Told()
    hooks = [told, tf.train.StopAtStepHook(last_step=3), tf.train.LoggingTensorHook({"loss": loss}, every_n_iter=2)]
    with (
        caplog.at_level(logging.INFO, "tensorflow"),
        tf.train.MonitoredTrainingSession(
            checkpoint_dir=str(tmp_path), hooks=hooks, save_checkpoint_steps=2, save_summaries_steps=1,
            log_step_count_steps=2,
        ) as sess,
    ):  # fmt: skip
        runs = 0
        while not sess.should_stop():
            sess.run(train)
            runs += 1
    assert runs == 3
    assert told.calls == ["begin", "created Coordinator", "run 1.0", "run 2.0", "run 3.0", "end"]
    names = {p.name for p in tmp_path.iterdir() if not p.name.startswith("events")}
    parts = ("data-00000-of-00001", "index", "meta")
    assert names == {"checkpoint", "graph.pbtxt", *(f"model.ckpt-{n}.{part}" for n in (0, 2, 3) for part in parts)}
    said = [r.getMessage() for r in caplog.records]
    assert f"Saving checkpoints for 2 into {tmp_path}/model.ckpt." in said
    assert said.count("Graph was finalized.") == 1
    assert "loss = 2.0" in said
    (events,) = tmp_path.glob("events*")
    tf.summary.FileWriterCache.clear()
    tags = [(e.step, v.tag) for e in tf.train.summary_iterator(str(events)) for v in e.summary.value]
    assert [t for t in tags if t[1] == "loss"] == [(1, "loss"), (2, "loss"), (3, "loss")]
    assert any(tag == "global_step/sec" for _, tag in tags)
    with tf.Graph().as_default():
        step, v, loss, train = model()
        with tf.train.MonitoredTrainingSession(checkpoint_dir=str(tmp_path)) as sess:
            assert sess.run([step, v]) == [3, 4.0]


def test_an_error_ends_without_the_ends_of_hooks_and_input_that_ends_with_them() -> None:
    started = ["begin", "created Coordinator"]
    end_of_input = tf.errors.OutOfRangeError(None, None, "end")
    for error, expected in ((ValueError("told to"), started), (end_of_input, [*started, "end"])):
        with tf.Graph().as_default():
            model()
            told = Told()
            try:
                with tf.train.MonitoredSession(hooks=[told]):
                    raise error
            except ValueError:
                assert expected[-1] != "end"
            assert told.calls == expected


def test_the_graph_is_final_while_it_runs_and_not_after() -> None:
    model()
    with tf.train.MonitoredSession() as sess:
        with pytest.raises(RuntimeError, match="Graph is finalized and cannot be modified"):
            tf.no_op()
        assert sess.graph is tf.get_default_graph()
    tf.no_op()
    with pytest.raises(RuntimeError, match="Session is already closed"):
        sess.run(tf.no_op())


def test_a_session_that_is_lost_is_made_anew() -> None:
    _, v, _, train = model()
    lost: list[int] = []

    class Lose(tf.train.SessionRunHook):
        def after_run(self, run_context: Any, run_values: Any) -> None:
            if not lost:
                lost.append(1)
                raise tf.errors.AbortedError(None, None, "lost")

    with tf.train.MonitoredSession(hooks=[Lose()]) as sess:
        sess.run(train)
        assert sess.run(v) == 2.0  # the first session's step was lost with it
    lost.clear()
    with pytest.raises(tf.errors.AbortedError), tf.train.SingularMonitoredSession(hooks=[Lose()]) as sess:
        sess.run(train)


def test_a_loss_that_is_no_number_stops() -> None:
    _, _, loss, train = model()
    bad = loss / 0.0 * 0.0
    with (
        pytest.raises(tf.train.NanLossDuringTrainingError, match="NaN loss during training"),
        tf.train.SingularMonitoredSession(hooks=[tf.train.NanTensorHook(bad)]) as sess,
    ):
        sess.run(train)
    with tf.train.SingularMonitoredSession(hooks=[tf.train.NanTensorHook(bad, fail_on_nan_loss=False)]) as sess:
        sess.run(train)
        assert sess.should_stop()


def test_a_step_function_runs_with_hooks_and_without() -> None:
    _, v, _, train = model()
    told = Told()

    def step(step_context: Any) -> Any:
        step_context.session.run(train)
        if step_context.run_with_hooks(v) >= 3:
            step_context.request_stop()

    with tf.train.MonitoredSession(hooks=[told]) as sess:
        while not sess.should_stop():
            sess.run_step_fn(step)
        with pytest.raises(ValueError, match="may either have one `step_context` argument"):
            sess.run_step_fn(lambda x: x)
    assert told.calls[2:-1] == ["run 2.0", "run 3.0"]


def test_queues_are_filled_and_the_first_failure_is_told() -> None:
    queue = tf.FIFOQueue(4, tf.float32, [[]])
    fails = tf.py_func(lambda: 1 / 0, [], tf.float32)
    fails.set_shape([])
    tf.train.add_queue_runner(tf.train.QueueRunner(queue, [queue.enqueue(fails)]))
    element = queue.dequeue()

    def train() -> None:
        with tf.train.MonitoredSession() as sess:
            while not sess.should_stop():
                sess.run(element)

    with pytest.raises(tf.errors.OpError, match="division by zero"):
        train()
    assert threading.active_count() < 20


def test_a_supervisor_restores_and_saves(tmp_path: Path) -> None:
    step, v, _, train = model()
    supervisor = tf.train.Supervisor(logdir=str(tmp_path), save_model_secs=0, save_summaries_secs=0)
    with supervisor.managed_session() as sess:
        for _ in range(3):
            sess.run(train)
        supervisor.saver.save(sess, supervisor.save_path, global_step=step)
        assert not supervisor.should_stop()
    with tf.Graph().as_default():
        step, v, _, train = model()
        supervisor = tf.train.Supervisor(logdir=str(tmp_path), save_model_secs=0, save_summaries_secs=0)
        with supervisor.managed_session() as sess:
            assert sess.run(v) == 4.0
        with pytest.raises(ValueError, match="told to"), supervisor.managed_session():
            raise ValueError("told to")


def test_a_supervisor_notes_what_it_does_in_the_event_file(tmp_path: Path) -> None:
    tf.Variable(123, name="global_step")
    supervisor = tf.train.Supervisor(logdir=str(tmp_path))
    supervisor.prepare_or_wait_for_session("")
    waited = time.monotonic()
    while not (tmp_path / "checkpoint").exists() and time.monotonic() < waited + 10:
        time.sleep(0.02)
    supervisor.stop()
    (path,) = tmp_path.glob("*events*")
    notes = [e for e in tf.train.summary_iterator(str(path)) if e.WhichOneof("what") == "session_log"]
    kinds = tf.SessionLog
    assert {(e.step, e.session_log.status) for e in notes} == {
        (123, kinds.START),
        (123, kinds.CHECKPOINT),
        (0, kinds.STOP),
    }
    assert supervisor.save_path in [e.session_log.checkpoint_path for e in notes]


def test_a_session_manager_says_what_is_not_ready() -> None:
    model()
    manager = tf.train.SessionManager(ready_op=tf.report_uninitialized_variables())
    with pytest.raises(
        RuntimeError, match=r"Init operations did not make model ready.*not initialized: global_step, v"
    ):
        manager.prepare_session("", init_op=tf.no_op())


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: tf.train.StopAtStepHook(), "One of num_steps or last_step must be specified"),
        (lambda: tf.train.StopAtStepHook(1, 2), "Only one of num_steps or last_step can be specified"),
        (lambda: tf.train.LoggingTensorHook([]), "either at_end and/or exactly one of every_n_iter and every_n_secs"),
        (lambda: tf.train.SecondOrStepTimer(1, 2), "Can not provide both every_secs and every_steps"),
        (lambda: tf.train.SummarySaverHook(), "Exactly one of scaffold or summary_op must be provided"),
    ],
)
def test_bad_arguments(make: Any, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        make()


def test_a_timeline_is_a_trace_that_browsers_open() -> None:
    fed = tf.placeholder(tf.float32, [])
    x = tf.constant(np.ones([4, 4], np.float32)) + fed
    y = tf.matmul(x, x, name="product")
    metadata = tf.RunMetadata()
    with tf.Session() as sess:
        sess.run(y, {fed: 1.0}, tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
    trace = json.loads(timeline.Timeline(metadata.step_stats).generate_chrome_trace_format(show_memory=True))
    (product,) = [e for e in trace["traceEvents"] if e.get("args", {}).get("name") == "product" and e["ph"] == "X"]
    assert product["name"] == "MatMul"
    assert product["args"]["output bytes"] == 64
    assert any(e["ph"] == "M" for e in trace["traceEvents"])
    bars = [e for e in trace["traceEvents"] if e["ph"] == "X"]
    ends = [e for e in trace["traceEvents"] if e["ph"] in "st"]  # the viewer drops an arrow beside a bar
    assert ends
    for end in ends:
        assert any(bar["tid"] == end["tid"] and 0 <= end["ts"] - bar["ts"] < bar["dur"] for bar in bars)


def test_a_timeline_tells_how_long_tensors_live_and_what_they_take() -> None:
    """The format and the bytes are those of TensorFlow 1.15.5."""
    a = tf.random_normal([100, 100], name="a")
    b = tf.matmul(a, a, name="b")
    c = tf.tanh(b, name="c")
    d = tf.add(b, c, name="d")
    metadata = tf.RunMetadata()
    with tf.Session() as sess:
        sess.run(d, options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE), run_metadata=metadata)
    trace, maximums = timeline.Timeline(metadata.step_stats).analyze_step_stats()
    (most,) = maximums.values()
    assert (most.num_bytes, most.tensors) == (120000, {"b", "c", "d"})
    events = json.loads(trace.format_to_string())["traceEvents"]
    assert next(e["args"]["name"] for e in events if e["ph"] == "M") == "Allocators"
    at = {(e["name"], e["ph"]): e["ts"] for e in events if e["ph"] in "NOD"}
    for name in "bcd":
        assert at[name, "N"] <= at[name, "O"] <= at[name, "D"]
    assert at["b", "D"] == at["c", "D"] <= at["d", "D"]
    counts = [e["args"]["cpu"] for e in events if e["ph"] == "C"]
    assert (max(counts), counts[-1]) == (120000, 0)
    assert most.timestamp in [e["ts"] for e in events if e["ph"] == "C" and e["args"]["cpu"] == 120000]
    short = timeline.Timeline(metadata.step_stats).analyze_step_stats(show_dataflow=False, show_memory=False)
    assert {e["ph"] for e in short.chrome_trace.events} == {"M", "X"}
    assert short.allocator_maximums == {}


def test_layers_around_a_session() -> None:
    """Each layer stops for its own reason or for that of the one inside; a session that is lost is made anew."""
    from retrograd.tf.python.training import monitored_session

    class Lost:
        def __init__(self, sess: Any, runs: int) -> None:
            self.sess, self.runs = sess, runs

        def run(self, *args: Any, **kwargs: Any) -> Any:
            if not self.runs:
                raise tf.errors.AbortedError(None, None, "lost")
            self.runs -= 1
            return self.sess.run(*args, **kwargs)

        def close(self) -> None:
            pass

    class Creator:
        def __init__(self, sess: Any) -> None:
            self.left = [Lost(sess, 1), Lost(sess, 2)]

        def create_session(self) -> Lost:
            return self.left.pop(0)

    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder_with_default(3, ())
        creator = Creator(sess)
        recoverable = monitored_session._RecoverableSession(creator)
        assert [recoverable.run(x, feed_dict={x: n}) for n in range(3)] == [0, 1, 2]
        assert not creator.left
        with pytest.raises(IndexError):
            recoverable.run(x)

        coord = tf.train.Coordinator()
        outer = monitored_session._WrappedSession(monitored_session._CoordinatedSession(sess, coord))
        assert outer.run(x) == 3
        assert outer.graph is sess.graph
        assert not outer.should_stop()
        coord.request_stop()
        assert outer.should_stop()


def test_step_function_asks_to_stop() -> None:
    """The request leaves ``run_step_fn``, and ends the block around it without an error."""
    with tf.Graph().as_default():
        tf.Variable(1)
        with tf.train.MonitoredSession() as session:
            session.run_step_fn(lambda step_context: step_context.request_stop())
            raise AssertionError("not reached")
        assert session.should_stop()
        with pytest.raises(RuntimeError, match="Session is already closed"):
            session.close()


def test_logger_of_hooks_is_the_module() -> None:
    from retrograd.tf.python.platform import tf_logging

    said: list[str] = []
    with pytest.MonkeyPatch.context() as patch, tf.Graph().as_default():
        patch.setattr(tf_logging, "info", lambda text, *args: said.append(text % args))
        x = tf.constant(2.5, name="x")
        with tf.train.MonitoredSession(hooks=[tf.train.LoggingTensorHook([x], every_n_iter=1)]) as session:
            session.run(x)
    assert "x:0 = 2.5" in said


def test_plans_of_edges_that_are_no_more_are_dropped() -> None:
    with tf.Graph().as_default() as graph, tf.Session() as sess:
        x = tf.constant(1.0)
        for i in range(20):
            tf.while_loop(lambda a: a < 3.0, lambda a: a + 1.0, [x], name=f"loop{i}")  # changes edges of its Merge
            assert sess.run([x, x]) == [1.0, 1.0]
        assert graph.version_of_edges >= 20
        assert len(sess._prepared) == 1


def test_plans_that_ran_once_are_forgotten_where_every_run_asks_for_something_else(monkeypatch) -> None:
    monkeypatch.setattr(session, "_PREPARED", 10)
    with tf.Graph().as_default(), tf.Session() as sess:
        x = tf.placeholder(tf.float32)
        parts = [x + float(i) for i in range(100)]
        for i in range(100):
            assert sess.run([x, parts[i]], {x: 1.0}) == [1.0, i + 1.0]
            assert sess.run(parts[:2], {x: 1.0}) == [1.0, 2.0]
        assert len(sess._prepared) <= 15
        assert any(program.is_asked_again for _, program in sess._prepared.values())
