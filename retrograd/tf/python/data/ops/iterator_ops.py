"""The names of ``tensorflow.python.data.ops.iterator_ops``."""

from retrograd.data.iterators import Iterator
from retrograd.faces import missing

__getattr__ = missing(__name__)
