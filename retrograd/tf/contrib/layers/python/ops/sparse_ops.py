"""The names of ``tensorflow.contrib.layers.python.ops.sparse_ops``."""

from retrograd.faces import missing
from retrograd.nn.contrib.older_layers import dense_to_sparse_tensor
from retrograd.nn.contrib.sparse_ids import indicators_to_sparse_ids, sparse_row_envelope

__getattr__ = missing(__name__)
