"""The names of ``tensorflow.python.data.experimental.ops.stats_ops``."""

from retrograd.data.experimental import (
    bytes_produced_stats,
    latency_stats,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
