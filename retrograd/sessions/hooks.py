"""What a monitored session calls before and after each run, and the hooks of ``tf.train`` that write no files."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from retrograd.graph import errors, log
from retrograd.graph.stack import default_graph
from retrograd.train.training_util import _get_or_create_global_step_read


class SessionRunArgs(NamedTuple):
    """What a hook adds to a run: fetches in any structure, feeds, options."""

    fetches: Any
    feed_dict: Any = None
    options: Any = None


class SessionRunValues(NamedTuple):
    """What a run gave: the values of the hook's own fetches."""

    results: Any
    options: Any
    run_metadata: Any


class SessionRunContext:
    """A run that is about to be: what was asked for, in which session, and whether it is to be the last."""

    def __init__(self, original_args: SessionRunArgs, session: Any) -> None:
        self._original_args = original_args
        self._session = session
        self._stop_requested = False

    @property
    def original_args(self) -> SessionRunArgs:
        """What the caller of ``run`` asked for."""
        return self._original_args

    @property
    def session(self) -> Any:
        """The session that will run it."""
        return self._session

    @property
    def stop_requested(self) -> bool:
        """Whether a hook has asked to stop."""
        return self._stop_requested

    def request_stop(self) -> None:
        """Let the run be the last: the session's ``should_stop()`` is true after it."""
        self._stop_requested = True


class SessionRunHook:
    """Does nothing at each of the moments; hooks override what they need."""

    def begin(self) -> None:
        """Before the session is made: the graph may still be changed."""

    def after_create_session(self, session: Any, coord: Any) -> None:
        """When a session was made; again if it had to be made anew."""

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        """Before each run; gives what it is to compute beside what was asked for."""

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        """After each run that did not fail."""

    def end(self, session: Any) -> None:
        """When all is done, unless an error ended it."""


class SecondOrStepTimer:
    """Says when something is due: every so many seconds, or every so many steps.

    Raises:
      ValueError: both are given.
    """

    def __init__(self, every_secs: float | None = None, every_steps: int | None = None) -> None:
        if every_secs is None and every_steps is None:
            raise ValueError("Either every_secs or every_steps should be provided.")
        if every_secs is not None and every_steps is not None:
            raise ValueError("Can not provide both every_secs and every_steps.")
        self._every_secs = every_secs
        self._every_steps = every_steps
        self.reset()

    def reset(self) -> None:
        """Forget the last time."""
        self._last_triggered_step: int | None = None
        self._last_triggered_time: float | None = None

    def should_trigger_for_step(self, step: int) -> bool:
        """Whether it is due at ``step``."""
        if self._last_triggered_step is None:
            return True
        if self._last_triggered_step == step:
            return False
        if self._every_secs is not None:
            return time.time() >= (self._last_triggered_time or 0.0) + self._every_secs
        return step >= self._last_triggered_step + (self._every_steps or 0)

    def update_last_triggered_step(self, step: int) -> tuple[float | None, int | None]:
        """Take ``step`` for the last time; gives the seconds and the steps since the one before, if there was one."""
        now = time.time()
        elapsed: tuple[float | None, int | None] = (None, None)
        if self._last_triggered_step is not None and self._last_triggered_time is not None:
            elapsed = (now - self._last_triggered_time, step - self._last_triggered_step)
        self._last_triggered_time, self._last_triggered_step = now, step
        return elapsed

    def last_triggered_step(self) -> int | None:
        """The step of the last time."""
        return self._last_triggered_step


class NeverTriggerTimer:
    """A timer for which nothing is ever due."""

    def reset(self) -> None:
        """There is nothing to forget."""

    def should_trigger_for_step(self, step: int) -> bool:
        """Never."""
        return False

    def update_last_triggered_step(self, step: int) -> tuple[None, None]:
        """There is no last time."""
        return (None, None)

    def last_triggered_step(self) -> None:
        """There is none."""


class LoggingTensorHook(SessionRunHook):
    """Logs the values of ``tensors`` every so many steps or seconds, or at the end."""

    def __init__(
        self,
        tensors: Any,
        every_n_iter: int | None = None,
        every_n_secs: float | None = None,
        at_end: bool = False,
        formatter: Callable[[dict[str, Any]], str] | None = None,
    ) -> None:
        only_at_end = at_end and every_n_iter is None and every_n_secs is None
        if not only_at_end and (every_n_iter is None) == (every_n_secs is None):
            raise ValueError("either at_end and/or exactly one of every_n_iter and every_n_secs must be provided.")
        if every_n_iter is not None and every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        is_named = isinstance(tensors, Mapping)
        self._tag_order = list(tensors.keys()) if is_named else [getattr(t, "name", t) for t in tensors]
        self._tensors = dict(tensors) if is_named else dict(zip(self._tag_order, tensors, strict=True))
        self._formatter = formatter
        self._timer: Any = NeverTriggerTimer() if only_at_end else SecondOrStepTimer(every_n_secs, every_n_iter)
        self._log_at_end = at_end

    def begin(self) -> None:
        self._timer.reset()
        self._iter_count = 0
        self._current_tensors = {tag: _element(t) for tag, t in self._tensors.items()}

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs | None:
        self._should_trigger = self._timer.should_trigger_for_step(self._iter_count)
        return SessionRunArgs(self._current_tensors) if self._should_trigger else None

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if self._should_trigger:
            self._log_tensors(run_values.results)
        self._iter_count += 1

    def end(self, session: Any) -> None:
        if self._log_at_end:
            self._log_tensors(session.run(self._current_tensors))

    def _log_tensors(self, values: dict[str, Any]) -> None:
        before = np.get_printoptions()
        np.set_printoptions(suppress=True)
        seconds, _ = self._timer.update_last_triggered_step(self._iter_count)
        if self._formatter:
            log.info(self._formatter(values))
        else:
            text = ", ".join(f"{tag} = {values[tag]!s}" for tag in self._tag_order)
            log.info("%s (%.3f sec)", text, seconds) if seconds is not None else log.info("%s", text)
        np.set_printoptions(**before)


