"""``Supervisor``: an older way to a session that restores, saves and writes summaries, in threads of its own."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from retrograd.graph import dtypes, errors, log
from retrograd.graph.collections import GraphKeys
from retrograd.graph.graph import Graph
from retrograd.graph.scopes import add_to_collection, get_collection
from retrograd.graph.stack import default_graph
from retrograd.io.event_files import FileWriter
from retrograd.io.graph_defs import write_graph
from retrograd.io.meta_graphs import create_meta_graph_def
from retrograd.io.saver import Saver
from retrograd.nn.summaries import merge_all
from retrograd.run.session import Session
from retrograd.sessions.manager import SessionManager
from retrograd.sessions.scaffold import Scaffold
from retrograd.state.initialization import (
    global_variables,
    global_variables_initializer,
    report_uninitialized_variables,
)
from retrograd.train.coordinator import Coordinator, LooperThread


class Supervisor:
    """Initializes or restores a model, saves it every ``save_model_secs``, and writes ``summary_op`` and steps.

    What is ``USE_DEFAULT`` is taken from the graph's collections, or made.

    Args:
      logdir: the folder of checkpoints, events and the graph.
      save_summaries_secs, save_model_secs: how often, in seconds; 0 means never.
    """

    USE_DEFAULT = 0

    def __init__(
        self,
        graph: Graph | None = None,
        ready_op: Any = USE_DEFAULT,
        ready_for_local_init_op: Any = USE_DEFAULT,
        is_chief: bool = True,
        init_op: Any = USE_DEFAULT,
        init_feed_dict: Any = None,
        local_init_op: Any = USE_DEFAULT,
        logdir: str | None = None,
        summary_op: Any = USE_DEFAULT,
        saver: Any = USE_DEFAULT,
        global_step: Any = USE_DEFAULT,
        save_summaries_secs: float = 120,
        save_model_secs: float = 600,
        recovery_wait_secs: float = 30,
        stop_grace_secs: float = 120,
        checkpoint_basename: str = "model.ckpt",
        session_manager: SessionManager | None = None,
        summary_writer: Any = USE_DEFAULT,
        init_fn: Callable[[Session], Any] | None = None,
        local_init_run_options: Any = None,
    ) -> None:
        self._graph = graph or default_graph()
        self._is_chief = is_chief
        self._coord = Coordinator()
        self._recovery_wait_secs = recovery_wait_secs
        self._stop_grace_secs = stop_grace_secs
        self._init_fn = init_fn
        self._logdir = logdir
        self._save_summaries_secs = save_summaries_secs
        self._save_model_secs = save_model_secs
        self._save_path = os.path.join(logdir, checkpoint_basename) if logdir else None
        self._local_init_run_options = local_init_run_options
        with self._graph.as_default():
            self._ready_op = self._part(ready_op, GraphKeys.READY_OP, report_uninitialized_variables)
            self._ready_for_local_init_op = self._part(ready_for_local_init_op, GraphKeys.READY_FOR_LOCAL_INIT_OP, None)
            self._init_op = self._part(init_op, GraphKeys.INIT_OP, global_variables_initializer)
            self._init_feed_dict = init_feed_dict
            self._local_init_op = self._part(local_init_op, GraphKeys.LOCAL_INIT_OP, Scaffold.default_local_init_op)
            self._saver = self._part(saver, GraphKeys.SAVERS, lambda: Saver() if global_variables() else None)
            self._summary_op = self._part(summary_op, GraphKeys.SUMMARY_OP, merge_all)
            self._global_step = self._part(global_step, GraphKeys.GLOBAL_STEP, self._named_global_step)
            self._meta_graph_def = create_meta_graph_def(
                graph_def=self._graph.as_graph_def(add_shapes=True),
                saver_def=self._saver.saver_def if self._saver else None,
            )
        self._session_manager = session_manager or SessionManager(
            local_init_op=self._local_init_op,
            ready_op=self._ready_op,
            ready_for_local_init_op=self._ready_for_local_init_op,
            graph=self._graph,
            recovery_wait_secs=recovery_wait_secs,
            local_init_run_options=local_init_run_options,
        )
        self._summary_writer: FileWriter | None = None if summary_writer is Supervisor.USE_DEFAULT else summary_writer
        if summary_writer is Supervisor.USE_DEFAULT and logdir and is_chief:
            self._summary_writer = FileWriter(logdir)
        self._graph_added_to_summary = False
        self._started_at = time.time()
        self._check_devices()
        self._graph.finalize()

    def _named_global_step(self) -> Any:
        """The tensor ``global_step:0``, None if there is none of whole numbers."""
        try:
            step = self._graph.get_tensor_by_name("global_step:0")
        except KeyError:
            return None
        if step.dtype.base_dtype in (dtypes.int32, dtypes.int64):
            return step
        log.warning("Found 'global_step' is not an int type: %s", step.dtype)
        return None

    def _check_devices(self) -> None:
        for op in () if self._is_chief else self._graph.get_operations():
            if op.type in ("Variable", "VariableV2") and not op.device:
                raise ValueError(f"When using replicas, all Variables must have their device set: {op}")

    @staticmethod
    def _part(given: Any, key: str, make: Callable[[], Any] | None) -> Any:
        if given is not Supervisor.USE_DEFAULT:
            return given
        found = get_collection(key)
        if found:
            return found[0]
        made = None if make is None else make()
        if made is not None:
            add_to_collection(key, made)
        return made

    @property
    def is_chief(self) -> bool:
        return self._is_chief

    @property
    def session_manager(self) -> SessionManager:
        return self._session_manager

    @property
    def coord(self) -> Coordinator:
        return self._coord

    @property
    def init_op(self) -> Any:
        return self._init_op

    @property
    def init_feed_dict(self) -> Any:
        return self._init_feed_dict

    @property
    def ready_op(self) -> Any:
        return self._ready_op

    @property
    def ready_for_local_init_op(self) -> Any:
        return self._ready_for_local_init_op

    @property
    def local_init_op(self) -> Any:
        return self._local_init_op

    @property
    def summary_writer(self) -> FileWriter | None:
        return self._summary_writer

    @property
    def summary_op(self) -> Any:
        return self._summary_op

    @property
    def save_summaries_secs(self) -> float:
        return self._save_summaries_secs

    @property
    def global_step(self) -> Any:
        return self._global_step

    @property
    def saver(self) -> Any:
        return self._saver

    @property
    def save_model_secs(self) -> float:
        return self._save_model_secs

    @property
    def save_path(self) -> str | None:
        return self._save_path

    def prepare_or_wait_for_session(
        self,
        master: str = "",
        config: Any = None,
        wait_for_checkpoint: bool = False,
        max_wait_secs: float = 7200,
        start_standard_services: bool = True,
    ) -> Session:
        """A session that is ready: the chief prepares it, the others wait for it."""
        self._coord.clear_stop()
        if self._summary_writer:
            self._summary_writer.reopen()
        if self._is_chief:
            sess = self._session_manager.prepare_session(
                master,
                init_op=self._init_op,
                saver=self._saver,
                checkpoint_dir=self._logdir,
                wait_for_checkpoint=wait_for_checkpoint,
                max_wait_secs=max_wait_secs,
                config=config,
                init_feed_dict=self._init_feed_dict,
                init_fn=self._init_fn,
            )
            self._write_graph()
            if start_standard_services:
                log.info("Starting standard services.")
                self.start_standard_services(sess)
        else:
            sess = self._session_manager.wait_for_session(master, config=config, max_wait_secs=max_wait_secs)
        if start_standard_services:
            log.info("Starting queue runners.")
            self.start_queue_runners(sess)
        return sess

    def _write_graph(self) -> None:
        if self._logdir:
            write_graph(self._graph.as_graph_def(add_shapes=True), self._logdir, "graph.pbtxt")
        if self._summary_writer and not self._graph_added_to_summary:
            self._summary_writer.add_graph(self._graph)
            self._summary_writer.add_meta_graph(self._meta_graph_def)
            self._graph_added_to_summary = True

    def start_standard_services(self, sess: Session) -> list[LooperThread]:
        """Start the threads that write summaries, steps per second and checkpoints.

        Raises:
          RuntimeError: this is not the chief.
          ValueError: there is no ``logdir``.
        """
        if not self._is_chief:
            raise RuntimeError("Only chief supervisor can start standard services. Because only chief supervisors can "
                               "write events.")  # fmt: skip
        if not self._logdir:
            log.warning("Standard services need a 'logdir' passed to the SessionManager")
            return []
        self._log("START", self._step(sess))
        threads = []
        if self._save_summaries_secs and self._summary_writer:
            if self._summary_op is not None:
                threads.append(self.loop(self._save_summaries_secs, self._write_summary, (sess,)))
            if self._global_step is not None:
                threads.append(self.loop(self._save_summaries_secs, _StepsPerSecond(self, sess)))
        if self._saver and self._save_model_secs:
            threads.append(self.loop(self._save_model_secs, self._save, (sess,)))
        return threads

    def _step(self, sess: Session) -> int | None:
        return None if self._global_step is None else int(sess.run(self._global_step))

    def _log(self, status: str, step: int | None, **fields: Any) -> None:
        """Note in the event file what the session has done with this step; without steps nothing."""
        from tensorboard.compat.proto.event_pb2 import SessionLog

        if step is not None and self._summary_writer:
            self._summary_writer.add_session_log(
                SessionLog(status=SessionLog.SessionStatus.Value(status), **fields), step
            )

    def _write_summary(self, sess: Session) -> None:
        fetches = [self._summary_op] + ([self._global_step] if self._global_step is not None else [])
        summary, *step = sess.run(fetches)
        if self._summary_writer:
            self._summary_writer.add_summary(summary, *step)

    def _save(self, sess: Session) -> None:
        self._saver.save(sess, self._save_path, global_step=self._global_step)
        self._log("CHECKPOINT", self._step(sess), checkpoint_path=self._save_path)

    def start_queue_runners(self, sess: Session, queue_runners: Iterable[Any] | None = None) -> list[Any]:
        """Start the threads that fill the graph's queues."""
        runners = self._graph.get_collection(GraphKeys.QUEUE_RUNNERS) if queue_runners is None else queue_runners
        threads: list[Any] = []
        for runner in runners:
            threads += runner.create_threads(sess, coord=self._coord, daemon=True, start=True)
        return threads

    def loop(
        self, timer_interval_secs: float | None, target: Callable[..., Any], args: Any = None, kwargs: Any = None
    ) -> LooperThread:
        """Call ``target`` every so many seconds in a thread of its own, or again and again."""
        looper = LooperThread(self._coord, timer_interval_secs, target=target, args=args, kwargs=kwargs)
        looper.start()
        return looper

    def should_stop(self) -> bool:
        """Whether a stop was asked for."""
        return self._coord.should_stop()

    def request_stop(self, ex: Any = None) -> None:
        """Ask the threads to stop."""
        self._coord.request_stop(ex=ex)

    def stop_on_exception(self) -> Any:
        """A block whose error stops the threads."""
        return self._coord.stop_on_exception()

    def wait_for_stop(self) -> None:
        """Wait until a stop is asked for."""
        self._coord.wait_for_stop()

    def stop(self, threads: Any = None, close_summary_writer: bool = True, ignore_live_threads: bool = False) -> None:
        """Stop the threads, and raise what one of them has raised."""
        self._coord.request_stop()
        try:
            self._coord.join(
                threads, stop_grace_period_secs=self._stop_grace_secs, ignore_live_threads=ignore_live_threads
            )
        finally:
            if close_summary_writer and self._summary_writer:
                from tensorboard.compat.proto.event_pb2 import SessionLog

                self._summary_writer.add_session_log(SessionLog(status=SessionLog.STOP))
                self._summary_writer.close()
                self._graph_added_to_summary = False

    def summary_computed(self, sess: Session, summary: Any, global_step: Any = None) -> None:
        """Write a summary that the program has run itself.

        Raises:
          TypeError: ``summary`` is None.
          RuntimeError: there is no writer.
        """
        if not self._summary_writer:
            raise RuntimeError("Writing a summary requires a summary writer.")
        if global_step is None and self._global_step is not None:
            global_step = self._step(sess)
        self._summary_writer.add_summary(summary, global_step)

    PrepareSession, Loop = prepare_or_wait_for_session, loop
    StartStandardServices, StartQueueRunners = start_standard_services, start_queue_runners
    ShouldStop, RequestStop, WaitForStop, Stop = should_stop, request_stop, wait_for_stop, stop
    StopOnException, SummaryComputed = stop_on_exception, summary_computed

    @contextmanager
    def managed_session(
        self,
        master: str = "",
        config: Any = None,
        start_standard_services: bool = True,
        close_summary_writer: bool = True,
    ) -> Iterator[Session]:
        """A session that is ready in the block; after it the threads are stopped and the session is closed."""
        sess = None
        try:
            sess = self.prepare_or_wait_for_session(
                master=master, config=config, start_standard_services=start_standard_services
            )
            yield sess
        except Exception as error:
            self.request_stop(error)
        finally:
            try:
                self.stop(close_summary_writer=close_summary_writer, ignore_live_threads=True)
            finally:
                if sess is not None:
                    sess.close()


