"""The names of ``tensorflow.python.autograph.pyct``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
