"""The names of ``tensorflow.contrib.boosted_trees.python.utils``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
