"""The names of ``tensorflow.python.ops.stateful_random_ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
