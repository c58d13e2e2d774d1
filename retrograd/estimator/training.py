"""``train_and_evaluate``: a model is trained, and evaluated and exported at its checkpoints.

Source: ``tensorflow_estimator`` 1.15.1, ``training.py``.
"""

from __future__ import annotations

import json
import os
import time
from typing import Any, NamedTuple

from retrograd.estimator.config import TaskType
from retrograd.estimator.estimator import Estimator
from retrograd.estimator.exporters import Exporter
from retrograd.graph import log
from retrograd.graph.collections import GraphKeys
from retrograd.run.clusters import Server
from retrograd.sessions.hooks import SecondOrStepTimer, SessionRunHook
from retrograd.sessions.saving_hooks import CheckpointSaverListener

_MAX_DELAY_SECS = 60
_DELAY_SECS_PER_WORKER = 5
_TRAINERS = (TaskType.CHIEF, TaskType.MASTER, TaskType.WORKER)


class _Train(NamedTuple):
    input_fn: Any
    max_steps: int | None
    hooks: tuple[SessionRunHook, ...]


class TrainSpec(_Train):
    """How to train: the input, the global step to stop at (None: when the input ends), further hooks."""

    __slots__ = ()

    def __new__(cls, input_fn: Any, max_steps: int | None = None, hooks: Any = None) -> TrainSpec:
        _check_input_fn(input_fn)
        if max_steps is not None and max_steps <= 0:
            raise ValueError(f"Must specify max_steps > 0, given: {max_steps}")
        return super().__new__(cls, input_fn, max_steps, _checked_hooks(hooks))


class _Eval(NamedTuple):
    input_fn: Any
    steps: int | None
    name: str | None
    hooks: tuple[SessionRunHook, ...]
    exporters: tuple[Exporter, ...]
    start_delay_secs: float
    throttle_secs: float


class EvalSpec(_Eval):
    """How to evaluate.

    Args:
      input_fn: gives features and labels.
      steps: how many batches; None for all of the input.
      name: of the evaluation, which then has a folder of its own.
      hooks: further hooks.
      exporters: an ``Exporter``, or several of different names.
      start_delay_secs, throttle_secs: how long an evaluator waits before the first and between evaluations.
    """

    __slots__ = ()

    def __new__(
        cls,
        input_fn: Any,
        steps: int | None = 100,
        name: str | None = None,
        hooks: Any = None,
        exporters: Any = None,
        start_delay_secs: float = 120,
        throttle_secs: float = 600,
    ) -> EvalSpec:
        _check_input_fn(input_fn)
        if steps is not None and steps <= 0:
            raise ValueError(f"Must specify steps > 0, given: {steps}")
        if name is not None and not isinstance(name, str):
            raise TypeError(f"`name` must be string, given: {name}")
        hooks, exporters = _checked_hooks(hooks), _checked_exporters(exporters)
        for said, seconds in (("start_delay_secs", start_delay_secs), ("throttle_secs", throttle_secs)):
            if seconds < 0:
                raise ValueError(f"Must specify {said} >= 0, given: {seconds}")
        return super().__new__(cls, input_fn, steps, name, hooks, exporters, start_delay_secs, throttle_secs)


def _check_input_fn(input_fn: Any) -> None:
    if not callable(input_fn):
        raise TypeError(f"`input_fn` must be callable, given: {input_fn}")


def _checked_hooks(hooks: Any) -> tuple[SessionRunHook, ...]:
    hooks = tuple(hooks or [])
    for hook in hooks:
        if not isinstance(hook, SessionRunHook):
            raise TypeError(f"All hooks must be `SessionRunHook` instances, given: {hook}")
    return hooks


def _checked_exporters(exporters: Any) -> tuple[Exporter, ...]:
    if not exporters:
        return ()
    try:
        listed = (exporters,) if isinstance(exporters, Exporter) else tuple(exporters)
    except TypeError:
        listed = (None,)
    if not all(isinstance(e, Exporter) for e in listed):
        raise TypeError(f"`exporters` must be an Exporter, an iterable of Exporter, or `None`, found {exporters}.")
    names = [e.name for e in listed]
    for name in names:
        if not name:
            raise ValueError(f"An Exporter cannot have a name that is `None` or empty. All exporter names: {names}")
        if not isinstance(name, str):
            raise ValueError(f"An Exporter must have a string name. Given: {type(name)}")
    if len(set(names)) < len(names):
        raise ValueError(
            f"`exporters` must have unique names. Such a name cannot be `None`. All exporter names: {names}"
        )
    return listed


