"""Products, reductions, normalization and element-wise functions under the names of ``tf.keras.backend``."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.tensor import Tensor
from retrograd.keras.backend_state import (
    floatx,
    int_shape,
    is_sparse,
    ndim,
    ones_like,
    zeros_like,
)
from retrograd.nn import moments as statistics
from retrograd.nn.layers.session import batch_get_value as batch_get_value
from retrograd.nn.layers.session import batch_set_value as batch_set_value
from retrograd.nn.layers.session import get_session as get_session
from retrograd.nn.layers.session import manual_variable_initialization as manual_variable_initialization
from retrograd.nn.layers.session import set_session as set_session
from retrograd.nn.layers.session import track_variable as track_variable
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    clipping,
    comparison,
    constants,
    exponentials,
    indexing,
    joining,
    matrices,
    permuting,
    powers,
    ranking,
    reductions,
    rounding,
    scans,
    trigonometry,
)
from retrograd.ops.normalization import fused_batch_norm

# -- linear algebra ---------------------------------------------------------------------------------


def dot(x: Any, y: Any) -> Tensor:
    """The product over the last dimension of ``x`` and the last but one of ``y``."""
    x_rank, y_rank = ndim(x), ndim(y)
    if x_rank is not None and (x_rank > 2 or (y_rank or 0) > 2):
        x_shape = [
            k if k is not None else n for k, n in zip(int_shape(x), joining.unstack(arrays.shape(x)), strict=True)
        ]
        y_shape = [
            k if k is not None else n for k, n in zip(int_shape(y), joining.unstack(arrays.shape(y)), strict=True)
        ]
        order = list(range(y_rank or 0))
        order = [order.pop(-2), *order]
        flat = arrays.reshape(x, [-1, x_shape[-1]])
        other = arrays.reshape(permuting.transpose(y, perm=order), [y_shape[-2], -1])
        return arrays.reshape(matrices.matmul(flat, other), x_shape[:-1] + y_shape[:-2] + y_shape[-1:])
    if is_sparse(x):
        from retrograd.ops.sparse_arithmetic import sparse_tensor_dense_matmul

        return sparse_tensor_dense_matmul(x, y)
    return matrices.matmul(x, y)


def batch_dot(x: Any, y: Any, axes: Any = None) -> Tensor:
    """The product over ``axes`` of each pair of examples."""
    x_rank, y_rank = ndim(x) or 0, ndim(y) or 0
    if isinstance(axes, int):
        axes = (axes, axes)
    if axes is None:
        axes = (x_rank - 1, y_rank - 1 if y_rank == 2 else y_rank - 2)
    more = abs(x_rank - y_rank)
    if x_rank > y_rank:
        y = arrays.reshape(y, joining.concat([arrays.shape(y), [1] * more], axis=0))
    elif y_rank > x_rank:
        x = arrays.reshape(x, joining.concat([arrays.shape(x), [1] * more], axis=0))
    if ndim(x) == 2 and ndim(y) == 2:
        if axes[0] == axes[1]:
            out = reductions.reduce_sum(arithmetic.multiply(x, y), axes[0])
        else:
            out = reductions.reduce_sum(arithmetic.multiply(permuting.transpose(x, [1, 0]), y), axes[1])
    else:
        out = matrices.matmul(x, y, adjoint_a=axes[0] != (ndim(x) or 0) - 1, adjoint_b=axes[1] == (ndim(y) or 0) - 1)
    if more:
        first = x_rank + y_rank - 3 if x_rank > y_rank else x_rank - 1
        out = arrays.squeeze(out, list(range(first, first + more)))
    return arrays.expand_dims(out, 1) if ndim(out) == 1 else out


def transpose(x: Any) -> Tensor:
    """All dimensions reversed."""
    return permuting.transpose(x)


def gather(reference: Any, indices: Any) -> Tensor:
    """Rows of ``reference``."""
    return indexing.gather(reference, indices)


# -- reductions and element-wise functions ----------------------------------------------------------


def max_(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The largest element."""
    return reductions.reduce_max(x, axis, keepdims)


