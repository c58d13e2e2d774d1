"""The names of ``tensorflow.contrib.labeled_tensor``."""

import __future__

from retrograd.contrib.labeled_math import (
    abs_ as abs,
)
from retrograd.contrib.labeled_math import (
    acos,
    add,
    asin,
    atan,
    ceil,
    cos,
    digamma,
    div,
    equal,
    erf,
    erfc,
    exp,
    floor,
    greater,
    greater_equal,
    igamma,
    igammac,
    less,
    less_equal,
    lgamma,
    log,
    logical_and,
    logical_not,
    logical_or,
    logical_xor,
    maximum,
    minimum,
    mod,
    mul,
    neg,
    not_equal,
    polygamma,
    reciprocal,
    rsqrt,
    sigmoid,
    sign,
    sin,
    sqrt,
    square,
    squared_difference,
    sub,
    tan,
    tanh,
    zeta,
)
from retrograd.contrib.labeled_math import (
    pow_ as pow,
)
from retrograd.contrib.labeled_math import (
    round_ as round,
)
from retrograd.contrib.labeled_ops import (
    FixedLenFeature,
    ReshapeCoder,
    batch,
    boolean_mask,
    cast,
    concat,
    constant,
    define_reduce_op,
    foldl,
    map_fn,
    matmul,
    ones_like,
    pack,
    pad,
    parse_example,
    parse_single_example,
    placeholder,
    random_crop,
    reduce_all,
    reduce_any,
    reduce_logsumexp,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
    rename_axis,
    reshape,
    select,
    shuffle_batch,
    squeeze,
    tile,
    unpack,
    verify_tensor_all_finite,
    where,
    zeros_like,
)
from retrograd.contrib.labels import (
    Axes,
    Axis,
    AxisOrderError,
    LabeledTensor,
    align,
    as_axis,
    axis_order_scope,
    check_axis_order,
    convert_to_labeled_tensor,
    define_binary_op,
    define_unary_op,
    expand_dims,
    identity,
    impose_axis_order,
    transpose,
)
from retrograd.contrib.labels import (
    slice_ as slice,
)
from retrograd.faces import missing

absolute_import = __future__.absolute_import
division = __future__.division
print_function = __future__.print_function

_LAZY = {
    "nn": "retrograd.tf.contrib.labeled_tensor.python.ops",
}
__getattr__ = missing(__name__, _LAZY)