class _StepsPerSecond:
    """Writes how many steps were done a second since the last call."""

    def __init__(self, supervisor: Supervisor, sess: Session) -> None:
        self.supervisor = supervisor
        self.sess = sess
        self.time = time.time()
        self.step = supervisor._step(sess) or 0

    def __call__(self) -> None:
        from tensorboard.compat.proto.summary_pb2 import Summary

        now, step = time.time(), self.supervisor._step(self.sess) or 0
        rate = (step - self.step) / (now - self.time) if now > self.time else float("inf")
        self.time, self.step = now, step
        tag = f"{self.supervisor.global_step.op.name}/sec"
        writer = self.supervisor.summary_writer
        if writer:
            writer.add_summary(Summary(value=[Summary.Value(tag=tag, simple_value=rate)]), step)
        log.info("%s: %g", tag, rate)


def basic_train_loop(
    supervisor: Supervisor, train_step_fn: Callable[..., Any], args: Any = None, kwargs: Any = None, master: str = ""
) -> None:
    """Call ``train_step_fn(session, *args, **kwargs)`` until the supervisor is to stop; a session lost is made anew."""
    while True:
        try:
            with supervisor.managed_session(master) as sess:
                while not supervisor.should_stop():
                    train_step_fn(sess, *(args or ()), **(kwargs or {}))
            return
        except errors.AbortedError:
            continue
