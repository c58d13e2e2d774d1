"""The names of ``tensorflow.python.ops.ragged.ragged_functional_ops``."""

from retrograd.faces import missing
from retrograd.ragged.making import map_flat_values

__getattr__ = missing(__name__)
