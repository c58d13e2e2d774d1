"""``tf.contrib.learn.Experiment``: a training, its evaluations and exports.

Source: TensorFlow 1.15.5, ``contrib/learn/python/learn``: ``experiment.py``.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Any

from retrograd.estimator.estimator import Estimator as NewEstimator
from retrograd.estimator.older.bases import Evaluable, Trainable
from retrograd.estimator.older.exporting import ExportStrategy
from retrograd.estimator.specs import fn_args
from retrograd.graph import log
from retrograd.graph.collections import GraphKeys
from retrograd.io.checkpoint_files import latest_checkpoint


class Experiment:
    """A training and its evaluations: an estimator, older or newer, with the inputs of both."""

    def __init__(
        self,
        estimator: Any,
        train_input_fn: Any,
        eval_input_fn: Any,
        eval_metrics: Any = None,
        train_steps: int | None = None,
        eval_steps: int | None = 100,
        train_monitors: Any = None,
        eval_hooks: Any = None,
        local_eval_frequency: int | None = None,
        eval_delay_secs: float = 120,
        continuous_eval_throttle_secs: float = 60,
        min_eval_frequency: int | None = None,
        delay_workers_by_global_step: bool = False,
        export_strategies: Any = None,
        train_steps_per_iteration: int | None = None,
        checkpoint_and_export: bool = False,
        saving_listeners: Any = None,
        check_interval_secs: float = 5,
    ) -> None:
        if not isinstance(estimator, NewEstimator):
            if not isinstance(estimator, Evaluable):
                raise ValueError("`estimator` must implement `tf.contrib.learn.Evaluable` or `tf.estimator.Estimator`.")
            if not isinstance(estimator, Trainable):
                raise ValueError("`estimator` must implement `tf.contrib.learn.Trainable`or `tf.estimator.`Estimator`.")
            if saving_listeners is not None:
                raise ValueError("`saving_listeners` must be `None` with `tf.contrib.learn.Estimator`.")
        if isinstance(estimator, NewEstimator) and eval_metrics is not None:
            raise ValueError("`eval_metrics` must be `None` with `tf.estimator.Estimator`")
        if train_steps_per_iteration is not None and not isinstance(train_steps_per_iteration, int):
            raise ValueError("`train_steps_per_iteration` must be an integer.")
        self.estimator = estimator
        self._train_input_fn, self._eval_input_fn = train_input_fn, eval_input_fn
        self._eval_metrics = eval_metrics
        self._train_steps, self._eval_steps = train_steps, eval_steps
        self._monitors, self._eval_hooks = list(train_monitors or []), list(eval_hooks or [])
        self._listeners = saving_listeners
        self._eval_delay, self._throttle = eval_delay_secs, continuous_eval_throttle_secs
        self._steps_per_iteration = train_steps_per_iteration
        self._strategies = _strategies(export_strategies)
        self._frequency = local_eval_frequency if min_eval_frequency is None else min_eval_frequency

    def train(self, delay_secs: float | None = None) -> Any:
        """Train until the global step ``train_steps``, after ``delay_secs``: by default 5 for each task before."""
        task = getattr(getattr(self.estimator, "config", None), "task_id", 0) or 0
        time.sleep(min(60, 5 * task) if delay_secs is None else delay_secs)
        return self._train(self._train_steps)

    def _train(self, max_steps: int | None, steps: int | None = None) -> Any:
        said = {"input_fn": self._train_input_fn, "max_steps": max_steps, "steps": steps}
        if isinstance(self.estimator, NewEstimator):
            return self.estimator.train(**said, hooks=self._monitors, saving_listeners=self._listeners)
        return self.estimator.fit(**said, monitors=self._monitors)

    def evaluate(self, delay_secs: float | None = None, name: str | None = None) -> dict[str, Any]:
        """Evaluate the latest checkpoint, after ``delay_secs`` if they are given."""
        time.sleep(delay_secs or 0)
        return self._evaluate(name)

    def _evaluate(
        self, name: str | None = None, checkpoint_path: str | None = None, input_fn: Any = None
    ) -> dict[str, Any]:
        said = {
            "input_fn": input_fn or self._eval_input_fn,
            "steps": self._eval_steps,
            "hooks": self._eval_hooks,
            "checkpoint_path": checkpoint_path,
            "name": name,
        }
        if not isinstance(self.estimator, NewEstimator):
            said["metrics"] = self._eval_metrics
        return self.estimator.evaluate(**said)  # type: ignore[no-any-return]

    def extend_train_hooks(self, additional_hooks: Any) -> None:
        """Add hooks to those of the training."""
        self._monitors.extend(additional_hooks)

    def reset_export_strategies(self, new_export_strategies: Any = None) -> tuple[ExportStrategy, ...]:
        """Export by these from now on; the result is the strategies before.

        Raises:
          ValueError: one is none.
        """
        before, self._strategies = self._strategies, _strategies(new_export_strategies)
        return before

    def _export(self, eval_result: Any, checkpoint_path: str | None = None) -> list[Any]:
        """What the strategies make, each in its folder below ``export`` in the model's."""
        folder = os.path.join(os.fsencode(self.estimator.model_dir), b"export")
        return [
            strategy.export(self.estimator, os.path.join(folder, strategy.name.encode()), checkpoint_path, eval_result)
            for strategy in self._strategies
        ]

    def train_and_evaluate(self) -> tuple[dict[str, Any], list[Any]]:
        """Train, evaluate ``min_eval_frequency`` steps apart and at the end; the last results, and the exports."""
        if self._frequency and self._train_steps:
            for step in range(self._frequency, self._train_steps, self._frequency):
                self._train(step)
                self.evaluate()
        self.train()
        result = self.evaluate()
        return result, self._export(result)

    local_run = train_and_evaluate

    def _is_over(self, result: Any) -> bool:
        """Whether a result is of the last step."""
        if not result or self._train_steps is None:
            return False
        return bool(result.get(GraphKeys.GLOBAL_STEP, 0) >= self._train_steps)

    def continuous_eval(
        self, delay_secs: float | None = None, throttle_delay_secs: float | None = None,
        evaluate_checkpoint_only_once: bool = True, continuous_eval_predicate_fn: Any = None, name: str = "continuous",
    ) -> None:  # fmt: skip
        """Evaluate and export each new checkpoint until the global step is ``train_steps``, or the predicate says no.

        Args:
          delay_secs: how long to wait before.
          throttle_delay_secs: how long, at least, from the begin of one evaluation to the next.
          continuous_eval_predicate_fn: whether to go on, by the last result and its checkpoint.
        """
        self._watch(
            self._eval_input_fn, name, delay_secs, throttle_delay_secs, evaluate_checkpoint_only_once,
            continuous_eval_predicate_fn, export=True,
        )  # fmt: skip

    def continuous_eval_on_train_data(
        self, delay_secs: float | None = None, throttle_delay_secs: float | None = None,
        continuous_eval_predicate_fn: Any = None, name: str = "continuous_on_train_data",
    ) -> None:  # fmt: skip
        """``continuous_eval`` on what the training reads, without exports."""
        self._watch(
            self._train_input_fn, name, delay_secs, throttle_delay_secs, True, continuous_eval_predicate_fn,
            export=False,
        )  # fmt: skip

    def _watch(
        self, input_fn: Any, name: str, delay: float | None, throttle: float | None, once: bool, predicate: Any,
        export: bool,
    ) -> None:  # fmt: skip
        goes_on = _goes_on(predicate)
        time.sleep(self._eval_delay if delay is None else delay)
        throttle = self._throttle if throttle is None else throttle
        before: str | None = None
        result: Any = None
        while goes_on(result, before) and not self._is_over(result):
            start = time.time()
            path = latest_checkpoint(self.estimator.model_dir)
            if not path or (once and path == before):
                result = {}
            else:
                result = self._evaluate(name, path, input_fn) or {}
                if export:
                    self._export(result, path)
                before = path
            time.sleep(max(0.0, throttle - (time.time() - start)))

    def continuous_train_and_eval(self, continuous_eval_predicate_fn: Any = None) -> tuple[Any, Any]:
        """Train ``train_steps_per_iteration`` steps, evaluate and export, in turns, as long as the predicate says.

        The turns are 1,000 steps, or a tenth of ``train_steps``, if nobody says; the last result and its exports.
        """
        goes_on = _goes_on(continuous_eval_predicate_fn)
        steps = self._steps_per_iteration or (int(self._train_steps / 10) if self._train_steps else 1000)
        result, exports, path = None, None, None
        while goes_on(result, path) and not self._is_over(result):
            log.info("Training model for %s steps", steps)
            self._train(None, steps)
            log.info("Evaluating model now.")
            path = latest_checkpoint(self.estimator.model_dir)
            result = self._evaluate("one_pass", path)
            exports = self._export(result)
        return result, exports

    def test(self) -> dict[str, Any]:
        """One step of training, one of evaluation and the exports, to see that all is there."""
        self._train(None, 1)
        steps, self._eval_steps = self._eval_steps, 1
        try:
            result = self._evaluate("one_pass")
        finally:
            self._eval_steps = steps
        self._export(result)
        return result


def _strategies(given: Any) -> tuple[ExportStrategy, ...]:
    """A strategy, several, or None, as a tuple."""
    several = (given,) if isinstance(given, ExportStrategy) else tuple(given or ())
    for one in several:
        if not isinstance(one, ExportStrategy):
            raise ValueError(
                f"`export_strategies` must be an ExportStrategy, an iterable of ExportStrategy, or `None`, found {one}."
            )
    return several


def _goes_on(predicate: Any) -> Callable[[Any, str | None], bool]:
    """A predicate of the last result, and perhaps of its ``checkpoint_path``, as one of both; None is always true."""
    if predicate is None:
        return lambda result, path: True
    if not callable(predicate):
        raise ValueError("`continuous_eval_predicate_fn` must be a callable, or None.")
    if "checkpoint_path" in fn_args(predicate):
        return lambda result, path: bool(predicate(result, checkpoint_path=path if result else None))
    return lambda result, path: bool(predicate(result))
