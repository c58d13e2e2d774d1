"""``tensorflow.python.eager.monitoring``: counts and gauges that a program keeps of itself, by name and labels.

TensorFlow hands them to the monitoring of a server; here they can be read back by the program.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Callable
from threading import Lock
from typing import Any, ClassVar
from weakref import WeakValueDictionary

from retrograd.graph import errors

_metrics: WeakValueDictionary[str, Metric] = WeakValueDictionary()


_MOST_LABELS = 2


class Metric:
    """A cell for each tuple of labels.

    Raises:
      AlreadyExistsError: another metric has the name.
      ValueError: there are more than two labels.
    """

    kind: ClassVar[Callable[[], Any]]  # of cells

    def __init__(self, name: str, description: str, *labels: str) -> None:
        kind = type(self).__name__
        if len(labels) > _MOST_LABELS:
            raise ValueError(f"Cannot create {kind} metric with label >= {_MOST_LABELS + 1}")
        if name in _metrics:
            raise errors.AlreadyExistsError(None, None, "Another metric with the same name already exists.")
        self._labels, self._lock = labels, Lock()
        self._cells: dict[tuple[str, ...], Any] = {}
        _metrics[name] = self

    def get_cell(self, *labels: str) -> Any:
        """The cell of ``labels``; the same labels have the same."""
        if len(labels) != len(self._labels):
            raise ValueError(f"The {type(self).__name__} expects taking {len(self._labels)} labels")
        with self._lock:
            if labels not in self._cells:
                self._cells[labels] = self._new_cell()
            return self._cells[labels]

    def _new_cell(self) -> Any:
        return type(self).kind()


class CounterCell:
    """A number that is only counted up."""

    def __init__(self) -> None:
        self._count, self._lock = 0, Lock()

    def increase_by(self, value: int) -> None:
        """Add ``value``."""
        with self._lock:
            self._count += value

    def value(self) -> int:
        """What was counted."""
        return self._count


class _GaugeCell:
    """What was set last."""

    dtype: ClassVar[Callable[..., Any]]

    def __init__(self) -> None:
        self._set = self.dtype()

    def set(self, value: Any) -> None:
        """Let ``value`` be its value."""
        self._set = self.dtype(value)

    def value(self) -> Any:
        """What was set last; 0, False or nothing before."""
        return self._set


class IntGaugeCell(_GaugeCell):
    """The integer that was set last."""

    dtype = int


class StringGaugeCell(_GaugeCell):
    """The text that was set last."""

    dtype = str


class BoolGaugeCell(_GaugeCell):
    """The truth value that was set last."""

    dtype = bool


class Counter(Metric):
    """Counts."""

    kind = CounterCell


class IntGauge(Metric):
    """Integers."""

    kind = IntGaugeCell


class StringGauge(Metric):
    """Texts."""

    kind = StringGaugeCell


class BoolGauge(Metric):
    """Truth values."""

    kind = BoolGaugeCell


class Buckets:
    """The upper limits of the buckets of a histogram."""

    def __init__(self, buckets: list[float]) -> None:
        self.buckets = buckets


class ExponentialBuckets(Buckets):
    """``scale`` and what is ``growth_factor`` times the one before, ``bucket_count`` in all; one limit for the rest."""

    def __init__(self, scale: float, growth_factor: float, bucket_count: int) -> None:
        super().__init__([*(scale * growth_factor**k for k in range(bucket_count)), sys.float_info.max])


class SamplerCell:
    """A histogram of samples."""

    def __init__(self, buckets: Buckets) -> None:
        from tensorboard.compat.proto.summary_pb2 import HistogramProto

        limits = buckets.buckets
        self._lock = Lock()
        self._histogram = HistogramProto(bucket_limit=limits, bucket=[0.0] * len(limits))
        self._histogram.min, self._histogram.max = sys.float_info.max, -sys.float_info.max

    def add(self, value: float) -> None:
        """Add a sample."""
        with self._lock:
            found = self._histogram
            found.min, found.max = min(found.min, value), max(found.max, value)
            found.num += 1
            found.sum += value
            found.sum_squares += value * value
            found.bucket[min(bisect_right(found.bucket_limit, value), len(found.bucket) - 1)] += 1

    def value(self) -> Any:
        """The ``HistogramProto`` of what was added."""
        with self._lock:
            copy = type(self._histogram)()
            copy.CopyFrom(self._histogram)
        return copy


class Sampler(Metric):
    """Histograms, all with the same buckets."""

    def __init__(self, name: str, buckets: Buckets, description: str, *labels: str) -> None:
        super().__init__(name, description, *labels)
        self._buckets = buckets

    def _new_cell(self) -> SamplerCell:
        return SamplerCell(self._buckets)
