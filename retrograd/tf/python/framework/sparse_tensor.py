"""The names of ``tensorflow.python.framework.sparse_tensor``."""

from retrograd.faces import missing
from retrograd.graph.convert import convert_to_tensor_or_sparse_tensor, is_sparse
from retrograd.graph.sparse import SparseTensor, SparseTensorValue
from retrograd.graph.specs import SparseTensorSpec

__getattr__ = missing(__name__)
