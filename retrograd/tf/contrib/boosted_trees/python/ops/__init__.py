"""The names of ``tensorflow.contrib.boosted_trees.python.ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
