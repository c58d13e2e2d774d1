"""The names of ``tensorflow.contrib.boosted_trees.python.ops.gen_training_ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__, raw=True)
