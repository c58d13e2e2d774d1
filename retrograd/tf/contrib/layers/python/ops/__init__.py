"""The names of ``tensorflow.contrib.layers.python.ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