def _check_eval_spec(eval_spec: Any) -> None:
    if not isinstance(eval_spec, EvalSpec):
        raise TypeError(f"`eval_spec` must have type `tf.estimator.EvalSpec`. Got: {type(eval_spec)}")


def train_and_evaluate(estimator: Any, train_spec: Any, eval_spec: Any) -> Any:
    """Train, and evaluate and export at each checkpoint; the results of the last evaluation and of its exporters.

    In a cluster (``TF_CONFIG``) this does what its task does: it trains, serves variables, or evaluates; the result
    is then None.

    Raises:
      TypeError: an argument is of a wrong type.
      ValueError: the task is none that it knows.
    """
    _check_eval_spec(eval_spec)
    executor = _TrainingExecutor(estimator=estimator, train_spec=train_spec, eval_spec=eval_spec)
    log.info("Not using Distribute Coordinator.")
    config = estimator.config
    if config.task_type == TaskType.EVALUATOR and config.task_id > 0:
        raise ValueError(
            "For distributed training, there can only be one `evaluator` task (with task id 0).  "
            f"Given task id {config.task_id}"
        )
    return executor.run()


# -- evaluation at checkpoints -------------------------------------------------------------------


class _EvalResult(NamedTuple):
    """What became of an evaluation; ``metrics`` is None if there was none."""

    status: str
    metrics: dict[str, Any] | None = None
    checkpoint_path: str | None = None


_EVALUATED, _NO_CHECKPOINT, _NO_NEW_CHECKPOINT = "evaluated", "missing checkpoint", "no new checkpoint"


class _ContinuousEvalListener:
    """Is asked around each evaluation whether to go on."""

    def before_eval(self) -> bool:
        return True

    def after_eval(self, eval_result: _EvalResult) -> bool:
        return True


class _Evaluator:
    """Evaluates and exports the latest checkpoint, each once."""

    def __init__(self, estimator: Estimator, eval_spec: EvalSpec, max_training_steps: int | None) -> None:
        self._estimator = estimator
        self._eval_spec = eval_spec
        self._max_training_steps = max_training_steps
        self._previous: str | None = None
        self._last_warning = 0.0

    def evaluate_and_export(self) -> tuple[_EvalResult, list[Any]]:
        latest = self._estimator.latest_checkpoint()
        if not latest:
            self._warn("Estimator is not trained yet. Will start an evaluation when a checkpoint is ready.")
            return _EvalResult(_NO_CHECKPOINT), []
        if latest == self._previous:
            self._warn("No new checkpoint ready for evaluation. Skip the current evaluation pass as evaluation results "
                       "are expected to be same for the same checkpoint.")  # fmt: skip
            return _EvalResult(_NO_NEW_CHECKPOINT), []
        spec = self._eval_spec
        metrics = self._estimator.evaluate(
            input_fn=spec.input_fn, steps=spec.steps, name=spec.name, checkpoint_path=latest, hooks=spec.hooks
        )
        is_final = bool(self._max_training_steps) and metrics[GraphKeys.GLOBAL_STEP] >= self._max_training_steps
        exported = [
            exporter.export(
                estimator=self._estimator,
                export_path=os.path.join(self._estimator.model_dir, "export", exporter.name),
                checkpoint_path=latest,
                eval_result=metrics,
                is_the_final_export=is_final,
            )
            for exporter in spec.exporters
        ]
        if is_final:
            log.debug("Calling exporter with the `is_the_final_export=True`.")
        self._last_warning, self._previous = 0.0, latest
        return _EvalResult(_EVALUATED, metrics, latest), exported

    def _warn(self, message: str) -> None:
        """Warn, but not more often than every ten minutes."""
        if time.time() - self._last_warning > 600:
            log.warning(message)
            self._last_warning = time.time()


