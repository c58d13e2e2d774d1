"""The names of ``tensorflow.contrib.boosted_trees.python.ops.prediction_ops``."""

from retrograd.faces import missing
from retrograd.tf.contrib.boosted_trees.python.ops import gen_prediction_ops

gradient_trees_partition_examples = gen_prediction_ops.gradient_trees_partition_examples
gradient_trees_prediction = gen_prediction_ops.gradient_trees_prediction
gradient_trees_prediction_verbose = gen_prediction_ops.gradient_trees_prediction_verbose

__getattr__ = missing(__name__)
