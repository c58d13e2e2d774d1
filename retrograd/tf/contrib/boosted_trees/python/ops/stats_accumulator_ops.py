"""The names of ``tensorflow.contrib.boosted_trees.python.ops.stats_accumulator_ops``."""

from retrograd.estimator.gradient_trees.resources import StatsAccumulator, StatsAccumulatorSaveable
from retrograd.faces import missing
from retrograd.tf.contrib.boosted_trees.python.ops import gen_stats_accumulator_ops

__getattr__ = missing(__name__)
