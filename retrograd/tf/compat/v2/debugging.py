"""The names of ``tensorflow.compat.v2.debugging``."""

from retrograd.eager.configuration import get_log_device_placement, set_log_device_placement
from retrograd.faces import missing
from retrograd.nn.second import (
    assert_all_finite,
    assert_equal,
    assert_greater,
    assert_greater_equal,
    assert_integer,
    assert_less,
    assert_less_equal,
    assert_near,
    assert_negative,
    assert_non_negative,
    assert_non_positive,
    assert_none_equal,
    assert_positive,
    assert_rank,
    assert_rank_at_least,
    assert_rank_in,
    assert_scalar,
    assert_type,
)
from retrograd.ops.asserts import Assert
from retrograd.ops.checks import assert_proper_iterable, assert_same_float_dtype, is_numeric_tensor
from retrograd.ops.shape_checks import assert_shapes
from retrograd.ragged.dispatching import check_numerics

__getattr__ = missing(__name__)
