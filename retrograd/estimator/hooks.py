"""Hooks of an estimator's training: evaluation in memory, and stopping by what evaluations gave.

Source: ``tensorflow_estimator`` 1.15.1, ``early_stopping.py`` and ``hooks/hooks.py``.
"""

from __future__ import annotations

import glob
import operator
import os
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

from retrograd.estimator.estimator import Estimator
from retrograd.estimator.exporters import scalars_of
from retrograd.estimator.preparing import check_hooks_type, saved_global_step
from retrograd.graph import dtypes, log
from retrograd.graph.collections import GraphKeys
from retrograd.graph.graph import Graph
from retrograd.graph.scopes import get_collection
from retrograd.io.event_files import summary_iterator
from retrograd.ops import constants, control, state
from retrograd.sessions.hooks import (
    SecondOrStepTimer,
    SessionRunArgs,
    SessionRunContext,
    SessionRunHook,
    SessionRunValues,
)
from retrograd.sessions.scaffold import Scaffold
from retrograd.state import initializers, scopes
from retrograd.state.variable_store import AUTO_REUSE
from retrograd.train.training_util import _get_or_create_global_step_read, get_global_step

# -- stopping ----------------------------------------------------------------------------------


def make_early_stopping_hook(
    estimator: Any, should_stop_fn: Callable[[], bool], run_every_secs: float | None = 60, run_every_steps: Any = None
) -> SessionRunHook:
    """A hook that ends the training, of every worker, when ``should_stop_fn()`` holds.

    Raises:
      TypeError: ``estimator`` is none.
      ValueError: both seconds and steps are given.
    """
    if not isinstance(estimator, Estimator):
        raise TypeError(f"`estimator` must have type `tf.estimator.Estimator`. Got: {type(estimator)}")
    if run_every_secs is not None and run_every_steps is not None:
        raise ValueError("Only one of `run_every_secs` and `run_every_steps` must be set.")
    if estimator.config.is_chief:
        return _StopOnPredicateHook(should_stop_fn, run_every_secs, run_every_steps)
    return _CheckForStoppingHook()


def _stop_variable() -> Any:
    with scopes.variable_scope(name_or_scope="signal_early_stopping", values=[], reuse=AUTO_REUSE):
        return scopes.get_variable(
            name="STOP",
            shape=[],
            dtype=dtypes.bool,
            initializer=initializers.constant_initializer(False),
            collections=[GraphKeys.GLOBAL_VARIABLES],
            trainable=False,
        )


class _StopOnPredicateHook(SessionRunHook):
    """Asks the predicate every so often; says so to the other workers by a variable."""

    def __init__(
        self, should_stop_fn: Callable[[], bool], run_every_secs: float | None = 60, run_every_steps: Any = None
    ) -> None:
        if not callable(should_stop_fn):
            raise TypeError("`should_stop_fn` must be callable.")
        self._should_stop_fn = should_stop_fn
        self._timer = SecondOrStepTimer(every_secs=run_every_secs, every_steps=run_every_steps)

    def begin(self) -> None:
        self._global_step_tensor = get_global_step()
        self._stop_op = state.assign(_stop_variable(), True)

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._global_step_tensor)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        step = run_values.results
        if not self._timer.should_trigger_for_step(step):
            return
        self._timer.update_last_triggered_step(step)
        if self._should_stop_fn():
            log.info("Requesting early stopping at global step %d", step)
            run_context.session.run(self._stop_op)
            run_context.request_stop()


class _CheckForStoppingHook(SessionRunHook):
    """Stops a worker when the chief has stopped."""

    def begin(self) -> None:
        self._stop_var = _stop_variable()

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._stop_var)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        if run_values.results:
            log.info("Early stopping requested, suspending run.")
            run_context.request_stop()


def read_eval_metrics(eval_dir: str) -> OrderedDict[int, dict[str, float]]:
    """The numbers in the event files of a folder, step by step."""
    found: dict[int, dict[str, float]] = defaultdict(dict)
    for path in sorted(glob.glob(os.path.join(eval_dir, "events.out.tfevents.*"))):
        for event in summary_iterator(path):
            numbers = scalars_of(event)
            if numbers:
                found[event.step].update(numbers)
    return OrderedDict(sorted(found.items()))


