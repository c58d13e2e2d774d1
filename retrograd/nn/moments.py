"""Means and variances, and normalizing with them."""

from __future__ import annotations

from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.dtypes import float16, float32
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, casts, constants, indexing, powers, reductions


def moments(
    x: Any, axes: Any, shift: Any = None, name: str | None = None, keep_dims: Any = None, keepdims: Any = None
) -> tuple[Tensor, Tensor]:
    """The mean and the variance (over n, not n - 1) of ``x`` along ``axes``; float16 is computed in float32.

    ``shift`` is not used.
    """
    keep = bool(deprecated_argument_lookup("keepdims", keepdims, "keep_dims", keep_dims))
    with name_scope(name, "moments", [x, axes]):
        half = x.dtype == float16
        y = casts.cast(x, float32) if half else x
        mean = reductions.reduce_mean(y, axes, keepdims=True, name="mean")
        deviations = arithmetic.squared_difference(y, arrays.stop_gradient(mean))
        variance = reductions.reduce_mean(deviations, axes, keepdims=True, name="variance")
        if not keep:
            mean, variance = arrays.squeeze(mean, axes), arrays.squeeze(variance, axes)
        return (casts.cast(mean, float16), casts.cast(variance, float16)) if half else (mean, variance)


def moments_v2(
    x: Any, axes: Any, shift: Any = None, keepdims: bool = False, name: str | None = None
) -> tuple[Tensor, Tensor]:  # fmt: skip
    """``moments`` with the arguments of TensorFlow 2."""
    return moments(x, axes, shift, name, keepdims=keepdims)


def weighted_moments(
    x: Any, axes: Any, frequency_weights: Any, name: str | None = None, keep_dims: Any = None, keepdims: Any = None
) -> tuple[Tensor, Tensor]:
    """The mean and variance of ``x`` along ``axes`` with each element counted ``frequency_weights`` times."""
    keep = bool(deprecated_argument_lookup("keepdims", keepdims, "keep_dims", keep_dims))
    with name_scope(name, "weighted_moments", [x, frequency_weights, axes]):
        x = as_tensor(x, name="x")
        weights = as_tensor(frequency_weights, name="frequency_weights")
        half = x.dtype == float16
        x = casts.cast(x, float32) if half else x
        weights = casts.cast(weights, x.dtype)
        total = reductions.reduce_sum(weights * x, axes, name="weighted_input_sum", keepdims=True)
        spread = weights + constants.zeros_like(x)
        count = reductions.reduce_sum(spread, axes, name="sum_of_weights", keepdims=True)
        inverse = powers.reciprocal(count, name="inv_weight_sum")
        mean = arithmetic.multiply(total, inverse)
        squares = weights * arithmetic.squared_difference(x, mean)
        distance = reductions.reduce_sum(squares, axes, name="weighted_distsq", keepdims=True)
        variance = arithmetic.multiply(distance, inverse)
        if not keep:
            mean, variance = arrays.squeeze(mean, axis=axes), arrays.squeeze(variance, axis=axes)
        return (casts.cast(mean, float16), casts.cast(variance, float16)) if half else (mean, variance)


def sufficient_statistics(
    x: Any, axes: Any, shift: Any = None, keep_dims: Any = None, name: str | None = None, keepdims: Any = None
) -> tuple[Tensor, Tensor, Tensor, Tensor | None]:
    """The count, sum and sum of squares of ``x - shift`` along ``axes``, and the shift."""
    keep = bool(deprecated_argument_lookup("keepdims", keepdims, "keep_dims", keep_dims))
    axes = list(set(axes))
    with name_scope(name, "sufficient_statistics", [x, shift]):
        x = as_tensor(x, name="x")
        sizes = None if x.dims is None else [x.dims[d] for d in axes]
        if sizes is not None and None not in sizes:
            count: Any = 1
            for size in sizes:
                count *= size
            count = constants.constant(count, dtype=x.dtype)
        else:
            picked = indexing.gather(casts.cast(arrays.shape(x), x.dtype), axes)
            count = reductions.reduce_prod(picked, name="count")
        if shift is not None:
            shift = as_tensor(shift, name="shift")
            terms = arithmetic.subtract(x, shift)
            squares = arithmetic.squared_difference(x, shift)
        else:
            terms, squares = x, powers.square(x)
        total = reductions.reduce_sum(terms, axes, keepdims=keep, name="mean_ss")
        total_of_squares = reductions.reduce_sum(squares, axes, keepdims=keep, name="var_ss")
        return count, total, total_of_squares, shift


def normalize_moments(
    counts: Any, mean_ss: Any, variance_ss: Any, shift: Any, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """The mean and the variance from ``sufficient_statistics``."""
    with name_scope(name, "normalize", [counts, mean_ss, variance_ss, shift]):
        inverse = powers.reciprocal(counts, name="divisor")
        if shift is not None:
            from_shift = arithmetic.multiply(mean_ss, inverse, name="shifted_mean")
            mean = arithmetic.add(from_shift, shift, name="mean")
        else:
            from_shift = mean = arithmetic.multiply(mean_ss, inverse, name="mean")
        mean_of_squares = arithmetic.multiply(variance_ss, inverse)
        return mean, arithmetic.subtract(mean_of_squares, powers.square(from_shift), name="variance")


def batch_normalization(
    x: Any, mean: Any, variance: Any, offset: Any, scale: Any, variance_epsilon: Any, name: str | None = None
) -> Tensor:
    """``(x - mean) / sqrt(variance + epsilon) * scale + offset``; scale and offset may be None."""
    with name_scope(name, "batchnorm", [x, mean, variance, scale, offset]):
        inverse = powers.rsqrt(variance + variance_epsilon)
        if scale is not None:
            inverse *= scale
        product = x * casts.cast(inverse, x.dtype)
        rest = offset - mean * inverse if offset is not None else -mean * inverse
        return product + casts.cast(rest, x.dtype)


def batch_norm_with_global_normalization(
    t: Any = None,
    m: Any = None,
    v: Any = None,
    beta: Any = None,
    gamma: Any = None,
    variance_epsilon: Any = None,
    scale_after_normalization: Any = None,
    name: str | None = None,
    input: Any = None,
    mean: Any = None,
    variance: Any = None,
) -> Tensor:
    """``batch_normalization`` by its first name; ``gamma`` scales only if ``scale_after_normalization``."""
    t = deprecated_argument_lookup("input", input, "t", t)
    m = deprecated_argument_lookup("mean", mean, "m", m)
    v = deprecated_argument_lookup("variance", variance, "v", v)
    return batch_normalization(t, m, v, beta, gamma if scale_after_normalization else None, variance_epsilon, name)