class _NewCheckpointListenerForEvaluate(CheckpointSaverListener):
    """Evaluates each checkpoint after it was saved, unless the last evaluation was just now."""

    def __init__(
        self, evaluator: _Evaluator, eval_throttle_secs: float, continuous_eval_listener: _ContinuousEvalListener
    ) -> None:
        self._evaluator = evaluator
        self._eval_throttle_secs = eval_throttle_secs
        self._listener = continuous_eval_listener
        self.eval_result: _EvalResult | None = None
        self.export_results: list[Any] | None = None

    def begin(self) -> None:
        self._timer = SecondOrStepTimer(every_secs=self._eval_throttle_secs)
        self._is_first_run = True

    def after_save(self, session: Any, global_step_value: int) -> bool | None:
        if self._is_first_run:  # the checkpoint of before the first step
            self._is_first_run = False
            return None
        if not self._listener.before_eval():
            log.info("Exiting training and evaluation loop, as requested by _ContinuousEvalListener.before_eval.")
            return True
        if not self._timer.should_trigger_for_step(global_step_value):
            log.info("Skip the current checkpoint eval due to throttle secs (%s secs).", self._eval_throttle_secs)
            return None
        if not self._listener.after_eval(self._evaluate(global_step_value)):
            log.info("Exiting evaluation, as requested by _ContinuousEvalListener.after_eval.")
            return True
        return None

    def end(self, session: Any, global_step_value: int) -> None:
        if global_step_value != self._timer.last_triggered_step() and self._listener.before_eval():
            self._listener.after_eval(self._evaluate(global_step_value))

    def _evaluate(self, global_step_value: int) -> _EvalResult:
        self._timer.update_last_triggered_step(global_step_value)
        self.eval_result, self.export_results = self._evaluator.evaluate_and_export()
        if self.eval_result.status != _EVALUATED:
            raise RuntimeError(
                f"There was no new checkpoint after the training. Eval status: {self.eval_result.status}"
            )
        return self.eval_result


# -- what a task does --------------------------------------------------------------------------