def _stop_at_threshold(
    estimator: Any, metric: str, threshold: float, is_higher: bool, folder: str | None, min_steps: int,
    run_every_secs: float | None, run_every_steps: int | None,
) -> SessionRunHook:  # fmt: skip
    folder = estimator.eval_dir() if folder is None else folder
    beyond, words = (operator.gt, "greater than") if is_higher else (operator.lt, "less than")

    def should_stop() -> bool:
        for step, metrics in read_eval_metrics(folder).items():
            if step >= min_steps and beyond(metrics[metric], threshold):
                log.info('At step %s, metric "%s" has value %s which is %s the configured threshold (%s) for early '
                         "stopping.", step, metric, metrics[metric], words, threshold)  # fmt: skip
                return True
        return False

    return make_early_stopping_hook(estimator, should_stop, run_every_secs, run_every_steps)


def stop_if_higher_hook(
    estimator: Any, metric_name: str, threshold: float, eval_dir: str | None = None, min_steps: int = 0,
    run_every_secs: float | None = 60, run_every_steps: int | None = None,
) -> SessionRunHook:  # fmt: skip
    """A hook that ends the training once an evaluation gave more than ``threshold``."""
    return _stop_at_threshold(
        estimator, metric_name, threshold, True, eval_dir, min_steps, run_every_secs, run_every_steps
    )


def stop_if_lower_hook(
    estimator: Any, metric_name: str, threshold: float, eval_dir: str | None = None, min_steps: int = 0,
    run_every_secs: float | None = 60, run_every_steps: int | None = None,
) -> SessionRunHook:  # fmt: skip
    """A hook that ends the training once an evaluation gave less than ``threshold``."""
    return _stop_at_threshold(
        estimator, metric_name, threshold, False, eval_dir, min_steps, run_every_secs, run_every_steps
    )


def _stop_without_progress(
    estimator: Any, metric: str, max_steps: int, is_higher: bool, folder: str | None, min_steps: int,
    run_every_secs: float | None, run_every_steps: int | None,
) -> SessionRunHook:  # fmt: skip
    folder = estimator.eval_dir() if folder is None else folder
    better, word = (operator.gt, "increase") if is_higher else (operator.lt, "decrease")

    def should_stop() -> bool:
        best: float | None = None
        best_step = 0
        for step, metrics in read_eval_metrics(folder).items():
            if step < min_steps:
                continue
            if best is None or better(metrics[metric], best):
                best, best_step = metrics[metric], step
            if step - best_step >= max_steps:
                log.info('No %s in metric "%s" for %s steps, which is greater than or equal to max steps (%s) '
                         "configured for early stopping.", word, metric, step - best_step, max_steps)  # fmt: skip
                return True
        return False

    return make_early_stopping_hook(estimator, should_stop, run_every_secs, run_every_steps)


def stop_if_no_increase_hook(
    estimator: Any, metric_name: str, max_steps_without_increase: int, eval_dir: str | None = None, min_steps: int = 0,
    run_every_secs: float | None = 60, run_every_steps: int | None = None,
) -> SessionRunHook:  # fmt: skip
    """A hook that ends the training once a metric has not increased for so many steps."""
    return _stop_without_progress(
        estimator, metric_name, max_steps_without_increase, True, eval_dir, min_steps, run_every_secs, run_every_steps
    )


def stop_if_no_decrease_hook(
    estimator: Any, metric_name: str, max_steps_without_decrease: int, eval_dir: str | None = None, min_steps: int = 0,
    run_every_secs: float | None = 60, run_every_steps: int | None = None,
) -> SessionRunHook:  # fmt: skip
    """A hook that ends the training once a metric has not decreased for so many steps."""
    return _stop_without_progress(
        estimator, metric_name, max_steps_without_decrease, False, eval_dir, min_steps, run_every_secs, run_every_steps
    )


class _StopAtCheckpointStepHook(SessionRunHook):
    """Ends the training once a checkpoint of ``last_step`` is saved, by whomever."""

    def __init__(self, model_dir: str, last_step: int, wait_after_file_check_secs: float = 30) -> None:
        if last_step is None:
            raise ValueError("last_step must be specified.")
        if model_dir is None:
            raise ValueError("model_dir must be specified.")
        self._model_dir = model_dir
        self._last_step = last_step
        self._wait_secs = wait_after_file_check_secs

    def begin(self) -> None:
        self._global_step_tensor = _get_or_create_global_step_read()
        if self._global_step_tensor is None:
            raise RuntimeError("Global step should be created to use StopAtCheckpointStepHook.")

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        return SessionRunArgs(self._global_step_tensor)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        import time

        if run_values.results + 1 < self._last_step:
            return
        if saved_global_step(self._model_dir) >= self._last_step:
            run_context.request_stop()
        else:
            time.sleep(self._wait_secs)


