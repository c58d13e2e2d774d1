"""The names of ``tensorflow.contrib.boosted_trees.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
