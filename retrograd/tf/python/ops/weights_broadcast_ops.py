"""The names of ``tensorflow.python.ops.weights_broadcast_ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
