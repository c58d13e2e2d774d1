"""The names of ``tensorflow.python.autograph.utils``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
