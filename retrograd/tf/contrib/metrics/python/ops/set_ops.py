"""The names of ``tensorflow.contrib.metrics.python.ops.set_ops``."""

from retrograd.faces import missing
from retrograd.ops.sets import set_difference, set_intersection, set_size, set_union

__getattr__ = missing(__name__)
