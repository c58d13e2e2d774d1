"""The names of ``tensorflow.python.layers``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
