"""The names of ``tensorflow.contrib.nearest_neighbor.python.ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
