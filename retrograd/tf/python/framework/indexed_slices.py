"""The names of ``tensorflow.python.framework.indexed_slices``."""

from retrograd.faces import missing
from retrograd.graph.module_names import LazyLoader
from retrograd.graph.sparse import IndexedSlices, IndexedSlicesValue
from retrograd.graph.specs import IndexedSlicesSpec

__getattr__ = missing(__name__)
