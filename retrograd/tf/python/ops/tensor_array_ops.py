"""The names of ``tensorflow.python.ops.tensor_array_ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
