"""One graph that several threads build, read and run at once."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import retrograd.tf as tf
from retrograd.graph import protos
from retrograd.io import importing
from retrograd.testing.saved_table import CheckpointedOp


def _meanwhile(
    monkeypatch: pytest.MonkeyPatch, where: Any, name: str, build: Callable[[], None]
) -> Callable[[], list[Exception]]:
    """Let another thread have time to build before ``where.name`` is done; gives what waits for it, and its errors."""
    wrong: list[Exception] = []
    former = getattr(where, name)

    def between(*args: Any, **kwargs: Any) -> Any:
        def run() -> None:
            try:
                build()
            except Exception as error:
                wrong.append(error)

        thread = threading.Thread(target=run)
        threads.append(thread)
        thread.start()
        thread.join(0.2)  # it waits where the graph is not to change now
        return former(*args, **kwargs)

    threads: list[threading.Thread] = []
    monkeypatch.setattr(where, name, between)

    def ended() -> list[Exception]:
        for thread in threads:
            thread.join()
        return wrong

    return ended


@pytest.fixture
def graph() -> Iterator[Any]:
    graph = tf.Graph()
    with graph.as_default():
        yield graph


def _loop() -> Any:
    return tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])


def test_a_loop_that_another_thread_builds_is_not_imported(monkeypatch: pytest.MonkeyPatch, graph: Any) -> None:
    other = tf.Graph()
    with other.as_default():
        _loop()

    def build() -> None:
        with graph.as_default():
            _loop()

    ended = _meanwhile(monkeypatch, importing._Import, "_index", build)
    tf.import_graph_def(other.as_graph_def(), name="read")
    assert not ended()
    own = [op for op in graph.get_operations() if op.name.startswith("while/")]
    (context,) = {op.context for op in own if op.context is not None}
    assert context is graph.get_collection(tf.GraphKeys.WHILE_CONTEXT)[0]
    assert graph.get_operation_by_name("read/while/Merge").context not in (None, context)


def test_a_graph_is_written_as_it_is_at_one_moment(monkeypatch: pytest.MonkeyPatch, graph: Any) -> None:
    first = tf.constant(1)
    second = tf.identity(first)

    def build() -> None:
        with graph.as_default():
            second.op._update_input(0, tf.constant(2, name="late"))

    ended = _meanwhile(monkeypatch, protos, "_fill_node", build)
    written = graph.as_graph_def()
    assert not ended()
    names = {node.name for node in written.node}
    assert all(name in names for node in written.node for name in node.input)


def test_who_goes_through_readers_misses_none(graph: Any) -> None:
    x = tf.constant(1.0)
    readers = [tf.negative(x).op for _ in range(4)]
    seen = []
    for op in x.readers:
        if op is readers[0]:
            op._update_input(0, tf.constant(2.0))
        seen.append(op)
    assert seen == readers
    assert x.consumers() == readers[1:]


def test_threads_build_loops_and_their_gradients(graph: Any) -> None:
    x = tf.placeholder_with_default(2.0, [])
    built: list[Any] = [None] * 4
    start = threading.Barrier(4)

    def build(k: int) -> None:
        start.wait()
        with graph.as_default():
            y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [0, tf.constant(k + 1.0)])[1]
            built[k] = y, tf.gradients(y, x)[0]
            tf.import_graph_def(graph.as_graph_def(), name="again")

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=build, args=(k,)) for k in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    with tf.Session() as session:
        assert session.run(built) == [(8.0 * k, 12.0 * k) for k in (1, 2, 3, 4)]


def test_a_saved_table_tells_what_it_holds_now(tmp_path: Any) -> None:
    from retrograd.eager.context import eager_mode

    with eager_mode():
        table = CheckpointedOp(name="v")
        table.insert("k", 30.0)
        path = tf.train.Saver({"v": table.saveable}).save(None, str(tmp_path / "saved"))
        restored = CheckpointedOp(name="v")
        tf.train.Saver({"v": restored.saveable}).restore(None, path)
        assert restored.keys().numpy().tolist() == [b"k"]
        assert restored.values().numpy().tolist() == [30.0]
