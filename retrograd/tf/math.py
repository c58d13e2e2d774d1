"""The names of ``tensorflow.math``."""

from retrograd.faces import missing
from retrograd.nn.activations import zero_fraction
from retrograd.ops.activations import log_sigmoid, softplus, softsign
from retrograd.ops.arithmetic import (
    add,
    divide,
    floordiv,
    floormod,
    maximum,
    minimum,
    multiply,
    multiply_no_nan,
    negative,
    scalar_mul,
    squared_difference,
    subtract,
    truediv,
)
from retrograd.ops.arithmetic import (
    div_no_nan as divide_no_nan,
)
from retrograd.ops.arithmetic import (
    floormod as mod,
)
from retrograd.ops.checks import is_non_decreasing, is_strictly_increasing
from retrograd.ops.comparison import (
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
from retrograd.ops.confusion import confusion_matrix
from retrograd.ops.conjugates import conj
from retrograd.ops.exponentials import exp, expm1, log, log1p, sigmoid, xdivy, xlogy
from retrograd.ops.norms import l2_normalize
from retrograd.ops.permuting import invert_permutation
from retrograd.ops.powers import polyval, reciprocal, reciprocal_no_nan, rsqrt, sqrt, square
from retrograd.ops.powers import pow_ as pow
from retrograd.ops.ranking import argmax, argmin, in_top_k, top_k
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
    round_ as round,
)
from retrograd.ops.scans import cumprod, cumsum, cumulative_logsumexp
from retrograd.ops.segments import (
    segment_max,
    segment_mean,
    segment_min,
    segment_prod,
    segment_sum,
    unsorted_segment_max,
    unsorted_segment_mean,
    unsorted_segment_min,
    unsorted_segment_prod,
    unsorted_segment_sqrt_n,
    unsorted_segment_sum,
)
from retrograd.ops.softmax import log_softmax, softmax
from retrograd.ops.special import (
    bessel_i0,
    bessel_i0e,
    bessel_i1,
    bessel_i1e,
    betainc,
    digamma,
    erf,
    erfc,
    igamma,
    igammac,
    lbeta,
    lgamma,
    polygamma,
    zeta,
)
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

__getattr__ = missing(__name__)
