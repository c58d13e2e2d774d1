"""The names of ``tensorflow.contrib.layers.python.layers``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
