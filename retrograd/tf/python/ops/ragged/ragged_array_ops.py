"""The names of ``tensorflow.python.ops.ragged.ragged_array_ops``."""

from retrograd.faces import missing
from retrograd.ragged.rows import (
    boolean_mask,
    expand_dims,
    ragged_one_hot,
    rank,
    size,
    stack_dynamic_partitions,
    tile,
)

__getattr__ = missing(__name__)
