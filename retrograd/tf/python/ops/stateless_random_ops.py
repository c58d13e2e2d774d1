"""The names of ``tensorflow.python.ops.stateless_random_ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
