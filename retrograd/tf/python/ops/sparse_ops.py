"""The names of ``tensorflow.python.ops.sparse_ops``."""

from retrograd.faces import missing
from retrograd.ops.sparse import (
    sparse_add,
    sparse_concat,
    sparse_fill_empty_rows,
    sparse_reduce_sum,
    sparse_reorder,
    sparse_reshape,
    sparse_retain,
    sparse_slice,
    sparse_tensor_dense_matmul,
    sparse_tensor_to_dense,
    sparse_to_dense,
    sparse_transpose,
)
from retrograd.ops.special import bessel_i1e as unary_op

__getattr__ = missing(__name__)
