"""Estimators of time series: the head that stands on a model, who keeps its state, and ready-made ones.

Source: TensorFlow 1.15.5, ``estimators``, ``head`` and ``state_management`` of
``tf.contrib.timeseries.python.timeseries``.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from typing import Any

from retrograd.estimator.canned.heads import Head
from retrograd.estimator.canned.keys import MetricKeys
from retrograd.estimator.canned.optimizers import get_optimizer_instance
from retrograd.estimator.estimator import Estimator
from retrograd.estimator.export_outputs import PredictOutput
from retrograd.estimator.specs import EstimatorSpec, ModeKeys
from retrograd.estimator.time_series.autoregressive import (
    AnomalyMixtureARModel,
    ARModel,
    FlatPredictionModel,
    LSTMPredictionModel,
)
from retrograd.estimator.time_series.keys import (
    FilteringFeatures,
    FilteringResults,
    PredictionFeatures,
    PredictionResults,
    SavedModelLabels,
    State,
    TrainEvalFeatures,
)
from retrograd.estimator.time_series.models import ModelOutputs, TimeSeriesModel
from retrograd.estimator.time_series.receiving import raw_receiver
from retrograd.estimator.time_series.statistics import Features, InputStatistics, InputStatisticsFromMiniBatch
from retrograd.graph import dtypes, nest
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import convert_to_tensor_or_sparse_tensor
from retrograd.graph.scopes import name_scope
from retrograd.nn import summaries
from retrograd.nn.metrics.means import mean
from retrograd.ops import arrays, casts, constants
from retrograd.ops import state as assigning
from retrograd.ops.control import group
from retrograd.state.scopes import variable_scope
from retrograd.state.variables import VariableV1
from retrograd.train.adagrad import AdagradOptimizer
from retrograd.train.adam import AdamOptimizer
from retrograd.train.training_util import get_global_step

TIMES, VALUES, STATE = TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES, State.STATE_TUPLE


# -- who keeps the state of a model ------------------------------------------------------------


class PassthroughStateManager:
    """Keeps no state: each window begins in the model's start state."""

    def __init__(self) -> None:
        self._input_statistics: InputStatistics | None = None
        self._graph_initialized = False

    def initialize_graph(self, model: TimeSeriesModel, input_statistics: InputStatistics | None = None) -> None:
        """Begin in a new graph."""
        self._graph_initialized = True
        self._input_statistics = input_statistics

    def define_loss(self, model: TimeSeriesModel, features: Features, mode: str) -> ModelOutputs:
        """The model's own loss; ValueError where a state is given."""
        if STATE in features:
            raise ValueError("Overriding start state is not supported for this model.")
        return model.define_loss(features, mode)


class FilteringOnlyStateManager(PassthroughStateManager):
    """Takes a state that is given to evaluation or filtering, and keeps none."""

    def define_loss(self, model: TimeSeriesModel, features: Features, mode: str) -> ModelOutputs:
        """The loss from the given state, or the model's own; ValueError where training is given a state."""
        if STATE not in features:
            return model.define_loss(features, mode)
        if mode == ModeKeys.TRAIN:
            raise ValueError(
                f"Overriding saved state for training is not supported (but a value for feature {STATE} was specified)."
            )
        return model.get_batch_loss(features=features, mode=mode, state=features.pop(STATE))


# -- heads -------------------------------------------------------------------------------------


class _NoStatePredictOutput(PredictOutput):
    """Predictions whose signature asks for no state."""

    def as_signature_def(self, receiver_tensors: Features) -> Any:
        """The signature, without what is called a state."""
        others = {key: value for key, value in receiver_tensors.items() if not key.startswith(State.STATE_PREFIX)}
        return super().as_signature_def(receiver_tensors=others)


