"""The names of ``tensorflow.contrib.testing.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
