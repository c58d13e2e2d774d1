"""The names of ``tensorflow.contrib.solvers``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
