"""The names of ``tensorflow.contrib.factorization.python.ops.factorization_ops``."""

from retrograd.contrib.factorizing import WALSModel
from retrograd.faces import missing

__getattr__ = missing(__name__)
