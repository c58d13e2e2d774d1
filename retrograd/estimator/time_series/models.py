"""Models of time series: what all have in common, and models that go through a window step by step.

Source: TensorFlow 1.15.5, ``tf.contrib.timeseries.python.timeseries.model``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from retrograd.estimator.time_series.keys import PredictionFeatures, TrainEvalFeatures
from retrograd.estimator.time_series.statistics import Features, InputStatistics, replicate_state
from retrograd.feature_column.models import input_layer
from retrograd.feature_column.protocol import make_parse_example_spec
from retrograd.flow.loops import while_loop
from retrograd.flow.tensor_array import TensorArray
from retrograd.graph import dtypes, nest
from retrograd.graph.convert import convert_to_tensor
from retrograd.graph.graph import Graph
from retrograd.ops import arrays, casts, comparison, constants, joining, parsing, permuting, powers, reductions
from retrograd.state.scopes import variable_scope

TIMES, VALUES, STATE = TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES, PredictionFeatures.STATE_TUPLE


class ModelOutputs(NamedTuple):
    """What a model makes of a window: its loss, its state behind it, predictions, and the times of these."""

    loss: Any
    end_state: Any
    predictions: Features
    prediction_times: Any


class TimeSeriesModel(ABC):
    """What models of time series have in common; a kind defines a start state, a loss and predictions."""

    def __init__(
        self, num_features: int, exogenous_feature_columns: Sequence[Any] | None = None, dtype: Any = dtypes.float32
    ) -> None:
        self._exogenous_feature_columns = exogenous_feature_columns or []
        self.num_features = num_features
        self.dtype = dtype
        self._input_statistics: InputStatistics | None = None
        self._graph_initialized = False
        self._stats_means: Any = None
        self._stats_sigmas: Any = None

    @property
    def exogenous_feature_columns(self) -> Sequence[Any]:
        """Feature columns of what is known of each time, and not predicted."""
        return self._exogenous_feature_columns

    def generate(
        self, number_of_series: int, series_length: int, model_parameters: Any = None, seed: int | None = None
    ) -> Any:
        """Series drawn from the model."""
        raise NotImplementedError("This model does not support generation.")

    def initialize_graph(self, input_statistics: InputStatistics | None = None) -> None:
        """Begin in a new graph; a kind adds its variables here."""
        self._graph_initialized = True
        self._input_statistics = input_statistics
        if input_statistics:
            self._stats_means, variances = input_statistics.overall_feature_moments
            self._stats_sigmas = powers.sqrt(variances)

    def _scale_data(self, data: Any) -> Any:
        return data if self._input_statistics is None else (data - self._stats_means) / self._stats_sigmas

    def _scale_variance(self, variance: Any) -> Any:
        statistics = self._input_statistics
        return variance if statistics is None else variance / statistics.overall_feature_moments.variance

    def _scale_back_data(self, data: Any) -> Any:
        return data if self._input_statistics is None else (data * self._stats_sigmas) + self._stats_means

    def _scale_back_variance(self, variance: Any) -> Any:
        statistics = self._input_statistics
        return variance if statistics is None else variance * statistics.overall_feature_moments.variance

    def _check_graph_initialized(self) -> None:
        if not self._graph_initialized:
            raise ValueError(
                "TimeSeriesModels require initialize_graph() to be called before use. This defines variables and "
                "ops in the default graph, and allows Tensor-valued input statistics to be specified."
            )

    def define_loss(self, features: Features, mode: str) -> ModelOutputs:
        """The loss of windows that all begin in the start state."""
        self._check_graph_initialized()
        state = replicate_state(self.get_start_state(), batch_size=arrays.shape(features[TIMES])[0])
        return self.get_batch_loss(features=features, mode=mode, state=state)

    @abstractmethod
    def get_start_state(self) -> Any:
        """The state before a series, without the axis of the batch."""

    @abstractmethod
    def get_batch_loss(self, features: Features, mode: str, state: Any) -> ModelOutputs:
        """The loss and predictions of windows that begin in ``state``."""

    @abstractmethod
    def predict(self, features: Features) -> Features:
        """Predictions for times that follow a state."""

    def _get_exogenous_embedding_shape(self) -> Sequence[Any]:
        """The shape of what the feature columns make of one time."""
        if not self._exogenous_feature_columns:
            return (0,)
        with Graph().as_default():
            parsed = make_parse_example_spec(self._exogenous_feature_columns)
            examples = constants.placeholder(shape=[None], dtype=dtypes.string)
            features = parsing.parse_example(serialized=examples, features=parsed)
            embedded = input_layer(features=features, feature_columns=self._exogenous_feature_columns)
            return embedded.shape.as_list()[1:]

    def _process_exogenous_features(self, times: Any, features: Features) -> Any:
        """[batch, window, columns]: what the feature columns make of the features; None without columns.

        Raises:
          ValueError: a feature has no known rank.
        """
        if not self._exogenous_feature_columns:
            return None
        flat = {}
        for name, tensor in features.items():
            if tensor.shape.ndims is None:
                raise ValueError(
                    f"Features with unknown rank are not supported. Got shape {tensor.shape} for feature {name}."
                )
            shape = arrays.shape(tensor)
            tensor = arrays.reshape(tensor, joining.concat([[shape[0] * shape[1]], shape[2:]], axis=0))
            is_number = tensor.shape.ndims == 1 and tensor.dtype != dtypes.string
            flat[name] = tensor[:, None] if is_number else tensor
        embedded = input_layer(features=flat, feature_columns=self._exogenous_feature_columns, trainable=True)
        shape = joining.concat([arrays.shape(times), arrays.shape(embedded)[1:]], axis=0)
        regressors = arrays.reshape(embedded, shape)
        regressors.set_shape(times.shape.concatenate(embedded.shape[1:]))
        return casts.cast(regressors, dtype=self.dtype)


# -- models that go step by step ---------------------------------------------------------------


class _Written:
    """What an unrolled loop writes, with the method of a TensorArray."""

    def __init__(self) -> None:
        self.values: list[Any] = []

    def write(self, position: Any, value: Any) -> _Written:
        self.values.append(value)
        return self


class SequentialTimeSeriesModel(TimeSeriesModel):
    """A model with a state that each observation changes; a kind defines the steps.

    Args:
      train_output_names, predict_output_names: what filtering and prediction return beside the loss.
      normalize_features: values are scaled by their statistics; then ``_scale_back_predictions`` is required.
      exogenous_update_condition: ``times, features`` to whether regressors change the state at a time.
      static_unrolling_window_size_threshold: windows up to this size are unrolled, not looped over.
    """

    def __init__(
        self,
        train_output_names: Sequence[str],
        predict_output_names: Sequence[str],
        num_features: int,
        normalize_features: bool = False,
        dtype: Any = dtypes.float32,
        exogenous_feature_columns: Sequence[Any] | None = None,
        exogenous_update_condition: Callable[..., Any] | None = None,
        static_unrolling_window_size_threshold: int | None = None,
    ) -> None:
        super().__init__(num_features=num_features, dtype=dtype, exogenous_feature_columns=exogenous_feature_columns)
        self._exogenous_update_condition = exogenous_update_condition
        self._train_output_names = train_output_names
        self._predict_output_names = predict_output_names
        self._normalize_features = normalize_features
        self._static_unrolling_window_size_threshold = static_unrolling_window_size_threshold

    def _scale_back_predictions(self, predictions: Features) -> Features:
        raise NotImplementedError(
            "SequentialTimeSeriesModel normalized input data (normalize_features=True), but no method was provided "
            "to transform the predictions back to the input scale."
        )

    @abstractmethod
    def _filtering_step(self, current_times: Any, current_values: Any, state: Any, predictions: Features) -> Any:
        """The state after an observation, and the predictions with a "loss"."""

    @abstractmethod
    def _prediction_step(self, current_times: Any, state: Any) -> Any:
        """The state one step on, and predictions."""

    @abstractmethod
    def _imputation_step(self, current_times: Any, state: Any) -> Any:
        """The state after a gap."""

    @abstractmethod
    def _exogenous_input_step(self, current_times: Any, current_exogenous_regressors: Any, state: Any) -> Any:
        """The state after regressors."""

    def _loss_additions(self, times: Any, values: Any, mode: str) -> Any:
        return 0.0

    def _window_initializer(self, times: Any, state: Any) -> None:
        """Prepare for a window."""

    def get_batch_loss(self, features: Features, mode: str, state: Any) -> ModelOutputs:
        """The loss and predictions of windows that begin in ``state``."""
        loss, states, outputs = self.per_step_batch_loss(features, mode, state)
        last = nest.pack_sequence_as(states, [each[:, -1] for each in nest.flatten(states)])
        outputs["observed"] = features[VALUES]
        return ModelOutputs(loss, last, outputs, features[TIMES])

    def _with_regressors(self, step: Any, times: Any, state: Any, features: Features, regressors: Any) -> Any:
        if regressors is None:
            return state
        changed = self._exogenous_input_step(
            current_times=times, current_exogenous_regressors=regressors[:, step, :], state=state
        )
        if self._exogenous_update_condition is None:
            return changed
        current = {key: value[:, step] for key, value in features.items() if key not in (STATE, TIMES, VALUES)}
        chosen = [
            comparison.where(self._exogenous_update_condition(times=times, features=current), new, old)
            for new, old in zip(nest.flatten(changed), nest.flatten(state), strict=True)
        ]
        return nest.pack_sequence_as(state, chosen)

    def per_step_batch_loss(self, features: Features, mode: str, state: Any) -> tuple[Any, Any, Features]:
        """The mean loss of the observations, the state after each, and the predictions of each."""
        self._check_graph_initialized()
        times = casts.cast(features[TIMES], dtype=dtypes.int64)
        values = casts.cast(features[VALUES], dtype=self.dtype)
        if self._normalize_features:
            values = self._scale_data(values)
        others = {key: value for key, value in features.items() if key not in (TIMES, VALUES)}
        regressors = self._process_exogenous_features(times=times, features=others)

        def filtered(step_number: Any, current_times: Any, state: Any) -> Any:
            current = values[:, step_number, :]
            state = self._with_regressors(step_number, current_times, state, features, regressors)
            state, predictions = self._prediction_step(current_times=current_times, state=state)
            return self._filtering_step(
                current_times=current_times, current_values=current, state=state, predictions=predictions
            )

        states, outputs = self._state_update_loop(
            times=times, state=state, state_update_fn=filtered, outputs=["loss", *self._train_output_names]
        )
        losses = outputs.pop("loss")
        losses.set_shape(times.shape)
        loss = reductions.reduce_sum(losses)
        loss = loss / casts.cast(reductions.reduce_prod(arrays.shape(times)), dtype=self.dtype)
        loss += self._loss_additions(times, values, mode)
        return loss, states, self._scale_back_predictions(outputs) if self._normalize_features else outputs

    def predict(self, features: Features) -> Features:
        """Predictions for times that follow a state."""
        times = convert_to_tensor(features[TIMES], dtypes.int64)
        others = {key: value for key, value in features.items() if key not in (TIMES, STATE)}
        regressors = self._process_exogenous_features(times=times, features=others)

        def predicted(step_number: Any, current_times: Any, state: Any) -> Any:
            state = self._with_regressors(step_number, current_times, state, features, regressors)
            return self._prediction_step(current_times=current_times, state=state)

        _, predictions = self._state_update_loop(
            times=times, state=features[STATE], state_update_fn=predicted, outputs=list(self._predict_output_names)
        )
        return self._scale_back_predictions(predictions) if self._normalize_features else predictions

    def _state_update_loop(
        self, times: Any, state: Any, state_update_fn: Callable[..., Any], outputs: list[str]
    ) -> tuple[Any, Features]:
        """The states after each step of a window, and the named outputs of each: [batch, window, ...]."""
        times = convert_to_tensor(times, dtype=dtypes.int64)
        static_size, threshold = times.shape[1].value, self._static_unrolling_window_size_threshold
        is_unrolled = threshold is not None and static_size is not None and static_size <= threshold
        self._window_initializer(times, state)

        def is_within(step_number: Any, *rest: Any) -> Any:
            return comparison.less(step_number, size)

        def step(step_number: Any, state: Any, kept_states: Any, kept_outputs: Any, reuse: bool = False) -> Any:
            with variable_scope("state_update_step", reuse=reuse):
                current_times = times[:, step_number]
                state = self._imputation_step(current_times=current_times, state=state)
                new_state, values = state_update_fn(step_number=step_number, current_times=current_times, state=state)
                if set(values) != set(outputs):
                    raise AssertionError(f"a step returned {sorted(values)}, and should return {sorted(outputs)}")
                new_outputs = [
                    kept.write(step_number, values[name]) for name, kept in zip(outputs, kept_outputs, strict=True)
                ]
                flat, new_states = nest.flatten(new_state), []
                for new, kept, old in zip(flat, kept_states, nest.flatten(state), strict=True):
                    new.set_shape(old.shape)
                    new_states.append(kept.write(step_number, new))
                return step_number + 1, nest.pack_sequence_as(state, flat), new_states, new_outputs

        size = arrays.shape(times)[1]

        def empty(dtype: Any) -> Any:
            return _Written() if is_unrolled else TensorArray(dtype=dtype, size=size, dynamic_size=False)

        loop: Any = [
            constants.zeros([], dtypes.int32),
            state,
            [empty(each.dtype) for each in nest.flatten(state)],
            [empty(self.dtype) for _ in outputs],
        ]
        if is_unrolled:
            for number in range(static_size):
                loop = step(constants.constant(number, dtypes.int32), loop[1], loop[2], loop[3], reuse=number > 0)
        else:
            loop = while_loop(cond=is_within, body=step, loop_vars=loop)
        _, _, states, kept = loop

        def batch_first(written: Any) -> Any:
            if is_unrolled:
                return joining.stack(written.values, axis=1)
            stacked = written.stack()
            rest = constants.range_(2, arrays.rank(stacked))
            return permuting.transpose(stacked, perm=joining.concat([[1, 0], rest], 0))

        named = {name: batch_first(each) for name, each in zip(outputs, kept, strict=True)}
        return nest.pack_sequence_as(state, [batch_first(each) for each in states]), named