def make_stop_at_checkpoint_step_hook(
    estimator: Any, last_step: int, wait_after_file_check_secs: float = 30
) -> SessionRunHook:
    """A hook that ends the training at ``last_step``: for the chief at once, for a worker when it is saved."""
    if estimator.config.is_chief:
        from retrograd.sessions.hooks import StopAtStepHook

        return StopAtStepHook(last_step=last_step)
    return _StopAtCheckpointStepHook(estimator.model_dir, last_step, wait_after_file_check_secs)


# -- evaluation in memory ------------------------------------------------------------------------


class InMemoryEvaluatorHook(SessionRunHook):
    """Evaluates every so many steps with the values that the training has in memory, without a checkpoint.

    Raises:
      ValueError: ``every_n_iter`` is not positive, or there are several workers.
    """

    def __init__(
        self,
        estimator: Any,
        input_fn: Any,
        steps: int | None = None,
        hooks: Any = None,
        name: str | None = None,
        every_n_iter: int = 100,
    ) -> None:
        if every_n_iter is None or every_n_iter <= 0:
            raise ValueError(f"invalid every_n_iter={every_n_iter}.")
        if estimator.config.num_ps_replicas > 0 or estimator.config.num_worker_replicas > 1:
            raise ValueError("InMemoryEvaluator supports only single machine (aka Local) setting.")
        self._estimator = estimator
        self._input_fn = input_fn
        self._eval_dir = estimator.eval_dir(name)
        self._hooks = check_hooks_type(hooks) + estimator._convert_eval_steps_to_hooks(steps)
        self._timer = SecondOrStepTimer(every_steps=every_n_iter)

    def begin(self) -> None:
        self._timer.reset()
        self._iter_count = 0
        self._graph = Graph()
        with self._graph.as_default():
            self._scaffold, self._update_op, self._eval_dict, self._all_hooks = self._estimator._evaluate_build_graph(
                self._input_fn, self._hooks, checkpoint_path=None
            )
            if self._scaffold.saver is not None:
                raise ValueError("InMemoryEvaluator does not support custom saver")
            if self._scaffold.init_fn is not None:
                raise ValueError("InMemoryEvaluator does not support custom init_fn")
            self._eval_vars = {v.name: v for v in get_collection(GraphKeys.GLOBAL_VARIABLES)}
            self._fed = {name: constants.placeholder(v.dtype) for name, v in self._eval_vars.items()}

    def after_create_session(self, session: Any, coord: Any) -> None:
        if get_collection(GraphKeys.SAVEABLE_OBJECTS):
            raise ValueError("InMemoryEvaluator does not support saveables other than global variables.")
        self._train_vars = {v.name: v for v in get_collection(GraphKeys.GLOBAL_VARIABLES) if v.name in self._eval_vars}
        with self._graph.as_default():
            self._set_all = control.group(
                [state.assign(self._eval_vars[name], self._fed[name]) for name in self._train_vars]
            )
        self._evaluate(session)

    def _evaluate(self, train_session: Any) -> None:
        values = train_session.run(self._train_vars)
        fed = {self._fed[name]: value for name, value in values.items()}
        scaffold = Scaffold(
            init_fn=lambda _, session: session.run(self._set_all, feed_dict=fed), copy_from_scaffold=self._scaffold
        )
        with self._graph.as_default():
            self._estimator._evaluate_run(
                checkpoint_path=None,
                scaffold=scaffold,
                update_op=self._update_op,
                eval_dict=self._eval_dict,
                all_hooks=self._all_hooks,
                output_dir=self._eval_dir,
            )
        self._timer.update_last_triggered_step(self._iter_count)

    def after_run(self, run_context: SessionRunContext, run_values: SessionRunValues) -> None:
        self._iter_count += 1
        if self._timer.should_trigger_for_step(self._iter_count):
            self._evaluate(run_context.session)

    def end(self, session: Any) -> None:
        self._evaluate(session)
