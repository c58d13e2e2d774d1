"""The names of ``tensorflow.contrib.labeled_tensor.python.ops.core``."""

from retrograd.contrib.labeled_math import (
    abs_ as abs_function,
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
    pow_ as pow_function,
)
from retrograd.contrib.labeled_math import (
    round_ as round_function,
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
    concat_axes,
    convert_to_labeled_tensor,
    define_binary_op,
    define_unary_op,
    expand_dims,
    get_axis_order,
    identity,
    impose_axis_order,
    transpose,
)
from retrograd.contrib.labels import (
    _merged as _find_consistent_ordering,
)
from retrograd.contrib.labels import (
    slice_ as slice_function,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
