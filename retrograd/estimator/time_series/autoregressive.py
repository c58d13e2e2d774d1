"""Autoregressive models: the next window of a series from the window before it, and from its times.

Source: TensorFlow 1.15.5, ``tf.contrib.timeseries.python.timeseries.ar_model``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.estimator.specs import ModeKeys
from retrograd.estimator.time_series.models import STATE, TIMES, VALUES, ModelOutputs, TimeSeriesModel
from retrograd.estimator.time_series.statistics import Features, InputStatistics
from retrograd.flow.loops import while_loop
from retrograd.flow.tensor_array import TensorArray
from retrograd.graph import dtypes, scopes
from retrograd.graph.convert import convert_to_tensor
from retrograd.keras.layers.core import Dense, Flatten
from retrograd.keras.models import Model
from retrograd.keras.sequential import Sequential
from retrograd.nn.recurrent.blocks import LSTMBlockFusedCell
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    checks,
    comparison,
    constants,
    exponentials,
    joining,
    padding,
    permuting,
    powers,
    reductions,
    slicing,
)
from retrograd.ops.activations import relu
from retrograd.state.initializers import zeros_initializer
from retrograd.state.scopes import get_variable, variable_scope


class FlatPredictionModel(Model):
    """mean = W a + b and covariance = exp(V a + c), with a the flat windows, after hidden layers where there are."""

    def __init__(
        self,
        num_features: int,
        input_window_size: int,
        output_window_size: int,
        hidden_layer_sizes: Sequence[int] | None = None,
    ) -> None:
        super().__init__()
        self._input_flatten = Flatten()
        self._output_flatten = Flatten()
        self._hidden_layers: Any = None
        if hidden_layer_sizes:
            self._hidden_layers = Sequential([Dense(size, activation=relu) for size in hidden_layer_sizes])
        self._mean_transform = Dense(num_features * output_window_size, name="predicted_mean")
        self._covariance_transform = Dense(num_features * output_window_size, name="log_sigma_square")
        self._prediction_shape = [-1, output_window_size, num_features]

    def call(  # type: ignore[override]
        self, input_window_features: Any, output_window_features: Any
    ) -> Features:
        """The mean and covariance of the output window."""
        if input_window_features.shape.dims[1].value == 0:
            activation = self._output_flatten(output_window_features)
        elif output_window_features.shape.dims[2].value == 0:
            activation = self._input_flatten(input_window_features)
        else:
            flat = [self._input_flatten(input_window_features), self._output_flatten(output_window_features)]
            activation = joining.concat(flat, axis=1)
        if self._hidden_layers:
            activation = self._hidden_layers(activation)
        mean = arrays.reshape(self._mean_transform(activation), self._prediction_shape)
        variance = exponentials.exp(self._covariance_transform(activation))
        return {"mean": mean, "covariance": arrays.reshape(variance, self._prediction_shape)}


class LSTMPredictionModel(Model):
    """An LSTM reads the input window, another goes on from its state over the output window."""

    def __init__(
        self, num_features: int, input_window_size: int, output_window_size: int, num_units: int = 128
    ) -> None:
        super().__init__()
        self._encoder = LSTMBlockFusedCell(num_units=num_units, name="encoder")
        self._decoder = LSTMBlockFusedCell(num_units=num_units, name="decoder")
        self._mean_transform = Dense(num_features, name="mean_transform")
        self._covariance_transform = Dense(num_features, name="covariance_transform")

    def call(  # type: ignore[override]
        self, input_window_features: Any, output_window_features: Any
    ) -> Features:
        """The mean and covariance of the output window."""
        read = permuting.transpose(input_window_features, [1, 0, 2])
        asked = permuting.transpose(output_window_features, [1, 0, 2])
        _, state = self._encoder(read, dtype=self.dtype)
        decoded, _ = self._decoder(asked, dtype=self.dtype, initial_state=state)
        decoded = permuting.transpose(decoded, [1, 0, 2])
        mean = self._mean_transform(decoded)
        return {"mean": mean, "covariance": exponentials.exp(self._covariance_transform(decoded))}


def normal_log_prob(loc: Any, scale: Any, x: Any) -> Any:
    """-(z^2 + log(2 pi) + log(scale)) / 2 with z = (x - loc) / scale, as ``tf.contrib.timeseries`` has it."""
    z = (x - loc) / scale
    return -0.5 * (powers.square(z) + np.log(2.0 * np.pi) + exponentials.log(scale))


def cauchy_log_prob(loc: Any, scale: Any, x: Any) -> Any:
    """-log(pi scale) - log(1 + z^2) with z = (x - loc) / scale."""
    z = (x - loc) / scale
    return -np.log(np.pi) - exponentials.log(scale) - exponentials.log1p(powers.square(z))


class ARModel(TimeSeriesModel):
    """The next ``output_window_size`` values from the ``input_window_size`` before them and from their times.

    Args:
      periodicities: periods of the series; each is cut into ``num_time_buckets``, and where in them a time
        lies is a feature of it.
      prediction_model_factory: ``num_features, input_window_size, output_window_size`` to the model.
      loss: ``NORMAL_LIKELIHOOD_LOSS`` or ``SQUARED_LOSS``.
      exogenous_feature_columns: of what is known of each time.
    """

    SQUARED_LOSS = "squared_loss"
    NORMAL_LIKELIHOOD_LOSS = "normal_likelihood_loss"

    def __init__(
        self,
        periodicities: Any,
        input_window_size: int,
        output_window_size: int,
        num_features: int,
        prediction_model_factory: Callable[..., Any] = FlatPredictionModel,
        num_time_buckets: int = 10,
        loss: str = NORMAL_LIKELIHOOD_LOSS,
        exogenous_feature_columns: Sequence[Any] | None = None,
    ) -> None:
        self._model_factory = prediction_model_factory
        self.input_window_size = input_window_size
        self.output_window_size = output_window_size
        self.window_size = input_window_size + output_window_size
        self.loss = loss
        super().__init__(num_features=num_features, exogenous_feature_columns=exogenous_feature_columns)
        has_columns = exogenous_feature_columns is not None
        self.exogenous_size = self._get_exogenous_embedding_shape()[-1] if has_columns else 0
        self._buckets = int(num_time_buckets)
        if not isinstance(periodicities, list | tuple):
            periodicities = [periodicities] if periodicities else []
        self._periodicities = [int(p) for p in periodicities]
        if self._buckets <= 0 or output_window_size <= 0 or any(p <= 0 for p in self._periodicities):
            raise AssertionError("num_time_buckets, output_window_size and periodicities must be positive")
        if not self._periodicities and not input_window_size:
            raise AssertionError("predictions need periodicities or an input window")

    def initialize_graph(self, input_statistics: InputStatistics | None = None) -> None:
        """Begin in a new graph, with new layers."""
        super().initialize_graph(input_statistics=input_statistics)
        self._model_scope = variable_scope("model/", use_resource=True)
        self._model_instance = self._model_factory(
            num_features=self.num_features,
            input_window_size=self.input_window_size,
            output_window_size=self.output_window_size,
        )

    def get_start_state(self) -> tuple[Any, Any, Any]:
        """An input window of zeros: times, values and regressors."""
        size = self.input_window_size
        return (
            constants.zeros([size], dtype=dtypes.int64),
            constants.zeros([size, self.num_features], dtype=self.dtype),
            constants.zeros([size, self.exogenous_size], dtype=self.dtype),
        )

    def random_model_parameters(self, seed: int | None = None) -> None:
        """Nothing: the model has no parameters to draw."""

    def generate(
        self, number_of_series: int, series_length: int, model_parameters: Any = None, seed: int | None = None
    ) -> None:
        """Nothing: the model does not generate series."""

    # -- one window --

    def prediction_ops(self, times: Any, values: Any, exogenous_regressors: Any) -> Features:
        """The mean and covariance of the output window; values are those of the input window."""
        times.shape.assert_is_compatible_with([None, self.window_size])
        batch_size = arrays.shape(times)[0]
        if self.input_window_size:
            values.shape.assert_is_compatible_with([None, self.input_window_size, self.num_features])
        if exogenous_regressors is not None:
            exogenous_regressors.shape.assert_is_compatible_with([None, self.window_size, self.exogenous_size])
        before: list[Any] = []
        behind: list[Any] = []
        sizes = (self.input_window_size, self.output_window_size)
        time_size = self._buckets * len(self._periodicities)
        if self._periodicities:
            time_features = self._compute_time_features(times)[1]
            time_features = arrays.reshape(time_features, [batch_size, self.window_size, time_size])
            of_input, of_output = joining.split(time_features, sizes, axis=1)
            before.append(of_input)
            behind.append(of_output)
        if self.input_window_size:
            read = slicing.slice_(values, [0, 0, 0], [-1, self.input_window_size, -1])
            before.append(arrays.reshape(read, [batch_size, self.input_window_size, self.num_features]))
        if self.exogenous_size:
            of_input, of_output = joining.split(exogenous_regressors, sizes, axis=1)
            before.append(of_input)
            behind.append(of_output)
        input_features = joining.concat(before, axis=2)
        if behind:
            output_features = joining.concat(behind, axis=2)
        else:
            output_features = constants.zeros([batch_size, self.output_window_size, 0], dtype=self.dtype)
        static_batch_size = times.shape.dims[0].value
        of_both = time_size + self.exogenous_size
        of_values = self.num_features if self.input_window_size else 0
        input_features.set_shape([static_batch_size, self.input_window_size, of_both + of_values])
        output_features.set_shape([static_batch_size, self.output_window_size, of_both])
        return self._output_window_predictions(input_features, output_features)

    def _output_window_predictions(self, input_window_features: Any, output_window_features: Any) -> Features:
        with self._model_scope:
            predictions = self._model_instance(input_window_features, output_window_features)
            for each in predictions.values():
                each.set_shape([None, self.output_window_size, self.num_features])
            return predictions

    def loss_op(self, targets: Any, prediction_ops: Features) -> Any:
        """The mean over targets of -log p(target), or of the squared difference."""
        mean = prediction_ops["mean"]
        if self.loss == ARModel.NORMAL_LIKELIHOOD_LOSS:
            sigma = powers.sqrt(arithmetic.maximum(prediction_ops["covariance"], 1e-5))
            loss = -reductions.reduce_sum(normal_log_prob(targets, sigma, mean))
        elif self.loss == ARModel.SQUARED_LOSS:
            loss = reductions.reduce_sum(arithmetic.squared_difference(mean, targets))
        else:
            raise AssertionError(self.loss)
        return loss / casts.cast(reductions.reduce_prod(arrays.shape(targets)), loss.dtype)

    def _process_exogenous_features(self, times: Any, features: Features) -> Any:
        embedded = super()._process_exogenous_features(times=times, features=features)
        if embedded is not None:
            return embedded
        return constants.zeros(joining.concat([arrays.shape(times), constants.constant([0])], axis=0))

    def _compute_time_features(self, time: Any) -> tuple[Any, Any]:
        """[batch, window, periods, buckets]: how far a time lies in its bucket of each period, 0 in the others."""
        batch_size = arrays.shape(time)[0]
        shape = [1, 1, len(self._periodicities), 1]
        periods = constants.constant(self._periodicities, shape=shape, dtype=time.dtype)
        time = arrays.reshape(time, [batch_size, -1, 1, 1])
        offset = time / self._periodicities
        within = casts.cast(time % periods, self.dtype) * self._buckets / casts.cast(periods, self.dtype)
        starts = arrays.reshape(constants.range_(self._buckets, dtype=self.dtype), [1, 1, 1, self._buckets])
        within = relu(within - starts)
        return offset, comparison.where_v2(within < 1.0, within, constants.zeros_like(within))

    def _process_window(self, features: Features, mode: str, exogenous_regressors: Any) -> ModelOutputs:
        """The loss and predictions of windows of one input and one output."""
        size = self.input_window_size
        times = casts.cast(features[TIMES], dtypes.int64)
        observed = casts.cast(features[VALUES], dtype=self.dtype)
        regressors = casts.cast(exogenous_regressors, dtype=self.dtype)
        if not times.shape.is_compatible_with([None, self.window_size]):
            raise ValueError(
                f"ARModel with input_window_size={size} and output_window_size={self.output_window_size} expects "
                f"feature '{TIMES}' to have shape (batch_size, {self.window_size}) (for any batch_size), but got shape "
                f"{times.shape}. If you are using RandomWindowInputFn, set window_size={self.window_size} or adjust "
                "the input_window_size and output_window_size arguments to ARModel."
            )
        values = self._scale_data(observed)
        predictions = self.prediction_ops(times, values[:, :size, :] if size > 0 else None, regressors)
        mean, covariance = predictions["mean"], predictions["covariance"]
        targets = slicing.slice_(values, [0, size, 0], [-1, -1, -1])
        targets.shape.assert_is_compatible_with(mean.shape)
        if mode == ModeKeys.EVAL and self.loss == ARModel.SQUARED_LOSS:
            loss = self.loss_op(self._scale_back_data(targets), {"mean": self._scale_back_data(mean)})
        else:
            loss = self.loss_op(targets, predictions)
        mean, covariance = self._scale_back_data(mean), self._scale_back_variance(covariance)
        return ModelOutputs(
            loss=loss,
            end_state=(times[:, -size:], values[:, -size:, :], regressors[:, -size:, :]),
            predictions={
                "mean": mean, "covariance": covariance, "observed": observed[:, -self.output_window_size:],
            },
            prediction_times=times[:, -self.output_window_size:],
        )  # fmt: skip

    # -- windows of any length --

    def get_batch_loss(self, features: Features, mode: str, state: Any) -> ModelOutputs:
        """The loss of windows of ``window_size``; in evaluation of longer ones too, cut into output windows.

        Raises:
          ValueError: the windows are too short, or the mode is neither training nor evaluation.
        """
        features = {name: convert_to_tensor(value) for name, value in features.items()}
        times = features[TIMES]
        others = {key: value for key, value in features.items() if key not in (TIMES, VALUES, STATE)}
        regressors = self._process_exogenous_features(times=times, features=others)
        if mode == ModeKeys.TRAIN:
            return self._process_window(features, mode=mode, exogenous_regressors=regressors)
        if mode == ModeKeys.EVAL:
            return self._evaluated(features, times, regressors, state)
        raise ValueError(f"Unknown mode '{mode}' passed to get_batch_loss.")

    def _evaluated(self, features: Features, times: Any, regressors: Any, state: Any) -> ModelOutputs:
        size, step = self.input_window_size, self.output_window_size
        times.shape.assert_has_rank(2)
        static_size = times.shape.dims[1].value
        if static_size is not None and static_size < self.window_size:
            raise ValueError(
                "ARModel requires a window of at least input_window_size + output_window_size to evaluate on "
                f"(input_window_size={size}, output_window_size={step}, and got shape {times.shape} for feature "
                f"'{TIMES}' (batch size, window size))."
            )
        count = (arrays.shape(times)[1] - size) // step
        predicted_size = count * step
        read_size = predicted_size + size
        features = {name: value[:, -read_size:] for name, value in features.items()}

        def is_within(number: Any, *written: Any) -> Any:
            return number < count

        def window(number: Any, losses: Any, means: Any, covariances: Any) -> tuple[Any, ...]:
            start = number * step
            outputs = self._process_window(
                features={name: value[:, start : start + self.window_size] for name, value in features.items()},
                mode=ModeKeys.EVAL,
                exogenous_regressors=regressors[:, start : start + self.window_size],
            )
            return (
                number + 1,
                losses.write(number, outputs.loss),
                means.write(number, outputs.predictions["mean"]),
                covariances.write(number, outputs.predictions["covariance"]),
            )

        written = [TensorArray(dtype=self.dtype, size=count) for _ in range(3)]
        _, losses, means, covariances = while_loop(is_within, window, [0, *written])
        values = casts.cast(features[VALUES], dtype=self.dtype)
        shape = [arrays.shape(times)[0], step * count, self.num_features]

        end_state = self._end_state(state, times, values, regressors) if size > 0 else state
        return ModelOutputs(
            loss=reductions.reduce_mean(losses.stack(), axis=0),
            end_state=end_state,
            predictions={
                "mean": arrays.reshape(permuting.transpose(means.stack(), [1, 0, 2, 3]), shape),
                "covariance": arrays.reshape(permuting.transpose(covariances.stack(), [1, 0, 2, 3]), shape),
                "observed": values[:, -predicted_size:],
            },
            prediction_times=times[:, -predicted_size:],
        )

    def _end_state(self, state: Any, times: Any, values: Any, regressors: Any) -> tuple[Any, Any, Any]:
        """The last input window of what was before and what was read."""
        size = self.input_window_size
        old_times, old_values, old_regressors = state
        new_times = joining.concat([old_times, casts.cast(times, dtype=dtypes.int64)], axis=1)[:, -size:]
        new_times.set_shape((None, size))
        new_values = joining.concat([old_values, self._scale_data(values)], axis=1)[:, -size:, :]
        new_values.set_shape((None, size, self.num_features))
        new_regressors = joining.concat([old_regressors, regressors], axis=1)[:, -size:, :]
        new_regressors.set_shape((None, size, self.exogenous_size))
        return new_times, new_values, new_regressors

    # -- prediction --

    def predict(self, features: Features) -> Features:
        """The mean and covariance at times that follow a state, window after window of predictions."""
        if not self._graph_initialized:
            self.initialize_graph()
        size, step = self.input_window_size, self.output_window_size
        times = casts.cast(convert_to_tensor(features[TIMES]), dtypes.int32)
        others = {key: value for key, value in features.items() if key not in (TIMES, VALUES, STATE)}
        regressors = self._process_exogenous_features(times=times, features=others)
        with scopes.control_dependencies([checks.assert_equal(arrays.shape(times)[1], arrays.shape(regressors)[1])]):
            regressors = arrays.identity(regressors)
        batch_size, wanted = arrays.shape(times)[0], arrays.shape(times)[1]
        count = (wanted + step - 1) // step
        rest = count * step - wanted
        times = padding.pad(times, [[0, 0], [0, rest]])
        regressors = padding.pad(regressors, [[0, 0], [0, rest], [0, 0]])
        first = self._first_window(features[STATE], times, regressors)
        first_times, first_values, first_regressors = first

        def is_within(number: Any, *rest: Any) -> Any:
            return comparison.less(number, count)

        def window(number: Any, in_times: Any, in_values: Any, in_regressors: Any, means: Any, spreads: Any) -> Any:
            predictions = self.prediction_ops(in_times, in_values, in_regressors)
            mean = predictions["mean"]
            start = step * arithmetic.minimum(number + 1, count - 1)
            if size == 0:
                new_values = in_values
                new_regressors = regressors[:, start : start + step, :]
                new_times = times[:, start : start + step]
            elif step < size:
                new_values = joining.concat([in_values[:, step:, :], mean], 1)
                new_regressors = joining.concat(
                    [in_regressors[:, -size:, :], regressors[:, start : start + step, :]], axis=1
                )
                new_times = joining.concat([in_times[:, -size:], times[:, start : start + step]], 1)
            else:
                new_values = mean[:, -size:, :]
                new_regressors = regressors[:, start - size : start + step, :]
                new_times = times[:, start - size : start + step]
            new_times.set_shape(first_times.shape)
            new_regressors.set_shape(first_regressors.shape)
            means = means.write(number, mean)
            if isinstance(spreads, TensorArray):
                spreads = spreads.write(number, predictions["covariance"])
            return number + 1, new_times, new_values, new_regressors, means, spreads

        has_spread = self.loss != ARModel.SQUARED_LOSS
        spreads: Any = TensorArray(dtype=self.dtype, size=count) if has_spread else 0.0
        means = TensorArray(dtype=self.dtype, size=count)
        *_, means, spreads = while_loop(
            is_within, window, [0, first_times, first_values, first_regressors, means, spreads]
        )

        def joined(written: Any) -> Any:
            length = count * step
            stacked = permuting.transpose(written.stack(), [1, 0, 2, 3])
            return arrays.reshape(stacked, joining.stack([batch_size, length, -1]))[:, :wanted, :]

        mean = joined(means)
        covariance = joined(spreads) if has_spread else constants.ones_like(mean)
        return {"mean": self._scale_back_data(mean), "covariance": self._scale_back_variance(covariance)}

    def _first_window(self, state: Any, times: Any, regressors: Any) -> tuple[Any, Any, Any]:
        """The times of the first window with its output, the values of its input, and its regressors."""
        size, step = self.input_window_size, self.output_window_size
        old_times, old_values, old_regressors = state
        old_times = casts.cast(convert_to_tensor(old_times), dtypes.int32)
        old_values = convert_to_tensor(old_values, dtype=self.dtype)
        old_regressors = convert_to_tensor(old_regressors, dtype=self.dtype)
        first_times = times[:, :step]
        first_regressors = regressors[:, :step, :]
        if size == 0:
            return first_times, 0, first_regressors
        first_times = joining.concat([old_times[:, -size:], first_times], 1)
        values_size, times_size = arrays.shape(old_values)[1], arrays.shape(old_times)[1]
        with scopes.control_dependencies(
            [checks.assert_greater_equal(values_size, size), checks.assert_equal(values_size, times_size)]
        ):
            values = old_values[:, -size:, :]
            both = [old_regressors[:, -size:, :], first_regressors[:, :step, :]]
            return first_times, values, joining.concat(both, axis=1)


class AnomalyMixtureARModel(ARModel):
    """An ``ARModel`` whose targets are anomalies with a prior probability: wide normal or Cauchy values."""

    GAUSSIAN_ANOMALY = "gaussian"
    CAUCHY_ANOMALY = "cauchy"

    def __init__(
        self,
        periodicities: Any,
        anomaly_prior_probability: float,
        input_window_size: int,
        output_window_size: int,
        num_features: int,
        prediction_model_factory: Callable[..., Any] = FlatPredictionModel,
        anomaly_distribution: str = GAUSSIAN_ANOMALY,
        num_time_buckets: int = 10,
        exogenous_feature_columns: Sequence[Any] | None = None,
    ) -> None:
        if not 0.0 < anomaly_prior_probability < 1.0:
            raise AssertionError(f"anomaly_prior_probability must lie between 0 and 1, not {anomaly_prior_probability}")
        if anomaly_distribution not in (self.GAUSSIAN_ANOMALY, self.CAUCHY_ANOMALY):
            raise AssertionError(f"anomaly_distribution must be 'gaussian' or 'cauchy', not {anomaly_distribution!r}")
        self._anomaly_prior_probability = anomaly_prior_probability
        self._anomaly_distribution = anomaly_distribution
        super().__init__(
            periodicities=periodicities,
            num_features=num_features,
            num_time_buckets=num_time_buckets,
            input_window_size=input_window_size,
            output_window_size=output_window_size,
            loss=ARModel.NORMAL_LIKELIHOOD_LOSS,
            prediction_model_factory=prediction_model_factory,
            exogenous_feature_columns=exogenous_feature_columns,
        )

    def prediction_ops(self, times: Any, values: Any, exogenous_regressors: Any) -> Features:
        """The mean and covariance of the output window, and the width of anomalies."""
        predictions = super().prediction_ops(times, values, exogenous_regressors)
        width = get_variable("anomaly_log_param", shape=[], dtype=self.dtype, initializer=zeros_initializer())
        predictions["anomaly_params"] = exponentials.exp(width)
        return predictions

    def _anomaly_log_prob(self, targets: Any, prediction_ops: Features) -> Any:
        mean, width = prediction_ops["mean"], prediction_ops["anomaly_params"]
        if self._anomaly_distribution == self.GAUSSIAN_ANOMALY:
            return normal_log_prob(targets, powers.sqrt(arithmetic.maximum(width, 1e-5)), mean)
        return cauchy_log_prob(targets, width, mean)

    def loss_op(self, targets: Any, prediction_ops: Features) -> Any:
        """The mean of -log((1 - p) p(target) + p p(target as an anomaly))."""
        prior = self._anomaly_prior_probability
        sigma = powers.sqrt(arithmetic.maximum(prediction_ops["covariance"], 1e-5))
        usual = normal_log_prob(targets, sigma, prediction_ops["mean"])
        usual += exponentials.log(1 - prior)
        anomalous = self._anomaly_log_prob(targets, prediction_ops)
        anomalous += exponentials.log(prior)
        low, high = arithmetic.minimum(usual, anomalous), arithmetic.maximum(usual, anomalous)
        mixed = high + exponentials.log(1 + exponentials.exp(low - high))
        loss = -reductions.reduce_sum(mixed)
        return loss / casts.cast(reductions.reduce_prod(arrays.shape(targets)), self.dtype)
