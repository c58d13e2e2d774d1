"""The names of ``tensorflow.python.ops.math_ops``."""

from retrograd.faces import missing
from retrograd.nn.second import (
    argmax as argmax_v2,
)
from retrograd.nn.second import (
    argmin as argmin_v2,
)
from retrograd.nn.second import (
    count_nonzero as count_nonzero_v2,
)
from retrograd.nn.second import (
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
)
from retrograd.nn.second import (
    scalar_mul as scalar_mul_v2,
)
from retrograd.ops.arithmetic import add_v2, floor_div, multiply_no_nan, real_div, scalar_mul
from retrograd.ops.arithmetic import multiply as mul
from retrograd.ops.casts import (
    to_bfloat16,
    to_complex64,
    to_complex128,
    to_double,
    to_float,
    to_int32,
    to_int64,
)
from retrograd.ops.comparison import approximate_equal, bucketize
from retrograd.ops.constants import range_ as range
from retrograd.ops.contraction import tensordot, trace
from retrograd.ops.exponentials import sigmoid, xdivy, xlogy
from retrograd.ops.grids import linspace
from retrograd.ops.grids import linspace as lin_space
from retrograd.ops.matrices import cross, matmul, matvec, sparse_matmul
from retrograd.ops.matrices import sparse_matmul as sparse_mat_mul
from retrograd.ops.powers import polyval, reciprocal_no_nan
from retrograd.ops.ranking import arg_max, arg_min, argmax, argmin
from retrograd.ops.reductions import (
    count_nonzero,
    reduce_euclidean_norm,
    reduce_std,
    reduce_variance,
    reduced_shape,
)
from retrograd.ops.reductions import (
    reduce_logsumexp as reduce_logsumexp_v1,
)
from retrograd.ops.rounding import nextafter
from retrograd.ops.rounding import nextafter as next_after
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
)
from retrograd.ops.slices import (
    as_indexed_slices as _as_indexed_slices,
)
from retrograd.ops.slices import (
    as_indexed_slices_list as _as_indexed_slices_list,
)
from retrograd.ops.special import bessel_i0e, bessel_i1e, betainc, igamma, igammac, polygamma, zeta
from retrograd.ops.sums import accumulate_n
from retrograd.ops.trigonometry import tanh
from retrograd.ops.uniqueness import bincount
from retrograd.ops.uniqueness import bincount as bincount_v1
from retrograd.ragged.dispatching import (
    abs_ as abs,
)
from retrograd.ragged.dispatching import (
    acos,
    acosh,
    add,
    add_n,
    angle,
    asin,
    asinh,
    atan,
    atan2,
    atanh,
    cast,
    ceil,
    conj,
    cos,
    cosh,
    digamma,
    div,
    div_no_nan,
    divide,
    equal,
    erf,
    erfc,
    exp,
    expm1,
    floor,
    floordiv,
    floormod,
    greater,
    greater_equal,
    imag,
    is_finite,
    is_inf,
    is_nan,
    less,
    less_equal,
    lgamma,
    log,
    log1p,
    log_sigmoid,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    multiply,
    negative,
    not_equal,
    real,
    reciprocal,
    rint,
    rsqrt,
    saturate_cast,
    sign,
    sin,
    sinh,
    sqrt,
    square,
    squared_difference,
    subtract,
    tan,
    truediv,
    truncatediv,
    truncatemod,
    unsorted_segment_max,
    unsorted_segment_mean,
    unsorted_segment_min,
    unsorted_segment_prod,
    unsorted_segment_sqrt_n,
    unsorted_segment_sum,
)
from retrograd.ragged.dispatching import (
    complex_ as complex,
)
from retrograd.ragged.dispatching import (
    floormod as floor_mod,
)
from retrograd.ragged.dispatching import (
    floormod as mod,
)
from retrograd.ragged.dispatching import (
    negative as neg,
)
from retrograd.ragged.dispatching import (
    pow_ as pow,
)
from retrograd.ragged.dispatching import (
    real_div as realdiv,
)
from retrograd.ragged.dispatching import (
    reduce_all as reduce_all_v1,
)
from retrograd.ragged.dispatching import (
    reduce_any as reduce_any_v1,
)
from retrograd.ragged.dispatching import (
    reduce_max as reduce_max_v1,
)
from retrograd.ragged.dispatching import (
    reduce_mean as reduce_mean_v1,
)
from retrograd.ragged.dispatching import (
    reduce_min as reduce_min_v1,
)
from retrograd.ragged.dispatching import (
    reduce_prod as reduce_prod_v1,
)
from retrograd.ragged.dispatching import (
    reduce_sum as reduce_sum_v1,
)
from retrograd.ragged.dispatching import (
    round_ as round,
)
from retrograd.ragged.dispatching import (
    truncatediv as truncate_div,
)
from retrograd.ragged.dispatching import (
    truncatemod as truncate_mod,
)
from retrograd.state.resource import ResourceVariable as _resource_variable_type

__getattr__ = missing(__name__, raw=True)
