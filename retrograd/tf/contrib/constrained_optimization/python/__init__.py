"""The names of ``tensorflow.contrib.constrained_optimization.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
