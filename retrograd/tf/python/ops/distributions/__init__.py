"""The names of ``tensorflow.python.ops.distributions``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
