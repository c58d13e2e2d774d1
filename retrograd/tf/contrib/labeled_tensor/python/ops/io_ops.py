"""The names of ``tensorflow.contrib.labeled_tensor.python.ops.io_ops``."""

from retrograd.contrib.labeled_ops import FixedLenFeature, parse_example, parse_single_example, placeholder
from retrograd.faces import missing

__getattr__ = missing(__name__)
