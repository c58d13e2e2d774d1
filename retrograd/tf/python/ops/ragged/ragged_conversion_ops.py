"""The names of ``tensorflow.python.ops.ragged.ragged_conversion_ops``."""

from retrograd.faces import missing
from retrograd.ragged.defaults import ragged_to_dense
from retrograd.ragged.making import from_sparse, from_tensor, to_sparse, to_tensor

__getattr__ = missing(__name__)
