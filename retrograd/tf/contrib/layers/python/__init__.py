"""The names of ``tensorflow.contrib.layers.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
