"""The names of ``tensorflow.debugging``."""

from retrograd.faces import missing
from retrograd.ops.asserts import Assert, check_numerics
from retrograd.ops.asserts import verify_tensor_all_finite as assert_all_finite
from retrograd.ops.rounding import is_finite, is_inf, is_nan

__getattr__ = missing(__name__)
