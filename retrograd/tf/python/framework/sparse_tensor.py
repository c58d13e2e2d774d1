"""The names of ``tensorflow.python.framework.sparse_tensor``."""

from retrograd.faces import missing
from retrograd.graph.sparse import SparseTensor, SparseTensorValue

__getattr__ = missing(__name__)
