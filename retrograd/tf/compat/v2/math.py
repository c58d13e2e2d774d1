"""The names of ``tensorflow.compat.v2.math``."""

from retrograd.faces import missing
from retrograd.nn.activations import zero_fraction
from retrograd.nn.second import (
    argmax,
    argmin,
    confusion_matrix,
    count_nonzero,
    in_top_k,
    l2_normalize,
    log_softmax,
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
    scalar_mul,
    softmax,
)
from retrograd.ops.activations import softplus, softsign
from retrograd.ops.arithmetic import multiply_no_nan
from retrograd.ops.checks import is_non_decreasing, is_strictly_increasing
from retrograd.ops.exponentials import sigmoid, xdivy, xlogy
from retrograd.ops.permuting import invert_permutation
from retrograd.ops.powers import polyval, reciprocal_no_nan
from retrograd.ops.ranking import top_k
from retrograd.ops.reductions import reduce_euclidean_norm, reduce_std, reduce_variance
from retrograd.ops.rounding import nextafter
from retrograd.ops.scans import cumprod, cumsum, cumulative_logsumexp
from retrograd.ops.segments import segment_max, segment_mean, segment_min, segment_prod, segment_sum
from retrograd.ops.special import (
    bessel_i0,
    bessel_i0e,
    bessel_i1,
    bessel_i1e,
    betainc,
    igamma,
    igammac,
    lbeta,
    polygamma,
    zeta,
)
from retrograd.ops.sums import accumulate_n
from retrograd.ops.trigonometry import tanh
from retrograd.ops.uniqueness import bincount
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
    ceil,
    conj,
    cos,
    cosh,
    digamma,
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
    sign,
    sin,
    sinh,
    sqrt,
    square,
    squared_difference,
    subtract,
    tan,
    truediv,
    unsorted_segment_max,
    unsorted_segment_mean,
    unsorted_segment_min,
    unsorted_segment_prod,
    unsorted_segment_sqrt_n,
    unsorted_segment_sum,
)
from retrograd.ragged.dispatching import (
    div_no_nan as divide_no_nan,
)
from retrograd.ragged.dispatching import (
    floormod as mod,
)
from retrograd.ragged.dispatching import (
    pow_ as pow,
)
from retrograd.ragged.dispatching import (
    round_ as round,
)

__getattr__ = missing(__name__)
