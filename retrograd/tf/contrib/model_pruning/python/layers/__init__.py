"""The names of ``tensorflow.contrib.model_pruning.python.layers``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
