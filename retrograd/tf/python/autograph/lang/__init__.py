"""The names of ``tensorflow.python.autograph.lang``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
