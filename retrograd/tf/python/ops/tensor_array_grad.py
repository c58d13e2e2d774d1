"""The names of ``tensorflow.python.ops.tensor_array_grad``."""

from retrograd.faces import missing
from retrograd.ops.tensor_arrays import gradient_source as _GetGradSource

__getattr__ = missing(__name__)
