"""The names of ``tensorflow.python.framework.tensor_util``."""

from retrograd.faces import missing
from retrograd.graph.protos import TensorShapeProtoToList, make_tensor_proto
from retrograd.graph.protos import make_ndarray as MakeNdarray
from retrograd.graph.static import constant_value_as_shape
from retrograd.graph.static import get_static_value as constant_value
from retrograd.graph.tensor import is_tensor
from retrograd.ops.random import shape_tensor

__getattr__ = missing(__name__)
