"""The names of ``tensorflow.contrib.labeled_tensor.python.ops.sugar``."""

from retrograd.contrib.labeled_ops import ReshapeCoder
from retrograd.faces import missing

__getattr__ = missing(__name__)
