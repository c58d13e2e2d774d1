"""The names of ``tensorflow.contrib.boosted_trees.python.ops.gen_stats_accumulator_ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__, raw=True)
