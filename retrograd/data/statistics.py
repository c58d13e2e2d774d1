"""``tf.data.experimental.StatsAggregator``: what pipelines tell of themselves, as a summary."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.data.dataset import Dataset
from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import dataset_stats as ops

Transformation = Callable[[Dataset], Dataset]


class StatsAggregator:
    """Gathers what the iterators of a dataset tell that has it among its options: ``experimental_stats.aggregator``."""

    def __init__(self) -> None:
        self._resource = apply(ops.STATS_AGGREGATOR_HANDLE)

    def get_summary(self) -> Tensor:
        """A serialized ``tf.Summary`` of what was gathered: histograms, and of counts the latest."""
        return apply(ops.STATS_AGGREGATOR_SUMMARY, self._resource)  # type: ignore[no-any-return]


def latency_stats(tag: Any) -> Transformation:
    """The same elements; a ``StatsAggregator`` is told how many microseconds each took."""
    return lambda dataset: dataset._same(ops.LATENCY_STATS, as_tensor(tag, dtypes.string))


def bytes_produced_stats(tag: Any) -> Transformation:
    """The same elements; a ``StatsAggregator`` is told how many bytes each has."""
    return lambda dataset: dataset._same(ops.BYTES_PRODUCED_STATS, as_tensor(tag, dtypes.string))


def set_stats_aggregator(
    stats_aggregator: StatsAggregator, prefix: str = "", counter_prefix: str = ""
) -> Transformation:
    """The same elements; what the pipeline tells goes to ``stats_aggregator``, by names that begin with ``prefix``."""
    return lambda dataset: _told(dataset, stats_aggregator, prefix, counter_prefix)


def _told(dataset: Dataset, aggregator: Any, prefix: str | None, counter_prefix: str | None) -> Dataset:
    from retrograd.graph.scopes import name_scope

    with name_scope("SetStatsAggregatorDataset") as scope:
        words = [
            as_tensor(word or "", dtypes.string, name=name)
            for word, name in ((prefix, "tag"), (counter_prefix, "counter_prefix"))
        ]
    return dataset._same(ops.SET_STATS_AGGREGATOR, aggregator._resource, *words, name=scope)
