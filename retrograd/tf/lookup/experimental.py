"""The names of ``tensorflow.lookup.experimental``."""

from retrograd.faces import missing
from retrograd.io.lookup import DenseHashTable

__getattr__ = missing(__name__)
