"""The names of ``tensorflow.python.ops.ragged.ragged_getitem``."""

from retrograd.faces import missing
from retrograd.ragged.slicing import ragged_tensor_getitem

__getattr__ = missing(__name__)
