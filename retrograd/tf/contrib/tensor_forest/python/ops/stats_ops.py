"""The names of ``tensorflow.contrib.tensor_forest.python.ops.stats_ops``."""

from retrograd.contrib.forests import fertile_stats_variable
from retrograd.faces import missing

__getattr__ = missing(__name__)
