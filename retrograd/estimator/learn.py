"""``tf.contrib.learn``: estimators whose models give (predictions, loss, train op), experiments, monitors.

They are ``tf.estimator``'s underneath: a ``model_fn`` of the older kind becomes one of the newer.

Source: TensorFlow 1.15.5, ``contrib/learn/python/learn``: arguments, defaults, log lines, batches of arrays.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from retrograd.estimator.estimator import Estimator as NewEstimator
from retrograd.estimator.older.arrays import _input
from retrograd.estimator.older.bases import Evaluable, Parameters, Trainable
from retrograd.estimator.older.metric_specs import MetricSpec
from retrograd.estimator.older.monitors import _hooks_of
from retrograd.estimator.older.signatures import signatures_of
from retrograd.estimator.older.specs import ModelFnOps
from retrograd.estimator.specs import LOSS_METRIC_KEY, EstimatorSpec, ModeKeys, called_with, fn_args
from retrograd.graph.collections import GraphKeys
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import control
from retrograd.sessions.hooks import FeedFnHook, SessionRunHook, StopAtStepHook

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
        self._features_read: Any = None  # their signatures, as ``export`` reads them of examples
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
        if mode != ModeKeys.PREDICT and self._features_read is None:
            self._features_read = signatures_of(features)
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
                if len(name) != 2:
                    raise ValueError(
                        f"Invalid metric for {name}. It returned a tuple with len {len(name)}, expected 2."
                    )
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

    def export(
        self,
        export_dir: Any,
        input_fn: Callable[..., Any] | None = None,
        input_feature_key: str | None = None,
        use_deprecated_input_fn: bool = True,
        signature_fn: Callable[..., Any] | None = None,
        prediction_key: str | None = None,
        default_batch_size: int | None = 1,
        exports_to_keep: int | None = None,
        checkpoint_path: str | None = None,
    ) -> bytes:
        """Write a session bundle, the form before SavedModels, into a folder of ``export_dir``: its path.

        See ``export_estimator``.
        """
        from retrograd.estimator.older.bundles import export_estimator  # which stands on what models are made of

        return export_estimator(
            self, export_dir, signature_fn, input_fn, default_batch_size, exports_to_keep, input_feature_key,
            use_deprecated_input_fn, prediction_key, checkpoint_path,
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
