"""The names of ``tensorflow.contrib.slim.python.slim.data``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
