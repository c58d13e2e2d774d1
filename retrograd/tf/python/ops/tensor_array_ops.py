"""The names of ``tensorflow.python.ops.tensor_array_ops``."""

from retrograd.faces import missing
from retrograd.flow.array_specs import TensorArraySpec
from retrograd.flow.tensor_array import TensorArray, build_ta_with_new_flow

__getattr__ = missing(__name__)
