"""The names of ``tensorflow.python.ops.gen_sparse_ops``."""

from retrograd.faces import missing
from retrograd.ops.sparse_arithmetic import sparse_dense_cwise_add
from retrograd.ops.sparse_crossing import sparse_cross
from retrograd.ops.sparse_maps import (
    add_many_sparse_to_tensors_map,
    add_sparse_to_tensors_map,
    take_many_sparse_from_tensors_map,
)
from retrograd.ops.sparse_serialization import deserialize_sparse

__getattr__ = missing(__name__, raw=True)
