"""The names of ``tensorflow.python.ops.cond_v2``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
