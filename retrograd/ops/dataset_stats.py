"""What a pipeline tells of itself while it is gone through: how long elements take, how large they are, how many."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph.definition import Effect, define, not_differentiable
from retrograd.graph.values import in_array
from retrograd.ops.dataset_recipes import recipe
from retrograd.ops.dataset_states import Dataset, Element, Next, Scope, bytes_of, unwrapped
from retrograd.ops.datasets import dataset_op
from retrograd.ops.queues import resource_of
from retrograd.ops.summaries import bucket_limits, write_buckets
from retrograd.ops.whole_files import texts


class _Histogram:
    """How many numbers lie in each bucket, and their moments."""

    def __init__(self) -> None:
        self.counts = np.zeros(len(bucket_limits()), np.int64)
        self.least, self.most = np.inf, -np.inf
        self.sum = self.sum_squares = 0.0

    def add(self, value: float) -> None:
        place = np.searchsorted(bucket_limits(), value, "right")
        self.counts[min(int(place), len(self.counts) - 1)] += 1
        self.least, self.most = min(self.least, value), max(self.most, value)
        self.sum += value
        self.sum_squares += value * value


class Gathered:
    """Numbers by tag, of the iterators of some pipelines."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.histograms: dict[str, _Histogram] = {}
        self.scalars: dict[str, float] = {}

    def add(self, tag: str, value: float) -> None:
        """One more number of many."""
        with self.lock:
            self.histograms.setdefault(tag, _Histogram()).add(value)

    def put(self, tag: str, value: float, adds: bool = False) -> None:
        """The latest number; with ``adds`` on top of the one before."""
        with self.lock:
            self.scalars[tag] = value + (self.scalars.get(tag, 0.0) if adds else 0.0)

    def summary(self) -> bytes:
        """All as a serialized ``Summary``."""
        from tensorboard.compat.proto.summary_pb2 import Summary

        proto = Summary()
        with self.lock:
            for tag, histogram in self.histograms.items():
                written = proto.value.add(tag=tag).histo
                written.min, written.max = histogram.least, histogram.most
                written.num, written.sum = histogram.counts.sum(), histogram.sum
                written.sum_squares = histogram.sum_squares
                write_buckets(written, histogram.counts)
            for tag, value in self.scalars.items():
                proto.value.add(tag=tag, simple_value=value)
        data: bytes = proto.SerializeToString()
        return data


class Recorder:
    """The way of a pipeline's iterators to an aggregator."""

    def __init__(self, aggregator: Gathered, prefix: str, dataset: Dataset) -> None:
        self.aggregator, self.prefix = aggregator, f"{prefix}::" if prefix else ""
        self.numbers: dict[Any, int] = {}  # of calls of transformations
        self._number(dataset, 0)

    def _number(self, dataset: Dataset, count: int) -> int:
        """Numbers a dataset as a node among those that it is made of, its numbers included."""
        if dataset.made in self.numbers or dataset.made is None:
            return count + (dataset.made is None)
        for source in dataset.made.sources:
            count = self._number(source, count)
        count += sum(isinstance(x, int | str | bytes) for x in dataset.made.arguments)
        self.numbers[dataset.made] = count
        return count + 1

    def name(self, kind: str, dataset: Dataset) -> str:
        """The name of a dataset of this kind."""
        return f"{kind}/_{self.numbers.get(dataset.made, 0)}"

    def add(self, tag: str, value: float) -> None:
        """One more number of many."""
        self.aggregator.add(self.prefix + tag, value)

    def put(self, tag: str, value: float, adds: bool = False) -> None:
        """The latest number; with ``adds`` on top of the one before."""
        self.aggregator.put(self.prefix + tag, value, adds)


@recipe("LatencyStats")
def timed(source: Dataset, tag: str) -> Dataset:
    """The same elements; it is recorded how many microseconds each takes."""
    return _measured(source, tag, lambda element, seconds: round(seconds * 1e6))


@recipe("BytesProducedStats")
def weighed(source: Dataset, tag: str) -> Dataset:
    """The same elements; it is recorded how many bytes each has."""
    return _measured(source, tag, lambda element, seconds: sum(map(bytes_of, element)))


def _measured(source: Dataset, tag: str, measure: Callable[[Element, float], int]) -> Dataset:
    """The same elements; it is recorded what ``measure`` says of each and of the seconds that it took."""

    def make(scope: Scope) -> Next:
        inner, stats = source.make(scope), scope.stats
        if stats is None:
            return inner

        def following() -> Element:
            start = time.perf_counter()
            element = inner()
            stats.add(tag, float(measure(element, time.perf_counter() - start)))
            return element

        return following

    return Dataset(make, source.cardinality, [source])


@recipe("SetStatsAggregator")
def recorded(source: Dataset, aggregator: Gathered, prefix: str, counter_prefix: str) -> Dataset:
    """The same elements; what the pipeline tells goes to ``aggregator``."""

    def make(scope: Scope) -> Next:
        inner = Scope(scope.memory, scope.rewriting, scope)
        inner.stats = Recorder(aggregator, prefix, source)
        return source.make(inner)

    return Dataset(make, source.cardinality)


def _tagged(function: Any) -> Any:
    return lambda xp, memory, dataset, tag: function(unwrapped(dataset), texts(tag)[0].decode(errors="replace"))


def _recorded(xp: Any, memory: Any, dataset: Any, aggregator: Any, tag: Any, prefix: Any) -> Any:
    words = [texts(x)[0].decode(errors="replace") for x in (tag, prefix)]
    return recorded(unwrapped(dataset), aggregator, *words)


LATENCY_STATS = dataset_op("LatencyStatsDataset", "input_dataset: variant, tag: string", _tagged(timed))
BYTES_PRODUCED_STATS = dataset_op("BytesProducedStatsDataset", "input_dataset: variant, tag: string", _tagged(weighed))
SET_STATS_AGGREGATOR = dataset_op(
    "SetStatsAggregatorDataset",
    "input_dataset: variant, stats_aggregator: resource, tag: string, counter_prefix: string",
    _recorded,
)
STATS_AGGREGATOR_HANDLE = define(
    "StatsAggregatorHandle", "", "handle: resource", attrs={"container": "", "shared_name": ""}, shape=lambda: (),
    kernel=lambda xp, memory, *, container, shared_name: resource_of(
        memory, container, shared_name, lambda name: Gathered()
    ),
    effect=Effect.HOST, gradient=not_differentiable,
)  # fmt: skip
STATS_AGGREGATOR_SUMMARY = define(
    "StatsAggregatorSummary", "iterator: resource", "summary: string", shape=lambda iterator: (),
    kernel=lambda xp, memory, aggregator: in_array(aggregator.summary()), effect=Effect.HOST,
    gradient=not_differentiable,
)  # fmt: skip
