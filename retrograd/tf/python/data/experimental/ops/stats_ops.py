"""The names of ``tensorflow.python.data.experimental.ops.stats_ops``."""

from retrograd.data.statistics import (
    bytes_produced_stats,
    latency_stats,
    set_stats_aggregator,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
