"""The names of ``tensorflow.python.ops.ragged.ragged_math_ops``."""

from retrograd.faces import missing
from retrograd.ragged.reducing import (
    range_ as range,
)
from retrograd.ragged.reducing import (
    reduce_all,
    reduce_any,
    reduce_max,
    reduce_mean,
    reduce_min,
    reduce_prod,
    reduce_sum,
    segment_max,
    segment_mean,
    segment_min,
    segment_prod,
    segment_sqrt_n,
    segment_sum,
)

__getattr__ = missing(__name__)
