"""Layers around a session: each adds one thing to its runs, and stops where the one inside stops.

From the outside in, a monitored session is recoverable, coordinated, hooked, and a session.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from retrograd.graph import errors, log
from retrograd.graph.graph import Graph
from retrograd.graph.tensor import Tensor
from retrograd.sessions.hooks import SessionRunArgs, SessionRunContext, SessionRunHook, SessionRunValues
from retrograd.train.coordinator import Coordinator

PREEMPTION = (errors.AbortedError, errors.UnavailableError)  # after these a session can be made anew


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


class WrappedSession:
    """A session, or another layer around one."""

    def __init__(self, sess: Any) -> None:
        self._sess = sess

    @property
    def graph(self) -> Graph:
        """The graph of the session."""
        return self._sess.graph  # type: ignore[no-any-return]

    @property
    def sess_str(self) -> Any:
        """What the session was made for."""
        return self._sess.sess_str

    def should_stop(self) -> bool:
        """Whether nothing more is to be run: this layer or the one inside says so, or it is closed."""
        if self._check_stop() or self._sess is None:
            return True
        return isinstance(self._sess, WrappedSession) and self._sess.should_stop()

    def _check_stop(self) -> bool:
        """Whether this layer has a reason to stop."""
        return False

    def close(self) -> None:
        """Close what is inside, once; that it is lost already is no error."""
        sess, self._sess = self._sess, None
        if sess is None:
            return
        try:
            sess.close()
        except PREEMPTION as error:
            log.error("An error occurred when attempting to close the session. This may be due to a preemption in a "
                      "connected worker or parameter server. Error: %s", error)  # fmt: skip

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """What the session gives."""
        return self._sess.run(*args, **kwargs)

    def run_step_fn(self, step_fn: Callable[[StepContext], Any], raw_session: Callable[[], Any]) -> Any:
        """What ``step_fn(step_context)`` gives; ``raw_session()`` is the session without hooks."""
        return step_fn(StepContext(raw_session(), self.run))


class RecoverableSession(WrappedSession):
    """A session that is made anew by ``sess_creator.create_session()`` where it is lost."""

    def __init__(self, sess_creator: Any) -> None:
        self._sess_creator = sess_creator
        super().__init__(self._made())

    def _made(self) -> Any:
        while True:
            try:
                return self._sess_creator.create_session()
            except PREEMPTION as error:
                log.info("An error was raised while a session was being created. This may be due to a preemption of a "
                         "connected worker or parameter server. A new session will be created. Error: %s",
                         error)  # fmt: skip

    def _check_stop(self) -> bool:
        try:
            return self._sess is None or self._sess._check_stop()
        except PREEMPTION as error:
            log.info("An error was raised while considering whether the session is complete. This may be due to a "
                     "preemption in a connected worker or parameter server. The current session will be closed and a "
                     "new session will be created. Error: %s", error)  # fmt: skip
            self.close()
            self._sess = self._made()
            return False
        except Exception:  # closing will raise it
            return True

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """What the session gives, or the next one."""
        return self._until_kept(lambda sess: sess.run(*args, **kwargs))

    def run_step_fn(self, step_fn: Callable[[StepContext], Any], raw_session: Callable[[], Any]) -> Any:
        return self._until_kept(lambda sess: step_fn(StepContext(raw_session(), sess.run)))

    def _until_kept(self, step: Callable[[Any], Any]) -> Any:
        """What ``step(session)`` gives in the first session that is not lost meanwhile."""
        while True:
            try:
                if self._sess is None:
                    self._sess = self._made()
                return step(self._sess)
            except PREEMPTION as error:
                log.info("An error was raised. This may be due to a preemption in a connected worker or parameter "
                         "server. The current session will be closed and a new session will be created. Error: %s",
                         error)  # fmt: skip
                self.close()


class CoordinatedSession(WrappedSession):
    """A session that stops with its coordinator's threads, and raises what they have raised."""

    def __init__(self, sess: Any, coord: Coordinator, stop_grace_period_secs: float = 120) -> None:
        super().__init__(sess)
        self._coord = coord
        self._stop_grace_period_secs = stop_grace_period_secs

    def _check_stop(self) -> bool:
        self._coord.raise_requested_exception()
        return self._coord.should_stop()

    def close(self) -> None:
        """End the threads, then the session."""
        self._coord.request_stop()
        try:
            self._coord.join(stop_grace_period_secs=self._stop_grace_period_secs, ignore_live_threads=True)
        finally:
            super().close()

    def run(self, *args: Any, **kwargs: Any) -> Any:
        """What the session gives."""
        try:
            return self._sess.run(*args, **kwargs)
        except PREEMPTION:
            raise
        except Exception:
            # a queue that a failing thread has closed fails too: tell of what the thread has raised
            self._coord.raise_requested_exception()
            raise


