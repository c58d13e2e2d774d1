"""The names of ``tensorflow.python.ops.nn_grad``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
