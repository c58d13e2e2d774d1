"""The names of ``tensorflow.contrib.eager.python.datasets``."""

from retrograd.data.iterators import EagerIterator as Iterator
from retrograd.faces import missing

__getattr__ = missing(__name__)
