"""The names of ``tensorflow.contrib.boosted_trees.estimator_batch``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
