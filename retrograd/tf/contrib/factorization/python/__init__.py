"""The names of ``tensorflow.contrib.factorization.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
