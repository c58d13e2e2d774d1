"""The names of ``tensorflow.python.ops.ragged``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
