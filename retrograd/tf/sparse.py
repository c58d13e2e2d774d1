"""The names of ``tensorflow.sparse``."""

from retrograd.faces import missing
from retrograd.graph.sparse import SparseTensor

__getattr__ = missing(__name__)
