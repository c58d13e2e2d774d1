"""Readers of time series, and input functions that cut what they read into windows.

Source: TensorFlow 1.15.5, ``tf.contrib.timeseries.python.timeseries.input_pipeline``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.estimator.inputs import numpy_input_fn
from retrograd.estimator.time_series.keys import FilteringResults, PredictionFeatures, TrainEvalFeatures
from retrograd.flow.loops import while_loop
from retrograd.flow.tensor_array import TensorArray
from retrograd.graph import dtypes, nest, scopes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import convert_to_tensor
from retrograd.graph.shapes import TensorShape
from retrograd.ops import (
    arrays,
    comparison,
    constants,
    decoding,
    indexing,
    joining,
    parsing,
    permuting,
    random,
    ranking,
    readers,
    reductions,
)
from retrograd.ops import state as assigning
from retrograd.ops.conditions import cond
from retrograd.state.initialization import is_variable_initialized
from retrograd.state.variables import VariableV1
from retrograd.train import input as queues

Features = dict[str, Any]
TIMES, VALUES = TrainEvalFeatures.TIMES, TrainEvalFeatures.VALUES


def predict_continuation_input_fn(
    evaluation: Features, steps: int | None = None, times: Any = None, exogenous_features: Features | None = None
) -> Callable[[], tuple[Features, None]]:
    """An input function for predictions that go on where an evaluation ended, for some steps or at given times.

    Raises:
      ValueError: both or none of ``steps`` and ``times``; times that do not follow the evaluation's.
    """
    following = times_behind(times, steps, previous_model_output=evaluation)
    features = {
        PredictionFeatures.STATE_TUPLE: evaluation[FilteringResults.STATE_TUPLE],
        PredictionFeatures.TIMES: following,
        **(exogenous_features or {}),
    }

    def once() -> tuple[Features, None]:
        def limited(value: Any) -> Any:
            return queues.limit_epochs(value, num_epochs=1)

        return {key: nest.map_structure(limited, values) for key, values in features.items()}, None

    return once


def times_behind(times: Any, steps: int | None, previous_model_output: Features) -> np.ndarray:
    """[batch, window] times of predictions behind an earlier output: ``times``, or the next ``steps``."""
    if steps is not None and times is not None:
        raise ValueError("Only one of `steps` and `times` may be specified.")
    if steps is None and times is None:
        raise ValueError("One of `steps` and `times` must be specified.")
    earlier = previous_model_output[FilteringResults.TIMES]
    if steps is not None:
        return earlier[:, -1:] + 1 + np.arange(steps)[None, ...]
    times = np.array(times)
    if times.ndim != 2:
        times = times[None, ...]
    if earlier.shape[0] != times.shape[0]:
        raise ValueError(
            "`times` must have a batch dimension matching the previous model output (got a batch dimension of "
            f"{times.shape[0]} for `times` and {earlier.shape[0]} for the previous model output)."
        )
    if not (earlier[:, -1] < times[:, 0]).all():
        raise ValueError("Prediction times must be after the corresponding previous model output.")
    return times


# -- readers -----------------------------------------------------------------------------------


class TimeSeriesReader:
    """Reads a series, chunk by chunk (``read``) or whole (``read_full``): tensors by the name of the feature."""

    def check_dataset_size(self, minimum_dataset_size: int) -> None:
        """Raises where the reader knows that the series is shorter than a window."""

    def read(self) -> Features:
        """One or more records, on a first axis of any length."""
        raise NotImplementedError

    def read_full(self) -> Features:
        """All records."""
        raise NotImplementedError


class NumpyReader(TimeSeriesReader):
    """Reads arrays: times [n], values [n] or [n, features], and other features [n, ...]."""

    def __init__(self, data: Features, read_num_records_hint: int = 4096) -> None:
        self._features = canonical(data, require_single_batch=True)
        self._read_num_records_hint = read_num_records_hint

    def check_dataset_size(self, minimum_dataset_size: int) -> None:
        """Raises ValueError where the series is shorter than ``minimum_dataset_size``."""
        size = self._features[TIMES].shape[1]
        if size < minimum_dataset_size:
            raise ValueError(
                f"A TimeSeriesInputFn is configured to create windows of size {minimum_dataset_size}, but only {size} "
                "records were available in the dataset. Either decrease the window size or provide more records."
            )

    def read(self) -> Features:
        """The next records, again from the first behind the last."""
        series = {key: np.squeeze(value, axis=0) for key, value in self._features.items()}
        return numpy_input_fn(x=series, batch_size=self._read_num_records_hint, num_epochs=None, shuffle=False)()

    def read_full(self) -> Features:
        """The arrays as tensors."""
        features = numpy_input_fn(x=self._features, batch_size=1, num_epochs=None, queue_capacity=2, shuffle=False)()
        return {name: arrays.squeeze(value, axis=0) for name, value in features.items()}


class ReaderBaseTimeSeriesParser(TimeSeriesReader):
    """Reads files with a reader op; kinds of it say which, and how records become features."""

    def __init__(self, filenames: Any, read_num_records_hint: int = 4096) -> None:
        self._filenames = filenames
        self._read_num_records_hint = read_num_records_hint

    def _get_reader(self) -> Any:
        raise NotImplementedError

    def _process_records(self, lines: Any) -> Features:
        raise NotImplementedError

    def _get_filename_queue(self, epoch_limit: int) -> tuple[Any, Any]:
        """A queue that yields the file names, and the count of its rounds, which ends a search in empty files."""
        limiter = VariableV1(
            initial_value=constants.constant(0, dtype=dtypes.int64), name="epoch_limiter", trainable=False,
            collections=[GraphKeys.LOCAL_VARIABLES],
        )  # fmt: skip
        names = arrays.reshape(convert_to_tensor(self._filenames), [-1])
        # Queues begin before local variables are initialized: until then rounds are not counted.
        counted = cond(
            is_variable_initialized(limiter),
            lambda: limiter.count_up_to(epoch_limit),
            lambda: constants.constant(0, dtype=dtypes.int64),
        )
        with scopes.control_dependencies([counted]):
            names = arrays.identity(names)
        return queues.string_input_producer(names, shuffle=False, capacity=1), limiter

    def read(self) -> Features:
        """The next records."""
        queue, limiter = self._get_filename_queue(epoch_limit=self._read_num_records_hint)
        reader = self._get_reader()
        with scopes.control_dependencies([assigning.assign(limiter, 0)]):
            _, records = reader.read_up_to(queue, self._read_num_records_hint)
        return self._process_records(records)

    def read_full(self) -> Features:
        """All records: reading stops where the first key comes again."""
        reader = self._get_reader()
        queue, limiter = self._get_filename_queue(epoch_limit=2)
        with scopes.control_dependencies([assigning.assign(limiter, 0)]):
            first_key, first_value = reader.read_up_to(queue, 1)

        def is_new(key: Any, value: Any, index: Any, records: Any) -> Any:
            return comparison.not_equal(arrays.squeeze(key, axis=0), arrays.squeeze(first_key, axis=0))

        def further(key: Any, value: Any, index: Any, records: Any) -> tuple[Any, ...]:
            next_key, next_value = reader.read_up_to(queue, 1)
            next_key.set_shape([1])
            next_value.set_shape([1])
            return next_key, next_value, index + 1, records.write(index, value)

        *_, collected = while_loop(
            is_new,
            further,
            [constants.constant([""]), first_value, 0, TensorArray(dtypes.string, size=0, dynamic_size=True)],
        )
        records = collected.concat()
        with scopes.control_dependencies([records]):
            reset = reader.reset()
        with scopes.control_dependencies([reset]):
            records = arrays.identity(records)
        return self._process_records(records)


class CSVReader(ReaderBaseTimeSeriesParser):
    """Reads lines of comma-separated values; columns of one name are one feature."""

    def __init__(
        self,
        filenames: Any,
        column_names: Sequence[str] = (TIMES, VALUES),
        column_dtypes: Sequence[Any] | None = None,
        skip_header_lines: int | None = None,
        read_num_records_hint: int = 4096,
    ) -> None:
        _check_required(column_names)
        if column_dtypes is not None and len(column_dtypes) != len(column_names):
            raise ValueError(
                "If specified, the length of column_dtypes must match the length of column_names (got "
                f"column_dtypes={column_dtypes} and column_names={column_names})."
            )
        if list(column_names).count(TIMES) != 1:
            raise ValueError(f"Got more than one times column ('{TIMES}'), but exactly one is required.")
        self._column_names = column_names
        self._column_dtypes = column_dtypes
        self._skip_header_lines = skip_header_lines
        super().__init__(filenames=filenames, read_num_records_hint=read_num_records_hint)

    def _get_reader(self) -> Any:
        return readers.TextLineReader(skip_header_lines=self._skip_header_lines)

    def _process_records(self, lines: Any) -> Features:
        if self._column_dtypes is None:
            defaults: list[Any] = [
                (constants.zeros([], dtypes.int64),) if name == TIMES else () for name in self._column_names
            ]
        else:
            defaults = [(constants.zeros([], dtype),) for dtype in self._column_dtypes]
        columns: dict[str, list[Any]] = {}
        for name, value in zip(self._column_names, decoding.decode_csv(lines, defaults), strict=True):
            columns.setdefault(name, []).append(value)
        return {n: values[0] if n == TIMES else joining.stack(values, axis=1) for n, values in columns.items()}


class TFExampleReader(ReaderBaseTimeSeriesParser):
    """Reads records of ``tf.train.Example``; ``features`` says how they are parsed."""

    def __init__(self, filenames: Any, features: Features) -> None:
        _check_required(features)
        self._features = features
        super().__init__(filenames=filenames)

    def _get_reader(self) -> Any:
        return readers.TFRecordReader()

    def _process_records(self, lines: Any) -> Features:
        return parsing.parse_example(serialized=lines, features=self._features)


def _check_required(names: Any) -> None:
    for name in (TIMES, VALUES):
        if name not in names:
            raise ValueError(f"'{name}' is a required column.")


# -- windows -----------------------------------------------------------------------------------


class TimeSeriesInputFn:
    """An input function that reads a series and cuts it into batches of windows."""

    def create_batch(self) -> tuple[Features, None]:
        """The features, each [batch, window, ...], and no labels."""
        raise NotImplementedError

    def __call__(self) -> tuple[Features, None]:
        return self.create_batch()


class WholeDatasetInputFn(TimeSeriesInputFn):
    """The whole series as one window."""

    def __init__(self, time_series_reader: TimeSeriesReader) -> None:
        self._reader = time_series_reader

    def create_batch(self) -> tuple[Features, None]:
        """The features, each [1, length of the series, ...]."""
        return {name: value[None, ...] for name, value in self._reader.read_full().items()}, None


class RandomWindowInputFn(TimeSeriesInputFn):
    """Batches of windows in random order, from a queue of windows that follow each other in the series.

    Args:
      queue_capacity_multiplier: how many batches of windows the queues hold.
      shuffle_min_after_dequeue_multiplier: how many batches stay in the queue to be shuffled.
      discard_out_of_order: windows with decreasing times are left out; without it they are sorted.
      discard_consecutive_batches_limit: so many batches left out in a row end the input.
      jitter: some observations between windows are left out at random.
      num_threads: of the queues; with one, and ``shuffle_seed``, the order is the same in each run.
    """

    def __init__(
        self,
        time_series_reader: TimeSeriesReader,
        window_size: int,
        batch_size: int,
        queue_capacity_multiplier: int = 1000,
        shuffle_min_after_dequeue_multiplier: int = 2,
        discard_out_of_order: bool = True,
        discard_consecutive_batches_limit: int = 1000,
        jitter: bool = True,
        num_threads: int | None = 2,
        shuffle_seed: int | None = None,
    ) -> None:
        self._reader = time_series_reader
        self._window_size = window_size
        self._reader.check_dataset_size(minimum_dataset_size=window_size)
        self._batch_size = batch_size
        self._queue_capacity_multiplier = queue_capacity_multiplier
        self._shuffle_min_after_dequeue_multiplier = shuffle_min_after_dequeue_multiplier
        self._discard_out_of_order = discard_out_of_order
        self._discard_limit = discard_consecutive_batches_limit
        self._jitter = jitter
        self._num_threads = batch_size if num_threads is None else num_threads
        self._shuffle_seed = shuffle_seed

    def create_batch(self) -> tuple[Features, None]:
        """The features, each [batch size, window size, ...]."""
        windows = self._windows(self._reader.read())
        times = windows[TIMES]
        keep: Any = True
        if self._discard_out_of_order:
            keep = self._in_order(times)
        else:
            _, descending = ranking.top_k(times, k=arrays.shape(times)[-1], sorted=True)
            order = permuting.reverse(descending, axis=[0])
            windows = {key: indexing.gather(params=value, indices=order) for key, value in windows.items()}
        batch = queues.maybe_shuffle_batch(
            windows,
            num_threads=self._num_threads,
            seed=self._shuffle_seed,
            batch_size=self._batch_size,
            capacity=self._queue_capacity_multiplier * self._batch_size,
            min_after_dequeue=self._shuffle_min_after_dequeue_multiplier * self._batch_size,
            keep_input=keep,
            enqueue_many=True,
        )
        return batch, None

    def _windows(self, features: Features) -> Features:
        """[windows, window size, ...] of what the reader read; as many windows at a time as a batch has."""
        jitter: Any = random.random_uniform(shape=[], maxval=2, dtype=dtypes.int32) if self._jitter else 0
        count, size = self._batch_size, self._window_size
        read = queues.batch(
            features,
            batch_size=size * count + jitter,
            enqueue_many=True,
            capacity=self._queue_capacity_multiplier * count * size,
            num_threads=self._num_threads,
        )
        kept = {key: value[jitter:] for key, value in read.items()} if self._jitter else read
        windows = {
            key: arrays.reshape(value, joining.concat([[count, size], arrays.shape(value)[1:]], axis=0))
            for key, value in kept.items()
        }
        for key, value in windows.items():
            value.set_shape(TensorShape([count, size]).concatenate(read[key].shape[1:]))
        return windows

    def _in_order(self, times: Any) -> Any:
        """Which windows have times that do not decrease; many batches in a row with none end the input."""
        in_order = reductions.reduce_all(times[:, 1:] >= times[:, :-1], axis=1)
        limiter = VariableV1(
            initial_value=constants.constant(0, dtype=dtypes.int64), name="discarded_windows_limiter",
            trainable=False, collections=[GraphKeys.LOCAL_VARIABLES],
        )  # fmt: skip

        def counted() -> Any:
            return cond(
                reductions.reduce_any(in_order),
                lambda: assigning.assign(limiter, 0),
                lambda: limiter.count_up_to(self._discard_limit),
            )

        checked = cond(is_variable_initialized(limiter), counted, lambda: constants.constant(0, dtype=dtypes.int64))
        with scopes.control_dependencies([checked]):
            return arrays.identity(in_order)


# -- arrays ------------------------------------------------------------------------------------


def canonical(data: Features, require_single_batch: bool) -> Features:
    """Arrays of a series with all their axes: times [batch, n], values [batch, n, features], others [batch, n, ...].

    Raises:
      ValueError: a required feature is missing, or shapes do not fit each other.
    """
    features = {key: np.array(value) for key, value in data.items()}
    if TIMES not in features or VALUES not in features:
        raise ValueError(f"{TIMES} and {VALUES} are required features.")
    times, values = features[TIMES], features[VALUES]
    for key, value in features.items():
        if value.shape[: times.ndim] != times.shape:
            raise ValueError(
                "All features must have their shapes prefixed by the shape of the times feature. Got shape "
                f"{value.shape} for feature '{key}', but shape {times.shape} for '{TIMES}'"
            )
    if times.ndim > 2:
        raise ValueError(
            "Got an unexpected number of dimensions for times. Was expecting at most two ([batch size, series "
            f"length]), but got shape {times.shape}."
        )
    if times.ndim < 2:
        if values.ndim == times.ndim:
            features[VALUES] = values[..., None]
        elif values.ndim > times.ndim + 1:
            what, lacks = (
                ("1 dimension ([number of features])", "batch or time dimension"),
                ("2 dimensions ([series length, number of features])", "batch dimension"),
            )[times.ndim]
            raise ValueError(
                f"Got an unexpected number of dimensions for the '{VALUES}' feature. Was expecting at most {what} "
                f"since '{TIMES}' does not have a {lacks}, but got shape {values.shape}"
            )
        missing = (None,) * (2 - times.ndim)
        features = {key: value[(*missing, ...)] for key, value in features.items()}
    if require_single_batch and features[TIMES].shape[0] != 1:
        raise ValueError("Got batch input, was expecting unbatched input.")
    return features
