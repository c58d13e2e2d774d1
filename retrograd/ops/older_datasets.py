"""Datasets under the names that they had while they were experimental, which graphs in files have kept."""

from __future__ import annotations

from retrograd.graph.definition import REGISTRY, renamed
from retrograd.ops import anonymous, dataset_files, dataset_stats, dataset_threads, datasets  # noqa: F401

_WORDS = """
    AssertNextDataset BytesProducedStatsDataset CSVDataset ChooseFastestDataset DatasetCardinality DatasetToTFRecord
    DenseToSparseBatchDataset DirectedInterleaveDataset GroupByReducerDataset GroupByWindowDataset
    IgnoreErrorsDataset LatencyStatsDataset MapAndBatchDataset MapDataset MatchingFilesDataset
    MaxIntraOpParallelismDataset NonSerializableDataset ParallelInterleaveDataset PrivateThreadPoolDataset
    RandomDataset ScanDataset SetStatsAggregatorDataset SlidingWindowDataset StatsAggregatorHandle
    StatsAggregatorSummary TakeWhileDataset ThreadPoolDataset ThreadPoolHandle UnbatchDataset UniqueDataset
    SleepDataset ParseExampleDataset IteratorGetDevice
"""
for _word in _WORDS.split():
    renamed(REGISTRY[_word], f"Experimental{_word}")
