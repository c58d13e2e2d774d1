"""The names of ``tensorflow.python.ops.sets``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
