"""The names of ``tensorflow.python.ops.map_fn``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
