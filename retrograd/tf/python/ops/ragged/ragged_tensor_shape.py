"""The names of ``tensorflow.python.ops.ragged.ragged_tensor_shape``."""

from retrograd.faces import missing
from retrograd.ragged.shapes import RaggedTensorDynamicShape, broadcast_dynamic_shape, broadcast_to

__getattr__ = missing(__name__)