class TimeSeriesRegressionHead(Head):
    """What a model of time series returns in each mode, and what it must be given."""

    def __init__(
        self,
        model: TimeSeriesModel,
        state_manager: PassthroughStateManager,
        optimizer: Any,
        input_statistics_generator: InputStatisticsFromMiniBatch | None = None,
        name: str | None = None,
    ) -> None:
        self.model = model
        self.state_manager = state_manager
        self.optimizer = optimizer
        self.input_statistics_generator = input_statistics_generator
        self._name = name

    @property
    def logits_dimension(self) -> int:
        """1."""
        return 1

    def create_loss(self, features: Features, mode: str, logits: Any = None, labels: Any = None) -> Any:
        """What the model makes of the features, and a summary of its loss."""
        outputs = self.state_manager.define_loss(self.model, features, mode)
        summaries.scalar(self._key(MetricKeys.LOSS), outputs.loss)
        return outputs

    def create_estimator_spec(self, features: Features, mode: str, labels: Any = None) -> EstimatorSpec:  # type: ignore[override]
        """The model in one mode.

        Raises:
          ValueError: labels are given, a required feature is missing, or shapes do not fit.
        """
        with name_scope(self._name, "head"):
            if labels is not None and labels != {}:
                raise ValueError(
                    f"The model received a `labels`, which is not supported. Pass '{TIMES}' and '{VALUES}' as features."
                )
            features = {name: self._converted(name, value) for name, value in features.items()}
            statistics = None
            if self.input_statistics_generator is not None:
                statistics = self.input_statistics_generator.initialize_graph(
                    features, update_statistics=mode == ModeKeys.TRAIN
                )
            self.model.initialize_graph(input_statistics=statistics)
            features, is_served = self._with_state(features)
            if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
                _check_observations(features, self.model)
            elif mode == ModeKeys.PREDICT:
                self._check_predict_features(features)
            else:
                raise ValueError(f"Unknown mode '{mode}' passed to model_fn.")
            self.state_manager.initialize_graph(model=self.model, input_statistics=statistics)
            if mode == ModeKeys.TRAIN:
                return self._train_ops(features)
            if mode == ModeKeys.EVAL:
                return self._evaluate_ops(features)
            return self._serving_ops(features) if is_served else self._predict_ops(features)

    def _converted(self, name: str, value: Any) -> Any:
        if name == TIMES:
            return casts.cast(value, dtypes.int64)
        if name == VALUES:
            return casts.cast(value, self.model.dtype)
        return value if name == STATE else convert_to_tensor_or_sparse_tensor(value)

    def _with_state(self, features: Features) -> tuple[Features, bool]:
        """The features with the parts of a state as one, and whether there were any."""
        numbers = {key: re.match(rf"{State.STATE_PREFIX}_(\d+)$", key) for key in features}
        parts = sorted((int(found.group(1)), key) for key, found in numbers.items() if found)
        if not parts:
            return features, False
        others = {key: value for key, value in features.items() if not numbers[key]}
        flat = [features[key] for _, key in parts]
        others[STATE] = nest.pack_sequence_as(self.model.get_start_state(), flat)
        return others, True

    def _train_ops(self, features: Features) -> EstimatorSpec:
        with variable_scope("model", use_resource=True):
            loss = self.create_loss(features, ModeKeys.TRAIN).loss
        train_op = self.optimizer.minimize(loss, global_step=get_global_step())
        return EstimatorSpec(loss=loss, mode=ModeKeys.TRAIN, train_op=train_op)

    def _evaluate_ops(self, features: Features) -> EstimatorSpec:
        with variable_scope("model", use_resource=True):
            outputs = self.create_loss(features, ModeKeys.EVAL)
        metrics = {key: _last_value(key, value) for key, value in outputs.predictions.items()}
        metrics[FilteringResults.TIMES] = _last_value(FilteringResults.TIMES, outputs.prediction_times)
        metrics[STATE] = _last_values(STATE, outputs.end_state)
        metrics[MetricKeys.LOSS_MEAN] = mean(outputs.loss, name="average_loss")
        return EstimatorSpec(
            loss=outputs.loss, mode=ModeKeys.EVAL, eval_metric_ops=metrics, predictions=outputs.predictions
        )

    def _predict_ops(self, features: Features) -> EstimatorSpec:
        with variable_scope("model", use_resource=True):
            prediction = self.model.predict(features=features)
        prediction[PredictionResults.TIMES] = features[PredictionFeatures.TIMES]
        return EstimatorSpec(predictions=prediction, mode=ModeKeys.PREDICT)

    def _serving_ops(self, features: Features) -> EstimatorSpec:
        """Signatures that predict from a state, and that filter with and without one."""
        with variable_scope("model", use_resource=True):
            prediction = self.model.predict(features=features)
        with variable_scope("model", reuse=True):
            filtered = self.create_loss(features, ModeKeys.EVAL)
        with variable_scope("model", reuse=True):
            stateless = {key: value for key, value in features.items() if not key.startswith(State.STATE_PREFIX)}
            from_start = self.model.define_loss(features=stateless, mode=ModeKeys.EVAL)
        return EstimatorSpec(
            mode=ModeKeys.PREDICT,
            export_outputs={
                SavedModelLabels.PREDICT: PredictOutput(prediction),
                SavedModelLabels.FILTER: PredictOutput(state_to_dictionary(filtered.end_state)),
                SavedModelLabels.COLD_START_FILTER: _NoStatePredictOutput(state_to_dictionary(from_start.end_state)),
            },
            predictions={},
        )

    def _check_predict_features(self, features: Features) -> None:
        _check_times_and_shapes(features, required=(TIMES, STATE), free=(STATE,))


