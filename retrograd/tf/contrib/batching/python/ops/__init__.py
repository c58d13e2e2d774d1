"""The names of ``tensorflow.contrib.batching.python.ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
