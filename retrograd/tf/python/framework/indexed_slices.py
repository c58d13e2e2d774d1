"""The names of ``tensorflow.python.framework.indexed_slices``."""

from retrograd.faces import missing
from retrograd.graph.sparse import IndexedSlices, IndexedSlicesValue

__getattr__ = missing(__name__)
