"""The names of ``tensorflow.contrib.util``."""

from retrograd.faces import missing
from retrograd.graph.protos import make_ndarray, make_tensor_proto
from retrograd.graph.static import constant_value

__getattr__ = missing(__name__)
