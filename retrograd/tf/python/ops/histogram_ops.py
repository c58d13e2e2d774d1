"""The names of ``tensorflow.python.ops.histogram_ops``."""

from retrograd.faces import missing
from retrograd.ops.uniqueness import histogram_fixed_width, histogram_fixed_width_bins

__getattr__ = missing(__name__)
