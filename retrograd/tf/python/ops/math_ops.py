"""The names of ``tensorflow.python.ops.math_ops``."""

from retrograd.faces import missing
from retrograd.ops.activations import log_sigmoid
from retrograd.ops.arithmetic import (
    add,
    add_v2,
    div,
    div_no_nan,
    divide,
    floor_div,
    floordiv,
    floormod,
    maximum,
    minimum,
    multiply,
    multiply_no_nan,
    negative,
    real_div,
    saturate_cast,
    scalar_mul,
    squared_difference,
    subtract,
    truediv,
    truncatediv,
    truncatemod,
)
from retrograd.ops.arithmetic import (
    floormod as floor_mod,
)
from retrograd.ops.arithmetic import (
    floormod as mod,
)
from retrograd.ops.arithmetic import (
    multiply as mul,
)
from retrograd.ops.arithmetic import (
    negative as neg,
)
from retrograd.ops.arithmetic import (
    real_div as realdiv,
)
from retrograd.ops.arithmetic import (
    truncatediv as truncate_div,
)
from retrograd.ops.arithmetic import (
    truncatemod as truncate_mod,
)
from retrograd.ops.casts import (
    cast,
    to_bfloat16,
    to_complex64,
    to_complex128,
    to_double,
    to_float,
    to_int32,
    to_int64,
)
from retrograd.ops.comparison import (
    approximate_equal,
    bucketize,
    equal,
    greater,
    greater_equal,
    less,
    less_equal,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    not_equal,
)
from retrograd.ops.complex_numbers import angle, imag, real
from retrograd.ops.complex_numbers import complex_ as complex
from retrograd.ops.conjugates import conj
from retrograd.ops.constants import range_ as range
from retrograd.ops.contraction import tensordot, trace
from retrograd.ops.exponentials import exp, expm1, log, log1p, sigmoid, xdivy, xlogy
from retrograd.ops.grids import linspace
from retrograd.ops.grids import linspace as lin_space
from retrograd.ops.matrices import cross, matmul, matvec, sparse_matmul
from retrograd.ops.matrices import sparse_matmul as sparse_mat_mul
from retrograd.ops.powers import polyval, reciprocal, reciprocal_no_nan, rsqrt, sqrt, square
from retrograd.ops.powers import pow_ as pow
from retrograd.ops.ranking import arg_max, arg_min, argmax, argmin
from retrograd.ops.reductions import (
    count_nonzero,
    reduce_all,
    reduce_any,
    reduce_euclidean_norm,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_std,
    reduce_sum,
    reduce_variance,
    reduced_shape,
)
from retrograd.ops.reductions import (
    reduce_all as reduce_all_v1,
)
from retrograd.ops.reductions import (
    reduce_any as reduce_any_v1,
)
from retrograd.ops.reductions import (
    reduce_logsumexp as reduce_logsumexp_v1,
)
from retrograd.ops.reductions import (
    reduce_max as reduce_max_v1,
)
from retrograd.ops.reductions import (
    reduce_mean as reduce_mean_v1,
)
from retrograd.ops.reductions import (
    reduce_min as reduce_min_v1,
)
from retrograd.ops.reductions import (
    reduce_prod as reduce_prod_v1,
)
from retrograd.ops.reductions import (
    reduce_sum as reduce_sum_v1,
)
from retrograd.ops.rounding import (
    abs_ as abs,
)
from retrograd.ops.rounding import (
    ceil,
    floor,
    is_finite,
    is_inf,
    is_nan,
    nextafter,
    rint,
    sign,
)
from retrograd.ops.rounding import (
    nextafter as next_after,
)
from retrograd.ops.rounding import (
    round_ as round,
)
from retrograd.ops.scans import cumprod, cumsum, cumulative_logsumexp
from retrograd.ops.segments import (
    segment_max,
    segment_mean,
    segment_min,
    segment_prod,
    segment_sum,
    sparse_segment_mean,
    sparse_segment_sqrt_n,
    sparse_segment_sum,
    unsorted_segment_max,
    unsorted_segment_mean,
    unsorted_segment_min,
    unsorted_segment_prod,
    unsorted_segment_sqrt_n,
    unsorted_segment_sum,
)
from retrograd.ops.slices import (
    as_indexed_slices as _as_indexed_slices,
)
from retrograd.ops.slices import (
    as_indexed_slices_list as _as_indexed_slices_list,
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
from retrograd.ops.special_values import igamma_grad_a
from retrograd.ops.sums import accumulate_n, add_n
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
from retrograd.ops.uniqueness import bincount
from retrograd.ops.uniqueness import bincount as bincount_v1
from retrograd.run.lowered_sums import Sum
from retrograd.state.resource import ResourceVariable as _resource_variable_type

__getattr__ = missing(__name__, raw=True)
