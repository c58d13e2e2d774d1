"""The names of ``tensorflow.python.ops.check_ops``."""

from retrograd.faces import missing
from retrograd.ops.arrays import ensure_shape

__getattr__ = missing(__name__)
