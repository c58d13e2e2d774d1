"""The names of ``tensorflow.lookup.experimental``."""

from retrograd.faces import missing
from retrograd.io.mutable_tables import DenseHashTable

__getattr__ = missing(__name__)
