"""The names of ``tensorflow.python.ops.resources``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
