"""The names of ``tensorflow.contrib.batching.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
