"""The names of ``tensorflow.python.data.experimental.ops.stats_options``."""

from retrograd.data.options import StatsOptions
from retrograd.faces import missing

__getattr__ = missing(__name__)
