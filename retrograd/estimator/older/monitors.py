"""Monitors of ``tf.contrib.learn``: hooks of sessions that know the estimator.

Source: TensorFlow 1.15.5, ``contrib/learn/python/learn/monitors.py``: arguments, log lines.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterable
from typing import Any

from retrograd.estimator.older.step_monitors import replace_monitors_with_hooks
from retrograd.graph import log
from retrograd.io.checkpoint_files import latest_checkpoint
from retrograd.sessions.hooks import SecondOrStepTimer, SessionRunArgs, SessionRunHook
from retrograd.train.training_util import _get_or_create_global_step_read


def _hooks_of(monitors: Any, estimator: Any) -> list[SessionRunHook]:
    listed = list(monitors) if isinstance(monitors, Iterable) else [monitors] if monitors else []
    for monitor in listed:
        if isinstance(monitor, ValidationMonitor):
            monitor.set_estimator(estimator)
        elif not isinstance(monitor, SessionRunHook) and not hasattr(monitor, "set_estimator"):
            raise TypeError(f"Monitors must be hooks of sessions, given: {monitor}")
    return replace_monitors_with_hooks(listed, estimator)


class ValidationMonitor(SessionRunHook):
    """Evaluates a new checkpoint every so many steps, and may stop when a metric no longer becomes better.

    Args:
      every_n_steps: how often to look for a new checkpoint: save at least as often.
      early_stopping_rounds: stop when the metric has not become better for so many steps.
      check_interval_secs: how many seconds lie at least between two looks for a new checkpoint.
      early_stopping_metric, early_stopping_metric_minimize: which one, and whether less is better.
    """

    def __init__(
        self,
        x: Any = None,
        y: Any = None,
        input_fn: Any = None,
        batch_size: int | None = None,
        eval_steps: int | None = None,
        every_n_steps: int = 100,
        metrics: Any = None,
        hooks: Any = None,
        early_stopping_rounds: int | None = None,
        early_stopping_metric: str = "loss",
        early_stopping_metric_minimize: bool = True,
        name: str | None = None,
        check_interval_secs: float = 5,
    ) -> None:
        if x is None and input_fn is None:
            raise ValueError("Either x or input_fn should be provided.")
        self._asked = {
            "x": x, "y": y, "input_fn": input_fn, "batch_size": batch_size, "steps": eval_steps, "metrics": metrics,
            "hooks": hooks, "name": name,
        }  # fmt: skip
        self._timer = SecondOrStepTimer(every_steps=every_n_steps)
        self._check_interval_secs = check_interval_secs
        self._checked_at = -math.inf
        self._rounds, self._metric, self._minimize = (
            early_stopping_rounds, early_stopping_metric, early_stopping_metric_minimize,
        )  # fmt: skip
        self.early_stopped = False
        self.best_step: int | None = None
        self.best_value: float | None = None
        self.best_metrics: Any = None
        self._seen: str | None = None

    def set_estimator(self, estimator: Any) -> None:
        """Whose checkpoints to evaluate."""
        self._estimator = estimator

    def begin(self) -> None:
        self._global_step_tensor = _get_or_create_global_step_read()

    def after_create_session(self, session: Any, coord: Any) -> None:
        self._timer.update_last_triggered_step(int(session.run(self._global_step_tensor)))

    def before_run(self, run_context: Any) -> SessionRunArgs:
        return SessionRunArgs(self._global_step_tensor)

    def after_run(self, run_context: Any, run_values: Any) -> None:
        step = int(run_values.results) + 1
        if not self._timer.should_trigger_for_step(step):
            return
        self._timer.update_last_triggered_step(step)
        if time.monotonic() - self._checked_at <= self._check_interval_secs:
            return
        self._checked_at = time.monotonic()
        latest = latest_checkpoint(self._estimator.model_dir)
        if latest is None:
            log.debug("Skipping evaluation since model has not been saved yet at step %d.", step)
            return
        if latest == self._seen:
            log.debug("Skipping evaluation due to same checkpoint %s for step %d as for step.", latest, step)
            return
        self._seen = latest
        metrics = self._estimator.evaluate(checkpoint_path=latest, **self._asked)
        words = ", ".join(f"{name} = {value!s}" for name, value in sorted(metrics.items()))
        log.info("Validation (step %d): %s", step, words)
        if self._rounds is not None and self._is_over(step, metrics):
            log.info("Stopping. Best step: %d with %s = %s.", self.best_step, self._metric, self.best_value)
            self.early_stopped = True
            run_context.request_stop()

    def _is_over(self, step: int, metrics: dict[str, Any]) -> bool:
        """Whether the metric has not become better for too long."""
        if self._metric not in metrics:
            raise ValueError(f"Metric {self._metric} missing from outputs {set(metrics)}.")
        value = metrics[self._metric]
        best = self.best_value
        if best is None or (value < best if self._minimize else value > best):
            self.best_value, self.best_step, self.best_metrics = value, step, metrics
        return step - (self.best_step or 0) >= (self._rounds or 0)
