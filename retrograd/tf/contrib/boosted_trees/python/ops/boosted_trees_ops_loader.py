"""The names of ``tensorflow.contrib.boosted_trees.python.ops.boosted_trees_ops_loader``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
