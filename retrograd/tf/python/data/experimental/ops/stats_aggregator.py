"""The names of ``tensorflow.python.data.experimental.ops.stats_aggregator``."""

from retrograd.data.statistics import StatsAggregator
from retrograd.data.statistics import StatsAggregator as StatsAggregatorV1
from retrograd.faces import missing

__getattr__ = missing(__name__)
