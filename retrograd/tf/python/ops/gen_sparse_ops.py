"""The names of ``tensorflow.python.ops.gen_sparse_ops``."""

from retrograd.faces import missing
from retrograd.ops.sparse_arithmetic import sparse_dense_cwise_add
from retrograd.ops.sparse_crossing import sparse_cross

__getattr__ = missing(__name__, raw=True)
