"""``tf.contrib.learn``: estimators whose models give (predictions, loss, train op), experiments, monitors.

They are ``tf.estimator``'s underneath: a ``model_fn`` of the older kind becomes one of the newer.

Source: TensorFlow 1.15.5, ``contrib/learn/python/learn``: arguments, defaults, log lines, batches of arrays.
"""

from __future__ import annotations

import math
import time
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from retrograd.estimator import config as configs
from retrograd.estimator.estimator import Estimator as NewEstimator
from retrograd.estimator.older.bases import Evaluable, Parameters, Trainable
from retrograd.estimator.receivers import build_parsing_serving_input_receiver_fn
from retrograd.estimator.specs import LOSS_METRIC_KEY, EstimatorSpec, ModeKeys, called_with, fn_args
from retrograd.graph import errors, log
from retrograd.graph.collections import GraphKeys
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.io.checkpoint_files import latest_checkpoint
from retrograd.ops import constants, control
from retrograd.sessions.hooks import FeedFnHook, SecondOrStepTimer, SessionRunArgs, SessionRunHook, StopAtStepHook
from retrograd.train.training_util import _get_or_create_global_step_read

# -- configuration and models --------------------------------------------------------------------


class RunConfig(configs.RunConfig):
    """The older configuration: sessions by number of cores and share of the GPU's memory."""

    def __init__(
        self,
        master: str | None = None,
        num_cores: int = 0,
        log_device_placement: bool = False,
        gpu_memory_fraction: float = 1,
        tf_random_seed: int | None = None,
        save_summary_steps: int | None = 100,
        save_checkpoints_secs: Any = 600,
        save_checkpoints_steps: int | None = None,
        keep_checkpoint_max: int | None = 5,
        keep_checkpoint_every_n_hours: float = 10000,
        log_step_count_steps: int | None = 100,
        protocol: str | None = None,
        evaluation_master: str = "",
        model_dir: str | None = None,
        session_config: Any = None,
        session_creation_timeout_secs: int = 7200,
    ) -> None:
        from tensorboard.compat.proto.config_pb2 import ConfigProto, GPUOptions

        self._tf_config = ConfigProto(
            log_device_placement=log_device_placement,
            inter_op_parallelism_threads=num_cores,
            intra_op_parallelism_threads=num_cores,
            gpu_options=GPUOptions(per_process_gpu_memory_fraction=gpu_memory_fraction),
        )
        super().__init__(
            model_dir=model_dir,
            tf_random_seed=tf_random_seed,
            save_summary_steps=save_summary_steps,
            save_checkpoints_steps=save_checkpoints_steps,
            save_checkpoints_secs=None if save_checkpoints_steps else save_checkpoints_secs,
            session_config=session_config,
            keep_checkpoint_max=keep_checkpoint_max,
            keep_checkpoint_every_n_hours=keep_checkpoint_every_n_hours,
            log_step_count_steps=log_step_count_steps,
            protocol=protocol,
            session_creation_timeout_secs=session_creation_timeout_secs,
        )
        self._master = self._master if master is None else master
        self._evaluation_master = evaluation_master or self._evaluation_master

    @property
    def tf_config(self) -> Any:
        """The ``ConfigProto`` of the arguments."""
        return self._tf_config


class _Fields(NamedTuple):
    mode: Any
    predictions: Any
    loss: Any
    train_op: Any
    eval_metric_ops: Any
    output_alternatives: Any
    training_chief_hooks: Any
    training_hooks: Any
    scaffold: Any


class ModelFnOps(_Fields):
    """What an older ``model_fn`` may give in place of a tuple."""

    __slots__ = ()

    def __new__(
        cls,
        mode: Any,
        predictions: Any = None,
        loss: Any = None,
        train_op: Any = None,
        eval_metric_ops: Any = None,
        output_alternatives: Any = None,
        training_chief_hooks: Any = None,
        training_hooks: Any = None,
        scaffold: Any = None,
    ) -> ModelFnOps:
        return super().__new__(
            cls,
            mode,
            predictions,
            loss,
            train_op,
            eval_metric_ops or {},
            output_alternatives,
            training_chief_hooks or [],
            training_hooks or [],
            scaffold,
        )


