"""The names of ``tensorflow.python.ops.gen_sparse_ops``."""

from retrograd.faces import missing
from retrograd.ops.sparse_serialization import deserialize_sparse

__getattr__ = missing(__name__, raw=True)