class _TrainingExecutor:
    """Runs a training and its evaluations, or the part of them that is this task's."""

    def __init__(
        self,
        estimator: Any,
        train_spec: Any,
        eval_spec: Any,
        train_hooks: Any = None,
        continuous_eval_listener: Any = None,
    ) -> None:
        if not isinstance(estimator, Estimator):
            raise TypeError(f"`estimator` must have type `tf.estimator.Estimator`. Got: {type(estimator)}")
        if not isinstance(train_spec, TrainSpec):
            raise TypeError(f"`train_spec` must have type `tf.estimator.TrainSpec`. Got: {type(train_spec)}")
        if eval_spec and not isinstance(eval_spec, EvalSpec):
            raise TypeError(
                f"`eval_spec` must be either `None` or have type `tf.estimator.EvalSpec`. Got: {type(eval_spec)}"
            )
        if continuous_eval_listener and not isinstance(continuous_eval_listener, _ContinuousEvalListener):
            raise TypeError("`continuous_eval_listener` must have type `_ContinuousEvalListener`.")
        self._estimator = estimator
        self._train_spec = train_spec
        self._eval_spec = eval_spec
        self._train_hooks = _checked_hooks(train_hooks)
        self._listener = continuous_eval_listener or _ContinuousEvalListener()

    @property
    def estimator(self) -> Estimator:
        """The estimator."""
        return self._estimator

    def run(self) -> Any:
        """Do what this task does."""
        config = self._estimator.config
        if not config.cluster_spec and config.task_type != TaskType.EVALUATOR:
            log.info("Running training and evaluation locally (non-distributed).")
            return self.run_local()
        tasks = {
            TaskType.CHIEF: self.run_chief,
            TaskType.EVALUATOR: self.run_evaluator,
            TaskType.MASTER: self.run_master,
            TaskType.PS: self.run_ps,
            TaskType.WORKER: self.run_worker,
        }
        if config.task_type not in tasks:
            raise ValueError(f"Task type {config.task_type} is not supported. Supported task types are {list(tasks)}")
        tasks[config.task_type]()
        return None

    def run_chief(self) -> None:
        """Train, and write the files."""
        self._start_distributed_training()

    def run_worker(self) -> None:
        """Train."""
        self._start_distributed_training()

    def run_master(self) -> None:
        """Train, and evaluate at each checkpoint."""
        _check_eval_spec(self._eval_spec)
        self._start_distributed_training([self._evaluating_listener(_ContinuousEvalListener())])

    def run_evaluator(self) -> None:
        """Evaluate each new checkpoint, until the training is over."""
        _check_eval_spec(self._eval_spec)
        delay = self._eval_spec.start_delay_secs
        if delay:
            log.info("Waiting %f secs before starting eval.", delay)
            time.sleep(delay)
        evaluator = self._evaluator()
        last = self._train_spec.max_steps
        while True:
            result = self._evaluate_once(evaluator, self._eval_spec.throttle_secs)
            if result is None:
                return
            step = (result.metrics or {}).get(GraphKeys.GLOBAL_STEP)
            if step and last and step >= last:
                log.info("Exiting evaluation, global_step=%s >= train max_steps=%s", step, last)
                return

    def run_ps(self) -> None:
        """Serve variables."""
        server = self._start_std_server(self._estimator.config)
        assert server is not None
        server.join()

    def run_local(self) -> tuple[dict[str, Any] | None, list[Any] | None]:
        """Train, and evaluate at each checkpoint, in this process."""
        _check_eval_spec(self._eval_spec)
        config: Any = self._estimator.config
        log.info("Start train and evaluate loop. The evaluate will happen after every checkpoint. Checkpoint frequency "
                 "is determined based on RunConfig arguments: save_checkpoints_steps %s or save_checkpoints_secs %s.",
                 config.save_checkpoints_steps, config.save_checkpoints_secs)  # fmt: skip
        listener = self._evaluating_listener(self._listener)
        self._train([listener])
        result = listener.eval_result or _EvalResult(_NO_CHECKPOINT)
        return result.metrics, listener.export_results

    def _evaluator(self) -> _Evaluator:
        return _Evaluator(self._estimator, self._eval_spec, self._train_spec.max_steps)

    def _evaluating_listener(self, asked: _ContinuousEvalListener) -> _NewCheckpointListenerForEvaluate:
        return _NewCheckpointListenerForEvaluate(self._evaluator(), self._eval_spec.throttle_secs, asked)

    def _train(self, listeners: list[Any] | None) -> None:
        self._estimator.train(
            input_fn=self._train_spec.input_fn,
            max_steps=self._train_spec.max_steps,
            hooks=[*self._train_spec.hooks, *self._train_hooks],
            saving_listeners=listeners,
        )

    def _start_distributed_training(self, saving_listeners: list[Any] | None = None) -> None:
        config: Any = self._estimator.config
        environment = json.loads(os.environ.get("TF_CONFIG") or "{}")
        if not environment:
            log.warning("TF_CONFIG should not be empty in distributed environment.")
        if environment.get("environment") != "google":
            self._start_std_server(config)
        if config.task_type == TaskType.WORKER:
            longest = config.experimental_max_worker_delay_secs
            longest = _MAX_DELAY_SECS if longest is None else int(longest)
            delay = min(longest, (config.task_id + 1) * _DELAY_SECS_PER_WORKER)
            if delay > 0:
                log.info("Waiting %d secs before starting training.", delay)
                time.sleep(delay)
        self._train(saving_listeners)

    def _start_std_server(self, config: Any) -> Server | None:
        """The server of this task, none where it is alone."""
        if not config.cluster_spec or not config.task_type or config.task_id is None:
            raise RuntimeError(
                "Could not start server; be sure to specify cluster_spec, task_type, and task in RunConfig or set the "
                "TF_CONFIG environment variable."
            )
        if not config.master:
            jobs = config.cluster_spec.jobs
            if len(jobs) == 1 and config.cluster_spec.num_tasks(jobs[0]) == 1 and config.task_type in _TRAINERS:
                log.info("Skip starting Tensorflow server as there is only one node in the cluster.")
                return None
            raise RuntimeError(
                "Could not start server; be sure to specify master in RunConfig or set the TF_CONFIG environment "
                "variable."
            )
        log.info("Start Tensorflow server.")
        server = Server(
            config.cluster_spec, job_name=config.task_type, task_index=config.task_id, start=False,
            protocol=config.protocol,
        )  # fmt: skip
        server.start()
        return server

    def _evaluate_once(self, evaluator: _Evaluator, throttle_secs: float) -> _EvalResult | None:
        """One evaluation and the pause behind it; None if the listener asks to end."""
        start = time.time()
        if not self._listener.before_eval():
            log.info("Exiting evaluation, as requested by _ContinuousEvalListener.before_eval.")
            return None
        result, _ = evaluator.evaluate_and_export()
        if not self._listener.after_eval(result):
            log.info("Exiting evaluation, as requested by _ContinuousEvalListener.after_eval.")
            return None
        pause = throttle_secs - (time.time() - start)
        if pause > 0:
            log.info("Waiting %f secs before starting next eval run.", pause)
            time.sleep(pause)
        elif throttle_secs == 0 and result.status != _EVALUATED:
            log.warning("EvalSpec.throttle_secs is set as 0. This might overload the job before finding (next) new "
                        "checkpoint. Please consider to increase it.")  # fmt: skip
        return result
