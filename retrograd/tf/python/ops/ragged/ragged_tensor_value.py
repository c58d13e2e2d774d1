"""The names of ``tensorflow.python.ops.ragged.ragged_tensor_value``."""

from retrograd.faces import missing
from retrograd.ragged.values import RaggedTensorValue

__getattr__ = missing(__name__)
