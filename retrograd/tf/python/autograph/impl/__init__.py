"""The names of ``tensorflow.python.autograph.impl``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
