"""The names of ``tensorflow.contrib.layers.python.ops.sparse_ops``."""

from retrograd.faces import missing
from retrograd.nn.contrib.older_layers import dense_to_sparse_tensor

__getattr__ = missing(__name__)
