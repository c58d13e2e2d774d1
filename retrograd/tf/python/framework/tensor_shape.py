"""The names of ``tensorflow.python.framework.tensor_shape``."""

from retrograd.eager.context import disable_v2_tensorshape
from retrograd.faces import missing
from retrograd.graph.shapes import (
    Dimension,
    TensorShape,
    as_dimension,
    as_shape,
    dimension_at_index,
    dimension_value,
    matrix,
    scalar,
    unknown_shape,
    vector,
)

__getattr__ = missing(__name__)
