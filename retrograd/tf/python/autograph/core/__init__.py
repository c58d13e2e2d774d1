"""The names of ``tensorflow.python.autograph.core``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
