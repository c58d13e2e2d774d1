"""The names of ``tensorflow.contrib.labeled_tensor.python.ops.ops``."""

from retrograd.contrib.labeled_ops import (
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
from retrograd.faces import missing

__getattr__ = missing(__name__)
