"""The names of ``tensorflow.contrib.metrics``."""

from retrograd.faces import missing
from retrograd.ops.sets import set_difference, set_intersection, set_size, set_union

__getattr__ = missing(__name__)
