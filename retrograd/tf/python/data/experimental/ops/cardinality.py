"""The names of ``tensorflow.python.data.experimental.ops.cardinality``."""

from retrograd.data.experimental import cardinality
from retrograd.faces import missing

__getattr__ = missing(__name__)