class OneShotPredictionHead(TimeSeriesRegressionHead):
    """A head whose exported model filters the given values from the start, and predicts the times behind them."""

    def _check_predict_features(self, features: Features) -> None:
        _check_times_and_shapes(features, required=(TIMES, VALUES, STATE), free=(STATE, VALUES))

    def _evaluate_ops(self, features: Features) -> EstimatorSpec:
        spec = super()._evaluate_ops(features)
        del spec.eval_metric_ops[STATE]
        return spec

    def _serving_ops(self, features: Features) -> EstimatorSpec:
        with variable_scope("model", use_resource=True):
            filtered: Features = {}
            asked: Features = {}
            length = arrays.shape(features[FilteringFeatures.VALUES])[1]
            for key, value in features.items():
                if key == FilteringFeatures.VALUES:
                    filtered[key] = value
                elif key != STATE:
                    filtered[key] = value[:, :length]
                    asked[key] = value[:, length:]
            asked[STATE] = self.model.define_loss(features=filtered, mode=ModeKeys.EVAL).end_state
        with variable_scope("model", reuse=True):
            prediction = self.model.predict(features=asked)
        outputs = {SavedModelLabels.PREDICT: _NoStatePredictOutput(prediction)}
        return EstimatorSpec(mode=ModeKeys.PREDICT, export_outputs=outputs, predictions={})


def _check_times_and_shapes(features: Features, required: Sequence[str], free: Sequence[str]) -> None:
    for name in required:
        if name not in features:
            raise ValueError(f"Expected a '{name}' feature for prediction.")
    _check_rank_of_times(features[TIMES])
    _check_feature_shapes(features, free)


def _check_rank_of_times(times: Any) -> None:
    if not times.shape.is_compatible_with([None, None]):
        raise ValueError(
            f"Expected shape (batch dimension, window size) for feature '{TIMES}' (got shape {times.shape})"
        )


def _check_observations(features: Features, model: TimeSeriesModel) -> None:
    for name in (TIMES, VALUES):
        if name not in features:
            raise ValueError(f"Expected a '{name}' feature for training/evaluation.")
    _check_rank_of_times(features[TIMES])
    if not features[VALUES].shape.is_compatible_with([None, None, model.num_features]):
        raise ValueError(
            f"Expected shape (batch dimension, window size, {model.num_features}) for feature '{VALUES}', since the "
            f"model was configured with num_features={model.num_features} (got shape {features[TIMES].shape})"
        )
    _check_feature_shapes(features, free=(STATE,))


def _check_feature_shapes(features: Features, free: Sequence[str]) -> None:
    times = features[TIMES]
    for name, value in features.items():
        if name in free or value.shape.ndims is None:
            continue
        if value.shape.ndims < 2:
            raise ValueError(
                f"Features must have shape (batch dimension, window size, ...) (got rank {value.shape.ndims} for "
                f"feature '{name}')"
            )
        if not value.shape[:2].is_compatible_with(times.shape):
            raise ValueError(
                "Features must have shape (batch dimension, window size, ...) where batch dimension and window size "
                f"match the '{TIMES}' feature (got shape {value.shape} for feature '{name}' but shape {times.shape} "
                f"for feature '{TIMES}')"
            )


def _last_value(name: str, tensor: Any) -> tuple[Any, Any]:
    """A metric that is the tensor of the last batch."""
    kept = VariableV1(
        name=f"{name}_identity_metric", initial_value=constants.zeros([], dtype=tensor.dtype),
        collections=[GraphKeys.LOCAL_VARIABLES], validate_shape=False,
    )  # fmt: skip
    update = assigning.assign(kept, tensor, validate_shape=False)
    kept.set_shape(tensor.shape)
    return kept.value(), update


def _last_values(name: str, tensors: Any) -> tuple[Any, Any]:
    """A metric that is the nested tensors of the last batch."""
    kept = [_last_value(f"{name}_{number}", tensor) for number, tensor in enumerate(nest.flatten(tensors))]
    return nest.pack_sequence_as(tensors, [value for value, _ in kept]), group(*(update for _, update in kept))


def state_to_dictionary(state_tuple: Any) -> Features:
    """The parts of a state under numbered names."""
    parts = nest.flatten(state_tuple)
    return {f"{State.STATE_PREFIX}_{number:02d}": part for number, part in enumerate(parts)}


# -- estimators --------------------------------------------------------------------------------


