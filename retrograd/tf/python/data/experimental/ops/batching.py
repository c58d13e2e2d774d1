"""The names of ``tensorflow.python.data.experimental.ops.batching``."""

from retrograd.data.experimental import (
    dense_to_sparse_batch,
    map_and_batch,
    unbatch,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
