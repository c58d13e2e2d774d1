"""The names of ``tensorflow.python.ops.sort_ops``."""

from retrograd.faces import missing
from retrograd.ops.sorting import argsort, sort

__getattr__ = missing(__name__)