class MetricSpec:
    """A metric of the older kind: a function of predictions and labels, and which of them it takes."""

    def __init__(
        self,
        metric_fn: Callable[..., Any],
        prediction_key: str | None = None,
        label_key: str | None = None,
        weight_key: str | None = None,
    ) -> None:
        self._metric_fn = metric_fn
        self._prediction_key, self._label_key, self._weight_key = prediction_key, label_key, weight_key

    def create_metric_ops(self, inputs: Any, labels: Any, predictions: Any) -> Any:
        """The value of the metric, and its update."""
        labels, predictions = _one_of(labels, self._label_key), _one_of(predictions, self._prediction_key)
        weights = {} if self._weight_key is None else {"weights": inputs[self._weight_key]}
        names = fn_args(self._metric_fn)
        if "predictions" in names and "labels" in names:
            return self._metric_fn(predictions=predictions, labels=labels, **weights)
        return self._metric_fn(predictions, labels, **weights)


def _one_of(values: Any, key: str | None) -> Any:
    """The value of that key; of a dictionary of one, that one."""
    if not isinstance(values, Mapping):
        return values
    if key is not None:
        return values[key]
    if len(values) != 1:
        raise ValueError(f"MetricSpec without a key, but there are several: {list(values)}")
    return next(iter(values.values()))


# -- arrays as input -----------------------------------------------------------------------------


class ArrayInput:
    """Batches of arrays: fed to placeholders, shuffled anew in each epoch by the same numbers as TensorFlow's."""

    def __init__(self, x: Any, y: Any, batch_size: int | None, shuffle: bool, epochs: int | None) -> None:
        self.x, self.y = _fed(x), None if y is None else _fed(y)
        self.count = len(_first(self.x))
        self.batch_size = batch_size or self.count
        self.shuffle, self.epochs = shuffle, epochs
        self.random = np.random.RandomState(42)

    def tensors(self) -> tuple[Any, Any]:
        """The placeholders."""
        self.places = _placeholders(self.x, "input")
        self.targets = None if self.y is None else _placeholders(self.y, "output")
        self.frames = self._frames()
        return self.places, self.targets

    def _order(self) -> Any:
        return self.random.permutation(self.count) if self.shuffle else np.arange(self.count)

    def _frames(self) -> Iterator[dict[Any, Any]]:
        epoch = 0
        while self.epochs is None or epoch < self.epochs:
            order = self._order()
            for begin in range(0, self.count, self.batch_size):
                rows = order[begin : begin + self.batch_size]
                frame = {place: array[rows] for place, array in _pairs(self.places, self.x)}
                if self.targets is not None:
                    frame.update((place, array[rows]) for place, array in _pairs(self.targets, self.y))
                yield frame
            epoch += 1

    def feed(self) -> dict[Any, Any]:
        """The next batch.

        Raises:
          OutOfRangeError: the epochs are over.
        """
        frame = next(self.frames, None)
        if frame is None:
            raise errors.OutOfRangeError(None, None, f"Already emitted {self.epochs} epochs.")
        return frame


def _fed(x: Any) -> Any:
    """Arrays of data frames, lists and dictionaries."""
    if isinstance(x, Mapping):
        return {key: _fed(value) for key, value in x.items()}
    array = np.asarray(x.values if hasattr(x, "iloc") else x)
    if array.dtype == np.float64:
        log.warning("float64 is not supported by many models, consider casting to float32.")
    return array


def _first(x: Any) -> Any:
    return next(iter(x.values())) if isinstance(x, dict) else x


def _placeholders(x: Any, name: str) -> Any:
    if isinstance(x, dict):
        return {key: _placeholders(value, key) for key, value in x.items()}
    return constants.placeholder(x.dtype, [None, *x.shape[1:]], name=name)


def _pairs(places: Any, arrays: Any) -> list[tuple[Any, Any]]:
    if isinstance(places, dict):
        return [(places[key], arrays[key]) for key in places]
    return [(places, arrays)]


def _input(
    x: Any, y: Any, input_fn: Any, batch_size: int | None, shuffle: bool, epochs: int | None
) -> tuple[Any, list[SessionRunHook]]:
    """An ``input_fn`` and the hooks that feed it."""
    if input_fn is None:
        if x is None:
            raise ValueError("Either x or input_fn must be provided.")
        arrays = ArrayInput(x, y, batch_size, shuffle, epochs)
        return arrays.tensors, [FeedFnHook(arrays.feed)]
    if x is not None or y is not None:
        raise ValueError("Can not provide both input_fn and x or y.")
    if batch_size is not None:
        raise ValueError("Can not provide both input_fn and batch_size.")
    return input_fn, []


class InputFnOps(NamedTuple):
    """What a function of serving input gives: features, labels, and the placeholders that a request feeds."""

    features: Any
    labels: Any
    default_inputs: Any


