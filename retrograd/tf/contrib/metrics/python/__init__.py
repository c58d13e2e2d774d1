"""The names of ``tensorflow.contrib.metrics.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
