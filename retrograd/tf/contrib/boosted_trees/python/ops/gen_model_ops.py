"""The names of ``tensorflow.contrib.boosted_trees.python.ops.gen_model_ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__, raw=True)
