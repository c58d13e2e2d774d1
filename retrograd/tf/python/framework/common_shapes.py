"""The names of ``tensorflow.python.framework.common_shapes``."""

from retrograd.faces import missing
from retrograd.graph.shape_functions import (
    call_cpp_shape_fn,
    no_outputs,
    scalar_shape,
    unchanged_shape,
    unknown_shape,
)
from retrograd.ops.repeating import broadcast_static_shape as broadcast_shape

__getattr__ = missing(__name__)
