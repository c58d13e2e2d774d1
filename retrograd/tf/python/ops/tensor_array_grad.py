"""The names of ``tensorflow.python.ops.tensor_array_grad``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