def min_(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The smallest element."""
    return reductions.reduce_min(x, axis, keepdims)


def sum_(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The sum."""
    return reductions.reduce_sum(x, axis, keepdims)


def prod(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The product."""
    return reductions.reduce_prod(x, axis, keepdims)


def cumsum(x: Any, axis: int = 0) -> Tensor:
    """The running sum."""
    return scans.cumsum(x, axis=axis)


def cumprod(x: Any, axis: int = 0) -> Tensor:
    """The running product."""
    return scans.cumprod(x, axis=axis)


def _floats_of_bools(x: Any) -> Any:
    return casts.cast(x, floatx()) if x.dtype.base_dtype == dtypes.bool else x


def var(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The variance."""
    return reductions.reduce_variance(_floats_of_bools(x), axis=axis, keepdims=keepdims)


def std(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The standard deviation."""
    return reductions.reduce_std(_floats_of_bools(x), axis=axis, keepdims=keepdims)


def mean(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """The mean."""
    return reductions.reduce_mean(_floats_of_bools(x), axis, keepdims)


def any_(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Whether any element holds."""
    return reductions.reduce_any(casts.cast(x, dtypes.bool), axis, keepdims)


def all_(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """Whether all elements hold."""
    return reductions.reduce_all(casts.cast(x, dtypes.bool), axis, keepdims)


def argmax(x: Any, axis: int = -1) -> Tensor:
    """Where the largest element is."""
    return ranking.argmax(x, axis)


def argmin(x: Any, axis: int = -1) -> Tensor:
    """Where the smallest element is."""
    return ranking.argmin(x, axis)


square, abs_, exp, log = powers.square, rounding.abs_, exponentials.exp, exponentials.log
round_, sign, sin, cos = rounding.round_, rounding.sign, trigonometry.sin, trigonometry.cos
equal, not_equal, greater, greater_equal = (
    comparison.equal, comparison.not_equal, comparison.greater, comparison.greater_equal,
)  # fmt: skip
less, less_equal, maximum, minimum = comparison.less, comparison.less_equal, arithmetic.maximum, arithmetic.minimum


def sqrt(x: Any) -> Tensor:
    """The root, of negative numbers 0."""
    zero, highest = _constant_like(0.0, x), _constant_like(np.inf, x)
    return powers.sqrt(clipping.clip_by_value(x, zero, highest))


def _constant_like(value: float, x: Any) -> Tensor:
    return as_tensor(value, dtype=x.dtype.base_dtype)


def logsumexp(x: Any, axis: Any = None, keepdims: bool = False) -> Tensor:
    """``log(sum(exp(x)))``."""
    return reductions.reduce_logsumexp(x, axis, keepdims)


def pow_(x: Any, a: int) -> Tensor:
    """``x`` to the power of ``a``."""
    return powers.pow_(x, a)


def clip(x: Any, min_value: Any, max_value: Any) -> Tensor:
    """``x`` between two bounds."""
    if isinstance(min_value, int | float) and isinstance(max_value, int | float) and max_value < min_value:
        max_value = min_value
    x = as_tensor(x)
    low = as_tensor(-np.inf if min_value is None else min_value, x.dtype.base_dtype)
    high = as_tensor(np.inf if max_value is None else max_value, x.dtype.base_dtype)
    return clipping.clip_by_value(x, low, high)


def cast(x: Any, dtype: Any) -> Tensor:
    """``x`` as another dtype."""
    return casts.cast(x, dtype)


def normalize_batch_in_training(
    x: Any, gamma: Any, beta: Any, reduction_axes: Any, epsilon: float = 1e-3
) -> tuple[Tensor, Tensor, Tensor]:
    """The batch normalized, its mean and its variance."""
    rank, axes = ndim(x) or 0, list(reduction_axes)
    if rank == 4 and axes == [0, 1, 2]:
        gamma = constants.constant(1.0, dtype=x.dtype, shape=[x.shape[3]]) if gamma is None else gamma
        beta = constants.constant(0.0, dtype=x.dtype, shape=[x.shape[3]]) if beta is None else beta
        return fused_batch_norm(x, gamma, beta, epsilon=epsilon, data_format="NHWC")
    center, spread = statistics.moments(x, axes, None, None, False)
    if sorted(axes) == list(range(rank))[:-1]:
        return batch_normalization(x, center, spread, beta, gamma, epsilon=epsilon), center, spread
    shape = joining.stack([1 if axis in axes else arrays.shape(x)[axis] for axis in range(rank)])
    mean, variance = arrays.reshape(center, shape), arrays.reshape(spread, shape)
    gamma, beta = (None if v is None else arrays.reshape(v, shape) for v in (gamma, beta))
    return statistics.batch_normalization(x, mean, variance, beta, gamma, epsilon), center, spread


def batch_normalization(
    x: Any, mean: Any, var: Any, beta: Any, gamma: Any, axis: int = -1, epsilon: float = 1e-3
) -> Tensor:
    """``gamma * (x - mean) / sqrt(var + epsilon) + beta``."""
    if ndim(x) != 4:
        return statistics.batch_normalization(x, mean, var, beta, gamma, epsilon)
    form = {1: "NCHW", -3: "NCHW", 3: "NHWC", -1: "NHWC"}.get(axis)
    beta = zeros_like(mean) if beta is None else beta
    gamma = ones_like(mean) if gamma is None else gamma
    if form is not None:
        mean, var, beta, gamma = (
            arrays.reshape(v, [-1]) if (ndim(v) or 0) > 1 else v for v in (mean, var, beta, gamma)
        )
    return fused_batch_norm(
        x, gamma, beta, epsilon=epsilon, mean=mean, variance=var, data_format=form or "NHWC", is_training=False
    )[0]
