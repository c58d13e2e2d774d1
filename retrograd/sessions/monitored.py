"""Monitored sessions: they call hooks around each run, start what fills queues, and come back from a lost session."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from retrograd.graph import errors, log
from retrograd.graph.collections import GraphKeys
from retrograd.graph.graph import Graph
from retrograd.graph.scopes import get_collection
from retrograd.graph.stack import default_graph
from retrograd.run.session import Session
from retrograd.sessions.hooks import SessionRunHook
from retrograd.sessions.manager import SessionManager
from retrograd.sessions.saving_hooks import CheckpointSaverHook, StepCounterHook, SummarySaverHook
from retrograd.sessions.scaffold import Scaffold
from retrograd.sessions.wrapped import (
    CoordinatedSession,
    HookedSession,
    RecoverableSession,
    StepContext,
    WrappedSession,
)
from retrograd.train.coordinator import Coordinator
from retrograd.train.queue_runner import start_queue_runners

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


class _CoordinatedCreator:
    """Makes coordinated sessions, whose runs ``hooks`` see and whose threads fill queues."""

    def __init__(
        self, session_creator: SessionCreator, hooks: list[SessionRunHook], stop_grace_period_secs: float
    ) -> None:
        self._session_creator = session_creator
        self._hooks = hooks
        self._stop_grace_period_secs = stop_grace_period_secs
        self.coord: Coordinator | None = None
        self.tf_sess: Any = None

    def create_session(self) -> CoordinatedSession:
        """A session with a coordinator of its own."""
        self.tf_sess = self._session_creator.create_session()
        self.coord = Coordinator(clean_stop_exception_types=())
        if get_collection(GraphKeys.QUEUE_RUNNERS):
            start_queue_runners(sess=self.tf_sess, coord=self.coord)
        for hook in self._hooks:
            hook.after_create_session(self.tf_sess, self.coord)
        return CoordinatedSession(HookedSession(self.tf_sess, self._hooks), self.coord, self._stop_grace_period_secs)


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
        creator = session_creator or ChiefSessionCreator()
        self._coordinated_creator = _CoordinatedCreator(creator, self._hooks, stop_grace_period_secs)
        self._sess: WrappedSession | None = (
            RecoverableSession(self._coordinated_creator)
            if should_recover
            else self._coordinated_creator.create_session()
        )

    @property
    def graph(self) -> Graph | None:
        """The graph of the session."""
        return None if self._tf_sess() is None else self._tf_sess().graph

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """The values of ``fetches``, as ``tf.Session.run`` gives them.

        Raises:
          RuntimeError: a hook has asked to stop, or the session is closed.
        """
        return self._open().run(fetches, feed_dict=feed_dict, options=options, run_metadata=run_metadata)

    def run_step_fn(self, step_fn: Callable[..., Any]) -> Any:
        """What ``step_fn(step_context)`` gives.

        Raises:
          ValueError: it takes other arguments.
          StopIteration: it asks to stop; a ``with`` block around it ends, and closes the session.
        """
        import inspect

        if not callable(step_fn):
            raise TypeError("unsupported callable")
        names = list(inspect.signature(step_fn).parameters)
        if names not in (["step_context"], ["self", "step_context"]):
            raise ValueError(
                "`step_fn` may either have one `step_context` argument, or `self` and `step_context` arguments if it's "
                f"an instance method. Got {tuple(names)} instead."
            )
        return self._open().run_step_fn(step_fn, lambda: self._tf_sess())

    def _open(self) -> WrappedSession:
        if self._sess is None:
            raise RuntimeError("Session is already closed.")
        return self._sess

    def should_stop(self) -> bool:
        """Whether the loop is to end."""
        return self._sess is None or self._sess.should_stop()

    def __enter__(self) -> Any:
        return self

    def __exit__(self, kind: Any, value: Any, traceback: Any) -> bool:
        if kind in (errors.OutOfRangeError, StopIteration):
            kind = None  # the input has come to its end
        self._close(kind)
        return kind is None

    def close(self) -> None:
        """Let the hooks end, and close.

        Raises:
          RuntimeError: it is closed already.
        """
        self._close(None)

    def _close(self, kind: Any) -> None:
        """Close; only without an exception of some ``kind`` do the hooks end."""
        sess = self._sess
        try:
            self._open()
            if kind is None:
                for hook in self._hooks:
                    hook.end(self._tf_sess())
        finally:
            try:
                if sess is not None:
                    sess.close()
            except Exception as error:
                if kind is None:
                    raise
                log.debug("closing after an error: %s", error)  # what is being raised goes first
            finally:
                self._sess = self._coordinated_creator.tf_sess = self._coordinated_creator.coord = None
                if not self._graph_was_finalized:
                    default_graph()._unsafe_unfinalize()

    def _is_closed(self) -> bool:
        return self._coordinated_creator.tf_sess is None

    def _tf_sess(self) -> Any:
        return self._coordinated_creator.tf_sess


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
        """The session without hooks; None when it is closed."""
        return self._tf_sess()  # type: ignore[no-any-return]


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
