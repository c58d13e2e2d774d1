"""The names of ``tensorflow.contrib.boosted_trees.python.ops.training_ops``."""

from retrograd.faces import missing
from retrograd.tf.contrib.boosted_trees.python.ops import gen_training_ops

center_tree_ensemble_bias = gen_training_ops.center_tree_ensemble_bias
grow_tree_ensemble = gen_training_ops.grow_tree_ensemble
tree_ensemble_stats = gen_training_ops.tree_ensemble_stats

__getattr__ = missing(__name__)
