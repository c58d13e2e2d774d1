"""Statistics of a series that are gathered while a model trains on batches of it.

Source: TensorFlow 1.15.5, ``tf.contrib.timeseries.python.timeseries.math_utils``.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from retrograd.estimator.time_series.keys import TrainEvalFeatures
from retrograd.graph import dtypes, nest, scopes
from retrograd.nn.moments import moments
from retrograd.ops import arithmetic, arrays, casts, constants, joining, ranking, reductions, repeating, rounding
from retrograd.ops import state as assigning
from retrograd.ops.conditions import cond
from retrograd.ops.control import group, no_op
from retrograd.state.initializers import ones_initializer, zeros_initializer
from retrograd.state.scopes import get_variable, variable_scope

Features = dict[str, Any]


class Moments(NamedTuple):
    """The mean and variance of each feature."""

    mean: Any
    variance: Any


class InputStatistics(NamedTuple):
    """What is known of a series: moments of its start and of all of it, its first time, and its length."""

    series_start_moments: Moments
    overall_feature_moments: Moments
    start_time: Any
    total_observation_count: Any


class _Sums(NamedTuple):
    """What the statistics are computed from."""

    max_time_seen: Any
    chunk_count: Any
    inter_observation_duration_sum: Any
    example_count: Any
    overall_feature_sum: Any
    overall_feature_sum_of_squares: Any


class InputStatisticsFromMiniBatch:
    """Statistics in variables, brought up to date with each batch.

    ``starting_variance_window_size`` is how many observations count as the start of the series.
    """

    def __init__(self, num_features: int, dtype: Any, starting_variance_window_size: int = 16) -> None:
        self._starting_variance_window_size = starting_variance_window_size
        self._num_features = num_features
        self._dtype = dtype

    def initialize_graph(self, features: Features, update_statistics: bool = True) -> InputStatistics:
        """The statistics, after an update by the batch where it is there and wanted."""
        times = values = None
        if TrainEvalFeatures.TIMES in features and TrainEvalFeatures.VALUES in features:
            times, values = features[TrainEvalFeatures.TIMES], features[TrainEvalFeatures.VALUES]
        with variable_scope("input_statistics", use_resource=True):
            statistics = self._statistics()
        with variable_scope("input_statistics_auxiliary", use_resource=True):
            sums = self._sums()
        if not update_statistics or times is None or values is None:
            return statistics
        with scopes.control_dependencies([self._updated(statistics, sums, times, values)]):
            read = nest.pack_sequence_as(statistics, [arrays.identity(each) for each in nest.flatten(statistics)])
            # Other workers may have written a later start time.
            return read._replace(start_time=arithmetic.minimum(read.start_time, reductions.reduce_min(times)))

    def _variable(self, name: str, shape: list[int], dtype: Any, initializer: Any) -> Any:
        return get_variable(name=name, shape=shape, dtype=dtype, initializer=initializer, trainable=False)

    def _statistics(self) -> InputStatistics:
        shape, dtype = [self._num_features], self._dtype
        start = Moments(
            self._variable("series_start_mean", shape, dtype, zeros_initializer()),
            self._variable("series_start_variance", shape, dtype, ones_initializer()),
        )
        overall = Moments(
            self._variable("overall_feature_mean", shape, dtype, zeros_initializer()),
            self._variable("overall_feature_var", shape, dtype, ones_initializer()),
        )
        first = get_variable("start_time", dtype=dtypes.int64, initializer=dtypes.int64.max, trainable=False)
        count = self._variable("total_observation_count", [], dtypes.int64, ones_initializer())
        return InputStatistics(start, overall, first, count)

    def _sums(self) -> _Sums:
        shape, dtype = [self._num_features], self._dtype
        last = get_variable("max_time_seen", dtype=dtypes.int64, initializer=dtypes.int64.min, trainable=False)
        return _Sums(
            last,
            self._variable("chunk_count", [], dtypes.int64, zeros_initializer()),
            self._variable("inter_observation_duration_sum", [], dtype, zeros_initializer()),
            self._variable("example_count", [], dtypes.int64, None),
            self._variable("overall_feature_sum", shape, dtype, zeros_initializer()),
            self._variable("overall_feature_sum_of_squares", shape, dtype, zeros_initializer()),
        )

    def _updated(self, statistics: InputStatistics, sums: _Sums, times: Any, values: Any) -> Any:
        """The op that takes a batch into the statistics."""
        values = casts.cast(values, self._dtype)
        spans = casts.cast(reductions.reduce_max(times, axis=1) - reductions.reduce_min(times, axis=1), self._dtype)
        durations = spans / casts.cast(arrays.shape(times)[1] - 1, self._dtype)
        with scopes.device(sums.max_time_seen.device):
            last = arithmetic.maximum(sums.max_time_seen, reductions.reduce_max(times))
            last_time = assigning.assign(sums.max_time_seen, last)
        with scopes.device(sums.chunk_count.device):
            chunks = assigning.assign_add(sums.chunk_count, arrays.shape(times, out_type=dtypes.int64)[0])
        with scopes.device(sums.inter_observation_duration_sum.device):
            duration = assigning.assign_add(sums.inter_observation_duration_sum, reductions.reduce_sum(durations))
        with scopes.device(sums.example_count.device):
            examples = assigning.assign_add(sums.example_count, arrays.size(times, out_type=dtypes.int64))
        with scopes.device(sums.overall_feature_sum.device):
            total = assigning.assign_add(sums.overall_feature_sum, reductions.reduce_sum(values, axis=[0, 1]))
        with scopes.device(sums.overall_feature_sum_of_squares.device):
            squares = assigning.assign_add(
                sums.overall_feature_sum_of_squares, reductions.reduce_sum(values**2, axis=[0, 1])
            )
        with scopes.control_dependencies([group(last_time, chunks, duration, examples, total, squares)]):
            moments_updates = self._overall_moments(statistics, sums)
            start_updates = self._start(statistics, times, values)
            mean_duration = sums.inter_observation_duration_sum / casts.cast(sums.chunk_count, self._dtype)
            length = casts.cast(last_time - start_updates[1] + 1, self._dtype) / mean_duration
            count = assigning.assign(
                statistics.total_observation_count, casts.cast(rounding.round_(length), dtypes.int64)
            )
            return group(*moments_updates, *start_updates, count)

    def _overall_moments(self, statistics: InputStatistics, sums: _Sums) -> tuple[Any, Any]:
        """The mean, and the variance n / (n - 1) (sum of squares / n - mean^2), of all that was seen."""
        n = casts.cast(sums.example_count, self._dtype)
        mean = sums.overall_feature_sum / n
        overall = statistics.overall_feature_moments
        mean_update = assigning.assign(overall.mean, mean)
        variance = n / (n - 1.0) * (sums.overall_feature_sum_of_squares / n - mean**2)
        return mean_update, assigning.assign(overall.variance, variance)

    def _start(self, statistics: InputStatistics, times: Any, values: Any) -> tuple[Any, Any]:
        """The moments of the start of the series, where the batch has it, and the first time."""
        first = casts.cast(ranking.argmin(times[:, 0]), dtypes.int32)

        def read() -> Any:
            mean, variance = moments(values[first, : self._starting_variance_window_size], axes=[0])
            start = statistics.series_start_moments
            return group(assigning.assign(start.mean, mean), assigning.assign(start.variance, variance))

        with scopes.device(statistics.start_time.device):
            moments_update = cond(times[first, 0] <= statistics.start_time, read, no_op)
            with scopes.control_dependencies([moments_update]):
                earliest = arithmetic.minimum(statistics.start_time, reductions.reduce_min(times))
                return moments_update, assigning.assign(statistics.start_time, earliest)


def replicate_state(start_state: Any, batch_size: Any) -> Any:
    """The state of one series, for each series of a batch."""
    replicated = []
    for state in nest.flatten(start_state):
        with_axis = arrays.expand_dims(state, 0)
        times = joining.concat([[batch_size], constants.ones([arrays.rank(state)], dtype=dtypes.int32)], 0)
        replicated.append(repeating.tile(with_axis, times))
    return nest.pack_sequence_as(start_state, replicated)