def _element(tensor: Any) -> Any:
    return default_graph().as_graph_element(tensor)


class StopAtStepHook(SessionRunHook):
    """Stops after ``num_steps`` steps of this session, or behind the step ``last_step``."""

    def __init__(self, num_steps: int | None = None, last_step: int | None = None) -> None:
        if num_steps is None and last_step is None:
            raise ValueError("One of num_steps or last_step must be specified.")
        if num_steps is not None and last_step is not None:
            raise ValueError("Only one of num_steps or last_step can be specified.")
        self._num_steps = num_steps
        self._last_step = last_step

    def begin(self) -> None:
        self._global_step_tensor = _step_of_graph("StopAtStepHook")

    def after_create_session(self, session: Any, coord: Any) -> None:
        if self._last_step is None:
            self._last_step = session.run(self._global_step_tensor) + self._num_steps

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._global_step_tensor)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        assert self._last_step is not None
        # the value may be of before the step: ask again before stopping
        is_near = run_values.results + 1 >= self._last_step
        if is_near and run_context.session.run(self._global_step_tensor) >= self._last_step:
            run_context.request_stop()


def _step_of_graph(hook: str) -> Any:
    step = _get_or_create_global_step_read()
    if step is None:
        raise RuntimeError(f"Global step should be created to use {hook}.")
    return step


class NanLossDuringTrainingError(RuntimeError):
    """The loss is not a number."""

    def __init__(self) -> None:
        super().__init__("NaN loss during training.")


class NanTensorHook(SessionRunHook):
    """Ends the training where the loss is NaN: by an error, or without one."""

    def __init__(self, loss_tensor: Any, fail_on_nan_loss: bool = True) -> None:
        self._loss_tensor = loss_tensor
        self._fail_on_nan_loss = fail_on_nan_loss

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._loss_tensor)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if np.isnan(run_values.results):
            words = "Model diverged with loss = NaN."
            if self._fail_on_nan_loss:
                log.error(words)
                raise errors.taught(
                    NanLossDuringTrainingError(),
                    fix="retrograd explain PROGRAM.py  # says with which op it began, and why",
                )
            log.warning(words)
            run_context.request_stop()


class GlobalStepWaiterHook(SessionRunHook):
    """Holds back the first run until others have brought the global step so far."""

    def __init__(self, wait_until_step: int) -> None:
        self._wait_until_step = wait_until_step
        self._is_waiting = wait_until_step > 0

    def begin(self) -> None:
        self._global_step_tensor = _step_of_graph("_GlobalStepWaiterHook")

    def before_run(self, run_context: SessionRunContext) -> None:
        if not self._is_waiting:
            return
        last_logged = 0
        log.info("Waiting for global step %d before starting training.", self._wait_until_step)
        while True:
            step = run_context.session.run(self._global_step_tensor)
            if step >= self._wait_until_step:
                self._is_waiting = False
                return
            if step - last_logged > 1000:
                log.info("Waiting for global step %d before starting training. Current step is %d.",
                         self._wait_until_step, step)  # fmt: skip
                last_logged = step
            time.sleep(0.5)


class FinalOpsHook(SessionRunHook):
    """Runs ``final_ops`` when all is done; their values are ``final_ops_values``."""

    def __init__(self, final_ops: Any, final_ops_feed_dict: Any = None) -> None:
        self._final_ops = final_ops
        self._feed_dict = final_ops_feed_dict
        self._values: Any = None

    @property
    def final_ops_values(self) -> Any:
        """The values, once they are there."""
        return self._values

    def end(self, session: Any) -> None:
        if self._final_ops is None:
            return
        try:
            self._values = session.run(self._final_ops, feed_dict=self._feed_dict)
        except (errors.OutOfRangeError, StopIteration) as error:
            log.warning("An OutOfRangeError or StopIteration exception is raised by the code in FinalOpsHook. "
                        "This typically means the Ops running by the FinalOpsHook have a dependency back to some "
                        "input source, which should not happen.")  # fmt: skip
            raise error


class FeedFnHook(SessionRunHook):
    """Feeds each run what ``feed_fn()`` gives."""

    def __init__(self, feed_fn: Callable[[], Any]) -> None:
        self.feed_fn = feed_fn

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(fetches=None, feed_dict=self.feed_fn())
