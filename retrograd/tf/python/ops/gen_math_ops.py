"""The names of ``tensorflow.python.ops.gen_math_ops``."""

from retrograd.faces import missing
from retrograd.ops.arithmetic import (
    add,
    add_v2,
    floor_div,
    maximum,
    minimum,
    real_div,
    squared_difference,
)
from retrograd.ops.arithmetic import (
    floormod as floor_mod,
)
from retrograd.ops.arithmetic import (
    negative as neg,
)
from retrograd.ops.arithmetic import (
    truncatediv as truncate_div,
)
from retrograd.ops.arithmetic import (
    truncatemod as truncate_mod,
)
from retrograd.ops.comparison import (
    approximate_equal,
    bucketize,
    greater,
    greater_equal,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
)
from retrograd.ops.exponentials import exp, expm1, log, log1p, xdivy, xlogy
from retrograd.ops.grids import linspace as lin_space
from retrograd.ops.matrices import cross
from retrograd.ops.matrices import sparse_matmul as sparse_mat_mul
from retrograd.ops.powers import reciprocal, rsqrt, sqrt, square
from retrograd.ops.ranking import arg_max, arg_min
from retrograd.ops.rounding import ceil, floor, is_finite, is_inf, is_nan, rint, sign
from retrograd.ops.rounding import nextafter as next_after
from retrograd.ops.segments import (
    segment_max,
    segment_mean,
    segment_min,
    segment_prod,
    segment_sum,
    unsorted_segment_max,
    unsorted_segment_min,
    unsorted_segment_prod,
    unsorted_segment_sum,
)
from retrograd.ops.special import (
    bessel_i0e,
    bessel_i1e,
    betainc,
    digamma,
    erf,
    erfc,
    igamma,
    igammac,
    lgamma,
    polygamma,
    zeta,
)
from retrograd.ops.trigonometry import (
    acos,
    acosh,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cos,
    cosh,
    sin,
    sinh,
    tan,
    tanh,
)

__getattr__ = missing(__name__, raw=True)
