"""The names of ``tensorflow.python.data.util.convert``."""

from retrograd.data.arguments import optional_param_to_tensor, partial_shape_to_tensor
from retrograd.faces import missing

__getattr__ = missing(__name__)