class HookedSession(WrappedSession):
    """A session whose runs ``hooks`` see; they may add fetches, feeds and options, and ask to stop."""

    def __init__(self, sess: Any, hooks: Iterable[SessionRunHook]) -> None:
        super().__init__(sess)
        self._hooks = list(hooks)
        self._should_stop = False

    def _check_stop(self) -> bool:
        return self._should_stop

    def run(self, fetches: Any, feed_dict: Any = None, options: Any = None, run_metadata: Any = None) -> Any:
        """The values of ``fetches``.

        Raises:
          RuntimeError: a hook has asked to stop before, or two feed the same tensor.
        """
        if self.should_stop():
            raise RuntimeError("Run called even after should_stop requested.")
        wanted = {"caller": fetches}
        context = SessionRunContext(SessionRunArgs(fetches, feed_dict), self._sess)
        feed_dict, options = self._asked_by_hooks(wanted, context, feed_dict, options)
        if run_metadata is None and options is not None:
            run_metadata = _new("RunMetadata")
        outputs = self._sess.run(fetches=wanted, feed_dict=feed_dict, options=options, run_metadata=run_metadata)
        for hook in self._hooks:
            values = SessionRunValues(
                outputs.get(hook), options or _new("RunOptions"), run_metadata or _new("RunMetadata")
            )
            hook.after_run(context, values)
        self._should_stop = self._should_stop or context.stop_requested
        return outputs["caller"]

    def _asked_by_hooks(
        self, wanted: dict[Any, Any], context: SessionRunContext, feed_dict: Any, options: Any
    ) -> tuple[Any, Any]:
        own: dict[Tensor, Any] = {}
        for hook in self._hooks:
            request = hook.before_run(context)
            if not request:
                continue
            if not isinstance(request, SessionRunArgs):
                request = SessionRunArgs(*request) if isinstance(request, tuple) else SessionRunArgs(request)
            if request.fetches is not None:
                wanted[hook] = request.fetches
            for tensor, value in (request.feed_dict or {}).items():
                if tensor in own:
                    raise RuntimeError("Same tensor is fed by two hooks.")
                if tensor in (feed_dict or {}):
                    raise RuntimeError("Same tensor is fed by a SessionRunHook and user.")
                own[tensor] = value
            if request.options:
                options = _merged(options, request.options)
        return (own | dict(feed_dict or {}) if own else feed_dict), options


def _new(kind: str) -> Any:
    from tensorboard.compat.proto import config_pb2

    return getattr(config_pb2, kind)()


def _merged(options: Any, more: Any) -> Any:
    """Options that trace as much as the one that traces more, and wait as long as the one that waits longer."""
    merged = _new("RunOptions")
    if options is not None:
        merged.CopyFrom(options)
    merged.trace_level = max(merged.trace_level, more.trace_level)
    merged.timeout_in_ms = max(merged.timeout_in_ms, more.timeout_in_ms)
    merged.inter_op_thread_pool = max(merged.inter_op_thread_pool, more.inter_op_thread_pool)
    merged.output_partition_graphs |= more.output_partition_graphs
    merged.report_tensor_allocations_upon_oom |= more.report_tensor_allocations_upon_oom
    merged.debug_options.debug_tensor_watch_opts.extend(more.debug_options.debug_tensor_watch_opts)
    return merged
