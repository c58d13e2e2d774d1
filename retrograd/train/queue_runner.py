"""``QueueRunner``: threads that fill a queue while a session trains."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Sequence
from typing import Any

from retrograd.graph import errors, log
from retrograd.graph.collection_protos import register_proto_function
from retrograd.graph.collections import GraphKeys
from retrograd.graph.scopes import add_to_collection, get_collection
from retrograd.graph.stack import default_graph, default_session
from retrograd.ops.queue_classes import reference_of
from retrograd.run import advice
from retrograd.run.session import BaseSession


class QueueRunner:
    """Runs each of ``enqueue_ops`` again and again in a thread of its own, until the queue or the input ends.

    Args:
      queue: what they put elements in.
      enqueue_ops: an op that is listed twice runs in two threads.
      close_op, cancel_op: run when the last thread has ended, and when the coordinator stops; by default they
        close the queue, the latter also ending what waits.
      queue_closed_exception_types: the errors that mean the end of the input.
      queue_runner_def: the proto to make it of instead.
    """

    def __init__(
        self, queue: Any = None, enqueue_ops: Any = None, close_op: Any = None, cancel_op: Any = None,
        queue_closed_exception_types: Any = None, queue_runner_def: Any = None, import_scope: str | None = None,
    ) -> None:  # fmt: skip
        if default_graph().is_eager:
            raise RuntimeError(
                "QueueRunners are not supported when eager execution is enabled. Instead, please use tf.data to get "
                "data into your model."
            )
        if queue_runner_def:
            if queue or enqueue_ops:
                raise ValueError("queue_runner_def and queue are mutually exclusive.")
            self._from_proto(queue_runner_def, import_scope)
        else:
            self._from_arguments(queue, enqueue_ops, close_op, cancel_op, queue_closed_exception_types)
        self._lock = threading.Lock()
        self._runs_per_session: Any = weakref.WeakKeyDictionary()
        self._exceptions_raised: list[BaseException] = []

    def _from_arguments(
        self, queue: Any, enqueue_ops: Any, close_op: Any, cancel_op: Any, closed_types: Any
    ) -> None:  # fmt: skip
        if not queue or not enqueue_ops:
            raise ValueError("Must provide queue and enqueue_ops.")
        self._queue = queue
        self._enqueue_ops = enqueue_ops
        self._close_op = close_op if close_op is not None else queue.close()
        self._cancel_op = cancel_op if cancel_op is not None else queue.close(cancel_pending_enqueues=True)
        if closed_types is not None:
            is_valid = isinstance(closed_types, tuple) and closed_types
            if not is_valid or not all(issubclass(t, errors.OpError) for t in closed_types):
                raise TypeError("queue_closed_exception_types, when provided, must be a tuple of tf.error types, "
                                f"but saw: {closed_types}")  # fmt: skip
        self._queue_closed_exception_types = closed_types or (errors.OutOfRangeError,)

    def _from_proto(self, proto: Any, import_scope: str | None) -> None:
        graph = default_graph()
        scope = f"{import_scope}/" if import_scope else ""

        def element(name: str) -> Any:
            return graph.as_graph_element(scope + name)

        self._queue = element(proto.queue_name)
        self._enqueue_ops = [element(name) for name in proto.enqueue_op_name]
        self._close_op = element(proto.close_op_name)
        self._cancel_op = element(proto.cancel_op_name)
        self._queue_closed_exception_types = tuple(
            errors.exception_type_from_error_code(code) for code in proto.queue_closed_exception_types
        ) or (errors.OutOfRangeError,)

    @property
    def queue(self) -> Any:
        """The queue."""
        return self._queue

    @property
    def enqueue_ops(self) -> Any:
        """What the threads run."""
        return self._enqueue_ops

    @property
    def close_op(self) -> Any:
        """What the last thread runs at its end."""
        return self._close_op

    @property
    def cancel_op(self) -> Any:
        """What runs when the coordinator stops."""
        return self._cancel_op

    @property
    def queue_closed_exception_types(self) -> Any:
        """The errors that mean the end of the input."""
        return self._queue_closed_exception_types

    @property
    def exceptions_raised(self) -> list[BaseException]:
        """The errors of threads that no coordinator was told of."""
        return self._exceptions_raised

    @property
    def name(self) -> str:
        """The name of the queue."""
        name: str = self._queue.name
        return name

    @property
    def _queue_op(self) -> Any:
        reference = reference_of(self._queue)
        return getattr(reference, "op", reference)

    def _run(self, sess: Any, enqueue_op: Any, coord: Any = None) -> None:
        """What a thread does."""
        counts = True
        try:
            run = getattr(sess, "_make_repeated", sess.make_callable)(enqueue_op)
            while not (coord and coord.should_stop()):
                try:
                    run()
                except self._queue_closed_exception_types:
                    counts = False
                    self._end_of_thread(sess)
                    return
        except Exception as error:
            advice.has_failed(self._queue_op, error)
            if coord:
                coord.request_stop(error)
            else:
                log.error("Exception in QueueRunner: %s", error)
                with self._lock:
                    self._exceptions_raised.append(error)
                raise
        finally:
            if counts:
                with self._lock:
                    self._runs_per_session[sess] -= 1

    def _end_of_thread(self, sess: Any) -> None:
        """The input has ended: the last thread closes the queue."""
        with self._lock:
            self._runs_per_session[sess] -= 1
            if self._runs_per_session[sess]:
                return
        try:
            sess.run(self._close_op)
        except Exception as error:
            log.vlog(1, "Ignored exception: %s", error)

    def _close_on_stop(self, sess: Any, cancel_op: Any, coord: Any) -> None:
        coord.wait_for_stop()
        try:
            sess.run(cancel_op)
        except Exception as error:
            log.vlog(1, "Ignored exception: %s", error)

    def create_threads(self, sess: Any, coord: Any = None, daemon: bool = False, start: bool = False) -> list[Any]:
        """A thread for each enqueue op, and one that closes the queue when ``coord`` stops.

        No threads if those of this session still run.
        """
        with self._lock:
            if self._runs_per_session.get(sess, 0) > 0:
                return []
            self._runs_per_session[sess] = len(self._enqueue_ops)
            self._exceptions_raised = []
        advice.has_begun(self._queue_op)
        threads = [
            threading.Thread(target=self._run, args=(sess, op, coord), name=f"{advice.THREADS}{self.name}-{op.name}")
            for op in self._enqueue_ops
        ]
        if coord:
            threads.append(
                threading.Thread(
                    target=self._close_on_stop, args=(sess, self._cancel_op, coord),
                    name=f"{advice.THREADS}{self.name}-close_on_stop",
                )
            )  # fmt: skip
        for thread in threads:
            if coord:
                coord.register_thread(thread)
            if daemon:
                thread.daemon = True
            if start:
                thread.start()
        return threads

    def to_proto(self, export_scope: str | None = None) -> Any:
        """As a ``QueueRunnerDef``; None if it is not in ``export_scope``."""
        from retrograd.files.messages import message

        if export_scope is not None and not self._queue.name.startswith(export_scope):
            return None
        prefix = f"{export_scope}/" if export_scope else ""
        proto = message("QueueRunnerDef")()
        proto.queue_name = self._queue.name.removeprefix(prefix)
        proto.enqueue_op_name.extend(op.name.removeprefix(prefix) for op in self._enqueue_ops)
        proto.close_op_name = self._close_op.name.removeprefix(prefix)
        proto.cancel_op_name = self._cancel_op.name.removeprefix(prefix)
        proto.queue_closed_exception_types.extend(
            errors.error_code_from_exception_type(kind) for kind in self._queue_closed_exception_types
        )
        return proto

    @staticmethod
    def from_proto(queue_runner_def: Any, import_scope: str | None = None) -> QueueRunner:
        """The queue runner that a ``QueueRunnerDef`` describes."""
        return QueueRunner(queue_runner_def=queue_runner_def, import_scope=import_scope)


def add_queue_runner(qr: QueueRunner, collection: Any = GraphKeys.QUEUE_RUNNERS) -> None:
    """Let ``start_queue_runners`` start ``qr``."""
    add_to_collection(collection, qr)


def start_queue_runners(
    sess: Any = None, coord: Any = None, daemon: bool = True, start: bool = True,
    collection: Any = GraphKeys.QUEUE_RUNNERS,
) -> list[Any]:  # fmt: skip
    """The threads of all queue runners of the session's graph, which are started.

    Raises:
      ValueError: there is no session.
      TypeError: ``sess`` is none.
    """
    if sess is None:
        sess = default_session()
        if not sess:
            raise ValueError(
                "Cannot start queue runners: No default session is registered. Use `with sess.as_default()` or pass "
                "an explicit session to tf.start_queue_runners(sess=sess)"
            )
    if not isinstance(sess, BaseSession):
        # a monitored session has started them
        if type(sess).__name__ in ("MonitoredSession", "SingularMonitoredSession"):
            return []
        raise TypeError(f"sess must be a `tf.Session` object. Given class: {type(sess)}")
    with sess.graph.as_default():
        runners: Sequence[QueueRunner] = get_collection(collection)
    if not runners:
        log.warning(
            "`tf.train.start_queue_runners()` was called when no queue runners were defined. You can safely remove "
            "the call to this deprecated function."
        )
    with sess.graph.as_default():
        return [t for runner in runners for t in runner.create_threads(sess, coord, daemon, start)]


def _new_proto() -> Any:
    from retrograd.files.messages import message

    return message("QueueRunnerDef")()


register_proto_function(GraphKeys.QUEUE_RUNNERS, _new_proto, QueueRunner.to_proto, QueueRunner.from_proto)
