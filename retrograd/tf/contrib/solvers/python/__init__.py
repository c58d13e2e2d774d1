"""The names of ``tensorflow.contrib.solvers.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
