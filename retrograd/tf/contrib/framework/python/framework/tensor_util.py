"""The names of ``tensorflow.contrib.framework.python.framework.tensor_util``."""

from retrograd.faces import missing
from retrograd.nn.contrib.model_variables import reduce_sum_n
from retrograd.nn.contrib.shape_conditions import (
    assert_scalar_int,
    remove_squeezable_dimensions,
    with_same_shape,
    with_shape,
)

__getattr__ = missing(__name__)
