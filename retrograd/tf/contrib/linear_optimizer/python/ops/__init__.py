"""The names of ``tensorflow.contrib.linear_optimizer.python.ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
