"""The names of ``tensorflow.python.framework.sparse_tensor``."""

from retrograd.faces import missing
from retrograd.graph.sparse import SparseTensor, SparseTensorValue
from retrograd.graph.specs import SparseTensorSpec

__getattr__ = missing(__name__)
