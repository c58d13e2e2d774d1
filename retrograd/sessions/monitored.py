"""Monitored sessions: they call hooks around each run, start what fills queues, and come back from a lost session."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from retrograd.graph import errors, log
from retrograd.graph.collections import GraphKeys
from retrograd.graph.graph import Graph
from retrograd.graph.scopes import get_collection
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.run.session import Session
from retrograd.sessions.hooks import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from retrograd.sessions.manager import SessionManager
from retrograd.sessions.saving_hooks import CheckpointSaverHook, StepCounterHook, SummarySaverHook
from retrograd.sessions.scaffold import Scaffold
from retrograd.train.coordinator import Coordinator
from retrograd.train.queue_runner import start_queue_runners

_PREEMPTION = (errors.AbortedError, errors.UnavailableError)  # after these a session can be made anew
USE_DEFAULT = object()  # where an argument is left to the function


class SessionCreator:
    """Makes a session."""

    def create_session(self) -> Session:
        """A session that is ready."""
        raise NotImplementedError("create_session is not implemented.")


def _manager_of(scaffold: Scaffold) -> SessionManager:
    return SessionManager(
        local_init_op=scaffold.local_init_op,
        local_init_feed_dict=scaffold.local_init_feed_dict,
        ready_op=scaffold.ready_op,
        ready_for_local_init_op=scaffold.ready_for_local_init_op,
        graph=default_graph(),
    )


class ChiefSessionCreator(SessionCreator):
    """Makes a session, restored or initialized."""

    def __init__(
        self,
        scaffold: Scaffold | None = None,
        master: str = "",
        config: Any = None,
        checkpoint_dir: str | None = None,
        checkpoint_filename_with_path: str | None = None,
    ) -> None:
        self._checkpoint_dir = checkpoint_dir
        self._checkpoint_filename_with_path = checkpoint_filename_with_path
        self._scaffold = scaffold or Scaffold()
        self._session_manager: SessionManager | None = None
        self._master = master
        self._config = config

    def _get_session_manager(self) -> SessionManager:
        if self._session_manager is None:
            self._session_manager = _manager_of(self._scaffold)
        return self._session_manager

    def create_session(self) -> Session:
        self._scaffold.finalize()
        return self._get_session_manager().prepare_session(
            self._master,
            saver=self._scaffold.saver,
            checkpoint_dir=self._checkpoint_dir,
            checkpoint_filename_with_path=self._checkpoint_filename_with_path,
            config=self._config,
            init_op=self._scaffold.init_op,
            init_feed_dict=self._scaffold.init_feed_dict,
            init_fn=self._scaffold.init_fn,
        )


class WorkerSessionCreator(SessionCreator):
    """Makes a session once another one has initialized the variables."""

    def __init__(
        self, scaffold: Scaffold | None = None, master: str = "", config: Any = None, max_wait_secs: float = 30 * 60
    ) -> None:
        self._scaffold = scaffold or Scaffold()
        self._master = master
        self._config = config
        self._max_wait_secs = max_wait_secs

    def create_session(self) -> Session:
        self._scaffold.finalize()
        manager = _manager_of(self._scaffold)
        return manager.wait_for_session(self._master, config=self._config, max_wait_secs=self._max_wait_secs)


class StepContext:
    """What a function of ``run_step_fn`` gets: the session without hooks, and the run with them."""

    def __init__(self, session: Any, run_with_hooks_fn: Callable[..., Any]) -> None:
        self._session = session
        self._run_with_hooks_fn = run_with_hooks_fn

    @property
    def session(self) -> Any:
        """The session itself, for runs that no hook sees."""
        return self._session

    def run_with_hooks(self, *args: Any, **kwargs: Any) -> Any:
        """A run that hooks see."""
        return self._run_with_hooks_fn(*args, **kwargs)

    def request_stop(self) -> None:
        """End the loop."""
        raise StopIteration("step_fn has requested the iterations to stop.")


class _Coordinated:
    """A session with its coordinator and queue runners, whose runs hooks see."""

    def __init__(self, creator: SessionCreator, hooks: list[SessionRunHook], grace_secs: float) -> None:
        self.coord = Coordinator(clean_stop_exception_types=())
        self.hooks = hooks
        self.grace_secs = grace_secs
        self.should_stop = False
        self.sess = creator.create_session()
        if get_collection(GraphKeys.QUEUE_RUNNERS):
            start_queue_runners(sess=self.sess, coord=self.coord)
        for hook in hooks:
            hook.after_create_session(self.sess, self.coord)

    def check_stop(self) -> bool:
        """Whether nothing more is to be run."""
        return self.should_stop or self.coord.should_stop()

    def close(self) -> None:
        """End what fills queues, then the session."""
        self.coord.request_stop()
        try:
            self.coord.join(stop_grace_period_secs=self.grace_secs, ignore_live_threads=True)
        finally:
            self.sess.close()

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """The values of ``fetches``; what ends a thread of the coordinator is raised here."""
        try:
            return self._run(fetches, feed_dict, options, run_metadata)
        except _PREEMPTION:
            raise
        except Exception:
            # a queue that a failing thread has closed fails too: tell of what the thread has raised
            self.coord.raise_requested_exception()
            raise

    def _run(self, fetches: Any, feed_dict: Any, options: Any, run_metadata: Any) -> Any:
        if self.should_stop:
            raise RuntimeError("Run called even after should_stop requested.")
        wanted = {"caller": fetches}
        context = SessionRunContext(SessionRunArgs(fetches, feed_dict, options), self.sess)
        feeds, options = self._asked_by_hooks(wanted, context, feed_dict, options)
        metadata = _run_metadata() if run_metadata is None and options is not None else run_metadata
        outputs = self.sess.run(wanted, feed_dict=feeds, options=options, run_metadata=metadata)
        for hook in self.hooks:
            hook.after_run(context, SessionRunValues(outputs.get(hook), options, metadata))
        self.should_stop = self.should_stop or context.stop_requested
        return outputs["caller"]

    def _asked_by_hooks(
        self, wanted: dict[Any, Any], context: SessionRunContext, feed_dict: Any, options: Any
    ) -> tuple[Any, Any]:
        feeds = dict(feed_dict) if feed_dict else {}
        own: list[Tensor] = []
        for hook in self.hooks:
            request = hook.before_run(context)
            if not request:
                continue
            if not isinstance(request, SessionRunArgs):
                request = SessionRunArgs(*request) if isinstance(request, tuple) else SessionRunArgs(request)
            if request.fetches is not None:
                wanted[hook] = request.fetches
            if request.feed_dict:
                if any(t in own for t in request.feed_dict):
                    raise RuntimeError("Same tensor is fed by two hooks.")
                if any(t in (feed_dict or {}) for t in request.feed_dict):
                    raise RuntimeError("Same tensor is fed by a SessionRunHook and user.")
                own += list(request.feed_dict)
                feeds.update(request.feed_dict)
            if request.options:
                options = _merged(options, request.options)
        return feeds or None, options


def _run_metadata() -> Any:
    from tensorboard.compat.proto.config_pb2 import RunMetadata

    return RunMetadata()


def _merged(options: Any, more: Any) -> Any:
    """Options that trace as much as the one that traces more, and wait as long as the one that waits longer."""
    from tensorboard.compat.proto.config_pb2 import RunOptions

    merged = RunOptions()
    merged.CopyFrom(options or RunOptions())
    merged.trace_level = max(merged.trace_level, more.trace_level)
    merged.timeout_in_ms = max(merged.timeout_in_ms, more.timeout_in_ms)
    merged.inter_op_thread_pool = max(merged.inter_op_thread_pool, more.inter_op_thread_pool)
    merged.output_partition_graphs |= more.output_partition_graphs
    merged.debug_options.debug_tensor_watch_opts.extend(more.debug_options.debug_tensor_watch_opts)
    return merged


class _MonitoredSession:
    """The common part of the sessions that are monitored."""

    StepContext = StepContext

    def __init__(
        self,
        session_creator: SessionCreator | None,
        hooks: Iterable[SessionRunHook] | None,
        should_recover: bool,
        stop_grace_period_secs: float = 120,
    ) -> None:
        self._graph_was_finalized = default_graph().finalized
        self._hooks = list(hooks or [])
        for hook in self._hooks:
            hook.begin()
        self._creator = session_creator or ChiefSessionCreator()
        self._should_recover = should_recover
        self._grace_secs = stop_grace_period_secs
        self._sess: _Coordinated | None = self._made()

    def _made(self) -> _Coordinated:
        while True:
            try:
                return _Coordinated(self._creator, self._hooks, self._grace_secs)
            except _PREEMPTION as error:
                if not self._should_recover:
                    raise
                log.info("An error was raised while a session was being created. This may be due to a preemption of a "
                         "connected worker or parameter server. A new session will be created. Error: %s",
                         error)  # fmt: skip

    @property
    def graph(self) -> Graph | None:
        """The graph of the session."""
        return None if self._sess is None else self._sess.sess.graph

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """The values of ``fetches``, as ``tf.Session.run`` gives them.

        Raises:
          RuntimeError: a hook has asked to stop, or the session is closed.
        """
        if self._sess is None:
            raise RuntimeError("Session is already closed.")
        while True:
            try:
                return self._sess.run(fetches, feed_dict, options, run_metadata)
            except _PREEMPTION as error:
                if not self._should_recover:
                    raise
                log.info("An error was raised. This may be due to a preemption in a connected worker or parameter "
                         "server. The current session will be closed and a new session will be created. Error: %s",
                         error)  # fmt: skip
                self._sess.close()
                self._sess = self._made()

    def run_step_fn(self, step_fn: Callable[..., Any]) -> Any:
        """What ``step_fn(step_context)`` gives.

        Raises:
          ValueError: it takes other arguments.
          StopIteration: it asks to stop; the loop then ends.
        """
        import inspect

        names = list(inspect.signature(step_fn).parameters)
        if names and names[0] == "self":
            names = names[1:]
        if names != ["step_context"]:
            raise ValueError(
                "`step_fn` may either have one `step_context` argument, or two arguments `self` and `step_context`, "
                f"instead of {tuple(inspect.signature(step_fn).parameters)}"
            )
        if self._sess is None:
            raise RuntimeError("Session is already closed.")
        try:
            return step_fn(StepContext(self._sess.sess, self.run))
        except StopIteration:
            self._sess.should_stop = True
            return None

    def should_stop(self) -> bool:
        """Whether the loop is to end."""
        return self._sess is None or self._sess.check_stop()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> bool:
        if kind is not None and issubclass(kind, errors.OutOfRangeError | StopIteration):
            kind = None  # the input has come to its end
        self._close(kind)
        return kind is None

    def close(self) -> None:
        """Let the hooks end, and close."""
        self._close(None)

    def _close(self, kind: Any) -> None:
        if self._sess is None:
            return
        try:
            if kind is None:
                for hook in self._hooks:
                    hook.end(self._sess.sess)
        finally:
            sess, self._sess = self._sess, None
            try:
                if kind is None:
                    sess.close()
                else:
                    try:  # what is being raised goes before what stops the threads
                        sess.close()
                    except Exception as error:
                        log.debug("closing after an error: %s", error)
            finally:
                if not self._graph_was_finalized:
                    default_graph()._unsafe_unfinalize()

    def _is_closed(self) -> bool:
        return self._sess is None

    def _tf_sess(self) -> Session | None:
        return None if self._sess is None else self._sess.sess


class MonitoredSession(_MonitoredSession):
    """A session with hooks, which is made anew where it is lost."""

    def __init__(
        self,
        session_creator: SessionCreator | None = None,
        hooks: Iterable[SessionRunHook] | None = None,
        stop_grace_period_secs: float = 120,
    ) -> None:
        super().__init__(session_creator, hooks, True, stop_grace_period_secs)


class SingularMonitoredSession(_MonitoredSession):
    """A session with hooks, and with the methods of a session; where it is lost, it is lost."""

    def __init__(
        self,
        hooks: Iterable[SessionRunHook] | None = None,
        scaffold: Scaffold | None = None,
        master: str = "",
        config: Any = None,
        checkpoint_dir: str | None = None,
        stop_grace_period_secs: float = 120,
        checkpoint_filename_with_path: str | None = None,
    ) -> None:
        creator = ChiefSessionCreator(scaffold, master, config, checkpoint_dir, checkpoint_filename_with_path)
        super().__init__(creator, hooks, False, stop_grace_period_secs)

    def raw_session(self) -> Session | None:
        """The session without hooks."""
        return self._tf_sess()


def MonitoredTrainingSession(
    master: str = "",
    is_chief: bool = True,
    checkpoint_dir: str | None = None,
    scaffold: Scaffold | None = None,
    hooks: Iterable[SessionRunHook] | None = None,
    chief_only_hooks: Iterable[SessionRunHook] | None = None,
    save_checkpoint_secs: Any = USE_DEFAULT,
    save_summaries_steps: Any = USE_DEFAULT,
    save_summaries_secs: Any = USE_DEFAULT,
    config: Any = None,
    stop_grace_period_secs: float = 120,
    log_step_count_steps: int | None = 100,
    max_wait_secs: float = 7200,
    save_checkpoint_steps: Any = USE_DEFAULT,
    summary_dir: str | None = None,
) -> MonitoredSession:
    """A monitored session that restores from ``checkpoint_dir``, saves there, and writes summaries.

    By default it saves every 600 seconds, and a summary every 100 steps; None for both of a pair leaves it out.
    """
    summaries = _either(save_summaries_steps, save_summaries_secs, (100, None))
    secs, steps = _either(save_checkpoint_secs, save_checkpoint_steps, (600, None))
    scaffold = scaffold or Scaffold()
    if not is_chief:
        worker = WorkerSessionCreator(scaffold, master, config, max_wait_secs)
        return MonitoredSession(worker, hooks or [], stop_grace_period_secs)
    all_hooks: list[SessionRunHook] = list(chief_only_hooks or [])
    creator = ChiefSessionCreator(scaffold, master, config, checkpoint_dir)
    folder = summary_dir or checkpoint_dir
    if folder:
        if log_step_count_steps and log_step_count_steps > 0:
            all_hooks.append(StepCounterHook(output_dir=folder, every_n_steps=log_step_count_steps))
        if any(x is not None and x > 0 for x in summaries):
            all_hooks.append(
                SummarySaverHook(scaffold=scaffold, save_steps=summaries[0], save_secs=summaries[1], output_dir=folder)
            )
    if checkpoint_dir and ((secs and secs > 0) or (steps and steps > 0)):
        all_hooks.append(CheckpointSaverHook(checkpoint_dir, save_steps=steps, save_secs=secs, scaffold=scaffold))
    return MonitoredSession(creator, [*all_hooks, *(hooks or [])], stop_grace_period_secs)


def _either(first: Any, second: Any, default: tuple[Any, Any]) -> tuple[Any, Any]:
    """Two arguments of which one may be left out where the other is given; ``default`` where both are."""
    if first is USE_DEFAULT and second is USE_DEFAULT:
        return default
    return (None if first is USE_DEFAULT else first, None if second is USE_DEFAULT else second)