class TimeSeriesRegressor(Estimator):
    """Fits and evaluates a model of time series, and predicts with it.

    Args:
      model: a ``TimeSeriesModel``.
      state_manager: who keeps the model's state; by default none is kept.
      optimizer: by default Adam with a step of 0.02.
      head_type: ``TimeSeriesRegressionHead``, or a kind of it.
    """

    def __init__(
        self,
        model: TimeSeriesModel,
        state_manager: PassthroughStateManager | None = None,
        optimizer: Any = None,
        model_dir: str | None = None,
        config: Any = None,
        head_type: type[TimeSeriesRegressionHead] = TimeSeriesRegressionHead,
    ) -> None:
        statistics = InputStatisticsFromMiniBatch(dtype=model.dtype, num_features=model.num_features)
        if state_manager is None:
            is_window_based = isinstance(model, ARModel)
            state_manager = FilteringOnlyStateManager() if is_window_based else PassthroughStateManager()
        self._model = model
        head = head_type(
            model=model,
            state_manager=state_manager,
            optimizer=AdamOptimizer(0.02) if optimizer is None else optimizer,
            input_statistics_generator=statistics,
        )
        super().__init__(model_fn=head.create_estimator_spec, model_dir=model_dir, config=config)

    def build_raw_serving_input_receiver_fn(
        self, default_batch_size: int | None = None, default_series_length: int | None = None
    ) -> Any:
        """What ``export_saved_model`` takes, for models that are fed arrays.

        Args:
          default_batch_size, default_series_length: the only sizes that are accepted, if they are given.
        """
        return raw_receiver(self._model, default_batch_size, default_series_length)


class ARRegressor(TimeSeriesRegressor):
    """A ``TimeSeriesRegressor`` of an ``ARModel`` with flat windows, or with anomalies of an ``AnomalyMixtureARModel``.

    Raises:
      ValueError: a distribution of anomalies without their probability; anomalies with another loss.
    """

    def __init__(
        self,
        periodicities: Any,
        input_window_size: int,
        output_window_size: int,
        num_features: int,
        exogenous_feature_columns: Sequence[Any] | None = None,
        num_time_buckets: int = 10,
        loss: str = ARModel.NORMAL_LIKELIHOOD_LOSS,
        hidden_layer_sizes: Sequence[int] | None = None,
        anomaly_prior_probability: float | None = None,
        anomaly_distribution: str | None = None,
        optimizer: Any = None,
        model_dir: str | None = None,
        config: Any = None,
    ) -> None:
        settings: dict[str, Any] = {
            "periodicities": periodicities,
            "input_window_size": input_window_size,
            "output_window_size": output_window_size,
            "num_features": num_features,
            "prediction_model_factory": functools.partial(FlatPredictionModel, hidden_layer_sizes=hidden_layer_sizes),
            "exogenous_feature_columns": exogenous_feature_columns,
            "num_time_buckets": num_time_buckets,
        }
        model: ARModel
        if anomaly_prior_probability is None:
            if anomaly_distribution is not None:
                raise ValueError("anomaly_prior_probability is required if anomaly_distribution is specified.")
            model = ARModel(loss=loss, **settings)
        else:
            if loss != ARModel.NORMAL_LIKELIHOOD_LOSS:
                raise ValueError(
                    "AnomalyMixtureARModel only supports ar_model.ARModel.NORMAL_LIKELIHOOD_LOSS for its loss argument."
                )
            model = AnomalyMixtureARModel(
                anomaly_prior_probability=anomaly_prior_probability,
                anomaly_distribution=anomaly_distribution,  # type: ignore[arg-type]  # checked by the model
                **settings,
            )
        super().__init__(
            model=model,
            state_manager=FilteringOnlyStateManager(),
            optimizer=AdagradOptimizer(0.1) if optimizer is None else optimizer,
            model_dir=model_dir,
            config=config,
        )


class LSTMAutoRegressor(TimeSeriesRegressor):
    """A ``TimeSeriesRegressor`` of an ``ARModel`` with two LSTMs; ``num_timesteps`` buckets cut each period."""

    def __init__(
        self,
        periodicities: Any,
        input_window_size: int,
        output_window_size: int,
        model_dir: str | None = None,
        num_features: int = 1,
        extra_feature_columns: Sequence[Any] | None = None,
        num_timesteps: int = 10,
        loss: str = ARModel.NORMAL_LIKELIHOOD_LOSS,
        num_units: int = 128,
        optimizer: Any = "Adam",
        config: Any = None,
    ) -> None:
        model = ARModel(
            periodicities=periodicities,
            input_window_size=input_window_size,
            output_window_size=output_window_size,
            num_features=num_features,
            exogenous_feature_columns=extra_feature_columns,
            num_time_buckets=num_timesteps,
            loss=loss,
            prediction_model_factory=functools.partial(LSTMPredictionModel, num_units=num_units),
        )
        super().__init__(
            model=model,
            state_manager=FilteringOnlyStateManager(),
            optimizer=get_optimizer_instance(optimizer, learning_rate=0.01),
            model_dir=model_dir,
            config=config,
            head_type=OneShotPredictionHead,
        )