def build_parsing_serving_input_fn(
    feature_spec: Any, default_batch_size: int | None = None
) -> Callable[[], InputFnOps]:
    """A function that gives the features of serialized examples."""
    receive = build_parsing_serving_input_receiver_fn(feature_spec, default_batch_size)

    def input_fn() -> InputFnOps:
        received = receive()
        return InputFnOps(received.features, None, received.receiver_tensors)

    return input_fn


# -- estimators ----------------------------------------------------------------------------------


class _OfNewerKind(NewEstimator):
    """What is underneath: a model's own metric ``loss`` stands in the place of the mean loss."""

    def _add_mean_loss(self, metrics: dict[str, Any], loss: Any) -> None:
        if LOSS_METRIC_KEY not in metrics:
            super()._add_mean_loss(metrics, loss)


class BaseEstimator(Parameters, Evaluable, Trainable):
    """A model whose class says by ``_get_train_ops(features, labels)`` and its kin how it is built.

    They give ``ModelFnOps``, or (predictions, loss, train op).
    """

    def __init__(self, model_dir: str | None = None, config: Any = None) -> None:
        self._metrics: Any = None
        self._estimator = _OfNewerKind(self._spec, model_dir, config)

    @abstractmethod
    def _get_train_ops(self, features: Any, labels: Any) -> Any:
        """The model that is trained."""

    @abstractmethod
    def _get_predict_ops(self, features: Any) -> Any:
        """The model that predicts."""

    def _get_eval_ops(self, features: Any, labels: Any, metrics: Any) -> Any:
        """The model that is evaluated."""
        raise NotImplementedError("_get_eval_ops not implemented in BaseEstimator")

    def _model(self, features: Any, labels: Any, mode: str) -> ModelFnOps:
        """The model of a mode."""
        if mode == ModeKeys.TRAIN:
            made = self._get_train_ops(features, labels)
        elif mode == ModeKeys.EVAL:
            made = self._get_eval_ops(features, labels, self._metrics)
        else:
            made = self._get_predict_ops(features)
        return _as_ops(made, mode)

    def _spec(self, features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
        """The model as of the newer kind."""
        made = self._model(features, labels, mode)
        metrics = {k: (m, control.no_op()) if isinstance(m, Tensor) else m for k, m in made.eval_metric_ops.items()}
        return EstimatorSpec(
            mode,
            predictions=made.predictions if mode == ModeKeys.PREDICT else None,
            loss=made.loss,
            train_op=made.train_op if mode == ModeKeys.TRAIN else None,
            eval_metric_ops=metrics if mode == ModeKeys.EVAL else None,
            training_chief_hooks=made.training_chief_hooks,
            training_hooks=made.training_hooks,
            scaffold=made.scaffold,
        )

    @property
    def model_dir(self) -> str:
        """The folder of checkpoints and event files."""
        return self._estimator.model_dir

    @property
    def config(self) -> Any:
        """A copy of the configuration."""
        return self._estimator.config

    def get_variable_names(self) -> list[str]:
        """The names of the variables in the latest checkpoint."""
        return self._estimator.get_variable_names()

    def get_variable_value(self, name: str) -> Any:
        """The value of a variable in the latest checkpoint."""
        return self._estimator.get_variable_value(name)

    def fit(
        self,
        x: Any = None,
        y: Any = None,
        input_fn: Any = None,
        steps: int | None = None,
        batch_size: int | None = None,
        monitors: Any = None,
        max_steps: int | None = None,
    ) -> BaseEstimator:
        """Train on arrays, shuffled and repeated, or on what ``input_fn`` gives.

        Raises:
          ValueError: both steps and ``max_steps`` are given, or neither of ``x`` and ``input_fn``, or both.
        """
        if steps is not None and max_steps is not None:
            raise ValueError("Can not provide both steps and max_steps.")
        input_fn, hooks = _input(x, y, input_fn, batch_size, shuffle=True, epochs=None)
        hooks = [*hooks, *_hooks_of(monitors, self)]
        if steps is not None and steps <= 0:  # one step, as in TensorFlow: the hook looks behind it
            hooks, steps = [*hooks, StopAtStepHook(num_steps=steps)], None
        self._estimator.train(input_fn, hooks=hooks, steps=steps, max_steps=max_steps)
        return self

    def partial_fit(
        self,
        x: Any = None,
        y: Any = None,
        input_fn: Any = None,
        steps: int = 1,
        batch_size: int | None = None,
        monitors: Any = None,
    ) -> BaseEstimator:
        """``fit`` for one step."""
        return self.fit(x, y, input_fn, steps, batch_size, monitors)

    def evaluate(
        self,
        x: Any = None,
        y: Any = None,
        input_fn: Any = None,
        feed_fn: Any = None,
        batch_size: int | None = None,
        steps: int | None = None,
        metrics: Any = None,
        name: str | None = None,
        checkpoint_path: str | None = None,
        hooks: Any = None,
        log_progress: bool = True,
    ) -> dict[str, Any]:
        """The loss, the global step and the metrics of a checkpoint: of arrays once through, or of ``input_fn``."""
        input_fn, feeding = _input(x, y, input_fn, batch_size, shuffle=False, epochs=1)
        feeding += [FeedFnHook(feed_fn)] if feed_fn is not None else []
        self._metrics = metrics
        try:
            return self._estimator.evaluate(
                input_fn, steps=steps, hooks=[*feeding, *(hooks or [])], checkpoint_path=checkpoint_path, name=name
            )
        finally:
            self._metrics = None

    def predict(
        self,
        x: Any = None,
        input_fn: Any = None,
        batch_size: int | None = None,
        outputs: Any = None,
        as_iterable: bool = True,
        iterate_batches: bool = False,
    ) -> Any:
        """The predictions: an iterator over examples or batches, or, not ``as_iterable``, all at once."""
        ending = [_OneBatch()] if x is None else []
        input_fn, hooks = _input(x, None, input_fn, batch_size, shuffle=False, epochs=1)
        given = self._estimator.predict(
            input_fn, outputs, [*hooks, *ending], yield_single_examples=as_iterable and not iterate_batches
        )
        if as_iterable:
            return given
        batches = list(given)
        if batches and isinstance(batches[0], dict):
            return {key: np.concatenate([b[key] for b in batches]) for key in batches[0]}
        return np.concatenate(batches)


def _as_ops(made: Any, mode: str) -> ModelFnOps:
    if isinstance(made, ModelFnOps):
        return made
    if not isinstance(made, tuple | list) or len(made) != 3:
        raise ValueError(f"Unrecognized value returned by model_fn, please return ModelFnOps. Got: {made}")
    return ModelFnOps(mode, *made)


class Estimator(BaseEstimator):
    """A model that ``model_fn(features, labels, mode, params, config, model_dir)`` builds.

    Args:
      model_fn: gives (predictions, loss, train op), or ``ModelFnOps``; it takes those of the arguments that it names.
      model_dir, config, params: as of ``tf.estimator.Estimator``.
      feature_engineering_fn: ``(features, labels) -> (features, labels)``, applied before the model.
    """

    def __init__(
        self,
        model_fn: Callable[..., Any] | None = None,
        model_dir: str | None = None,
        config: Any = None,
        params: Any = None,
        feature_engineering_fn: Callable[..., Any] | None = None,
    ) -> None:
        super().__init__(model_dir, config)
        if model_fn is None:
            raise ValueError("model_fn must be provided to Estimator.")
        if params is not None and "params" not in fn_args(model_fn):
            raise ValueError(
                f"Estimator's model_fn ({model_fn}) has less than 4 arguments, but not None params ({params}) are "
                "passed."
            )
        self._model_fn, self.params = model_fn, params
        self._engineer = feature_engineering_fn

    def _call_model_fn(self, features: Any, labels: Any, mode: str) -> ModelFnOps:
        """What the function makes of features."""
        if self._engineer is not None:
            features, labels = self._engineer(features, labels)
        given = called_with(self._model_fn, mode=mode, params=self.params, config=self.config, model_dir=self.model_dir)
        return _as_ops(self._model_fn(features, labels, **given), mode)

    def _get_train_ops(self, features: Any, labels: Any) -> ModelFnOps:
        return self._call_model_fn(features, labels, ModeKeys.TRAIN)

    def _get_predict_ops(self, features: Any) -> ModelFnOps:
        return self._call_model_fn(features, None, ModeKeys.PREDICT)

    def _get_eval_ops(self, features: Any, labels: Any, metrics: Any) -> ModelFnOps:
        """The model with its metrics and those that ``evaluate`` was asked for."""
        made = self._call_model_fn(features, labels, ModeKeys.EVAL)
        found = dict(made.eval_metric_ops)
        for name, metric in (metrics or {}).items():
            if isinstance(metric, MetricSpec):
                found[name] = metric.create_metric_ops(features, labels, made.predictions)
            elif isinstance(name, tuple):  # its name and which prediction it is of
                found[name[0]] = metric(made.predictions[name[1]], labels)
            else:
                found[name] = metric(made.predictions, labels)
        return made._replace(eval_metric_ops=found)

    def export_savedmodel(
        self,
        export_dir_base: Any,
        serving_input_fn: Callable[[], Any] | None,
        default_output_alternative_key: str | None = None,
        assets_extra: Mapping[str, str] | None = None,
        as_text: bool = False,
        checkpoint_path: str | None = None,
        strip_default_attrs: bool = False,
    ) -> bytes:
        """Write a SavedModel into a new folder of ``export_dir_base``, named by the time; the result is its path.

        Args:
          serving_input_fn: gives ``InputFnOps``.
          default_output_alternative_key: the head whose answer is given unasked, of a model with several.
          assets_extra: files to copy beside it, by their new names.
          checkpoint_path: by default the latest one.

        Raises:
          NotFittedError: there is no checkpoint.
          ValueError: there is no ``serving_input_fn``, or no head of the name.
        """
        from retrograd.estimator.older.exporting import export  # which knows the heads, made of this module's

        return export(
            self, export_dir_base, serving_input_fn, default_output_alternative_key, assets_extra, as_text,
            checkpoint_path, strip_default_attrs,
        )  # fmt: skip


class _OneBatch(SessionRunHook):
    """Ends predictions of an input that no queue brings to an end behind its first batch."""

    def begin(self) -> None:
        self.has_queues = bool(default_graph().get_collection(GraphKeys.QUEUE_RUNNERS))

    def after_run(self, run_context: Any, run_values: Any) -> None:
        if not self.has_queues:
            run_context.request_stop()


class SKCompat:
    """An estimator as scikit-learn's are: arrays in, arrays out."""

    def __init__(self, estimator: Any) -> None:
        self._estimator = estimator

    def fit(
        self,
        x: Any,
        y: Any,
        batch_size: int = 128,
        steps: int | None = None,
        max_steps: int | None = None,
        monitors: Any = None,
    ) -> SKCompat:
        """Train."""
        self._estimator.fit(x, y, batch_size=batch_size, steps=steps, max_steps=max_steps, monitors=monitors)
        return self

    def score(
        self,
        x: Any,
        y: Any,
        batch_size: int = 128,
        steps: int | None = None,
        metrics: Any = None,
        name: str | None = None,
    ) -> dict[str, Any]:
        """Evaluate."""
        found: dict[str, Any] = self._estimator.evaluate(
            x, y, batch_size=batch_size, steps=steps, metrics=metrics, name=name
        )
        return found

    def predict(self, x: Any, batch_size: int = 128, outputs: Any = None) -> Any:
        """The predictions of all."""
        return self._estimator.predict(x, batch_size=batch_size, outputs=outputs, as_iterable=False)


# -- monitors ------------------------------------------------------------------------------------


def _hooks_of(monitors: Any, estimator: BaseEstimator) -> list[SessionRunHook]:
    listed = list(monitors) if isinstance(monitors, Iterable) else [monitors] if monitors else []
    for monitor in listed:
        if not isinstance(monitor, SessionRunHook):
            raise TypeError(f"Monitors must be hooks of sessions, given: {monitor}")
        if isinstance(monitor, ValidationMonitor):
            monitor.set_estimator(estimator)
    return listed


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

    def set_estimator(self, estimator: BaseEstimator) -> None:
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


# -- models --------------------------------------------------------------------------------------


def linear_regression(x: Tensor, y: Tensor, init_mean: Any = None, init_stddev: float = 1.0) -> tuple[Tensor, Tensor]:
    """``x W + b``, with variables ``linear_regression/weights`` and ``bias``, and its mean squared error."""
    from retrograd.nn import losses, summaries
    from retrograd.ops import arrays, matrices
    from retrograd.state import initializers, scopes

    with scopes.variable_scope("linear_regression"):
        summaries.histogram("linear_regression.x", x)
        summaries.histogram("linear_regression.y", y)
        width = 1 if y.get_shape().ndims == 1 else y.shape[1].value
        begin = None
        if init_mean is not None:
            begin = initializers.random_normal_initializer(init_mean, init_stddev, dtype=x.dtype.base_dtype)
        weights = scopes.get_variable("weights", [x.shape[1].value, width], initializer=begin, dtype=x.dtype.base_dtype)
        bias = scopes.get_variable("bias", [width], initializer=begin, dtype=x.dtype.base_dtype)
        summaries.histogram("linear_regression.weights", weights)
        summaries.histogram("linear_regression.bias", bias)
        predictions = matrices.matmul(x, weights) + bias
        if y.get_shape().ndims == 1:
            predictions = arrays.squeeze(predictions, axis=[1])
        return predictions, losses.mean_squared_error(y, predictions)
