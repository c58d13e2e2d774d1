"""The names of ``tensorflow.python.data.experimental.ops.cardinality``."""

from retrograd.data.dataset import INFINITE_CARDINALITY as INFINITE
from retrograd.data.dataset import UNKNOWN_CARDINALITY as UNKNOWN
from retrograd.data.experimental import cardinality
from retrograd.faces import missing

__getattr__ = missing(__name__)
