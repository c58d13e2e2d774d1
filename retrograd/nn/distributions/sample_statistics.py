"""Statistics of samples: percentiles, and correlations of a series with itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions import vectors
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    checks,
    clipping,
    complex_numbers,
    constants,
    exponentials,
    fourier,
    joining,
    permuting,
    powers,
    ranking,
    reductions,
    rounding,
    shape_checks,
)
from retrograd.ops.control import with_dependencies

_ROUNDINGS = {"lower": rounding.ceil, "higher": rounding.floor, "nearest": rounding.round_}


def percentile(
    x: Any,
    q: Any,
    axis: Any = None,
    interpolation: str | None = None,
    keep_dims: bool = False,
    validate_args: bool = False,
    name: str | None = None,
) -> Tensor:
    """The element below which ``q`` of a hundred lie, over ``axis`` or of all.

    Args:
      interpolation: which of two elements near the place: ``lower``, ``higher`` or ``nearest``, the default.

    Raises:
      ValueError: there is no such interpolation or axis, or ``axis`` is unknown.
    """
    interpolation = interpolation or "nearest"
    if interpolation not in _ROUNDINGS:
        names = "{" + ", ".join(map(repr, _ROUNDINGS)) + "}"
        raise ValueError(f"Argument 'interpolation' must be in {names}.  Found {interpolation}")
    with name_scope(name or "percentile", values=[x, q]):
        x, q = as_tensor(x, name="x"), casts.cast(q, dtypes.float64, name="q")
        if q.rank not in (None, 0):
            raise ValueError(f"Expected argument 'x' to have ndims 0.  Found tensor {q}")
        if validate_args:
            conditions = [
                shape_checks.assert_rank(q, 0),
                checks.assert_greater_equal(q, casts.cast(0.0, dtypes.float64)),
                checks.assert_less_equal(q, casts.cast(100.0, dtypes.float64)),
            ]
            q = with_dependencies(conditions, q)
        if axis is None:
            y = arrays.reshape(x, [-1])
        else:
            axis = _known_axes(axis, x)
            y = _with_axes_joined(x, axis)
        above = 1.0 - q / 100.0
        count = casts.cast(arrays.shape(y)[-1], dtypes.float64)
        index = _ROUNDINGS[interpolation]((count - 1) * above)
        size = arrays.shape(y)[-1]
        index = clipping.clip_by_value(casts.cast(index, dtypes.int32), 0, size - 1)
        ordered, _ = ranking.top_k(y, k=arrays.shape(y)[-1])
        result = ordered[..., index]
        result.set_shape(y.shape[:-1])
        if not keep_dims:
            return result
        if axis is None:
            rank = arrays.rank(x) if x.rank is None else x.rank
            ones = constants.ones(shape=[rank], dtype=dtypes.int32)
            return result * constants.ones(ones, dtype=x.dtype)
        for i in sorted(axis):
            result = arrays.expand_dims(result, axis=i)
        return result


def _known_axes(axis: Any, x: Tensor) -> list[int]:
    """The axes as numbers from the front."""
    axis = as_tensor(axis, name="axis")
    checks.assert_integer(axis)
    known = constant_value(axis)
    if known is None:
        raise ValueError(f"Expected argument 'axis' to be statically available.  Found: {axis}")
    if known.ndim > 1:
        raise ValueError(f"Expected argument 'x' to have ndims <= 1.  Found tensor {axis}")
    if x.rank is None:
        raise ValueError(f"Expected argument 'x' to have statically defined 'ndims'.  Found: {x}")
    if x.rank < 1:
        raise ValueError(f"Expected argument 'x' to have ndims >= 1.  Found tensor {x}")
    found = []
    for i in np.ravel(known).tolist():
        if i >= x.rank:
            raise ValueError(f"dim {i} not in the interval [0, {x.rank - 1}].")
        if i < -x.rank:
            raise ValueError(f"Negatively indexed dim {i} not in the interval [-{x.rank}, -1]")
        found.append(i % x.rank)
    return found


def _with_axes_joined(x: Tensor, axes: list[int]) -> Tensor:
    """``x`` with ``axes`` as one, the last."""
    rank: Any = x.rank
    front = sorted(set(range(rank)) - set(axes))
    moved = permuting.transpose(x, perm=front + axes)
    if x.shape.is_fully_defined():
        sizes: list[Any] = x.shape.as_list()
        shape: Any = [sizes[i] for i in front] + [int(np.prod([sizes[i] for i in axes]))]
    else:
        shape = joining.concat([arrays.shape(moved)[: rank - len(axes)], [-1]], axis=0)
    return arrays.reshape(moved, shape=shape)


def _wide(n: Any) -> Any:
    """A known number as int64, which NumPy 1 made of what TensorFlow computes."""
    return n if isinstance(n, Tensor) else np.int64(n)


def auto_correlation(
    x: Any,
    axis: Any = -1,
    max_lags: Any = None,
    center: bool = True,
    normalize: bool = True,
    name: str = "auto_correlation",
) -> Tensor:
    """``E[x[t] conj(x[t + lag])]`` along ``axis`` for each lag up to ``max_lags``, by Fourier transforms.

    Args:
      center: the mean is taken away first.
      normalize: divide by the value at lag 0.

    Raises:
      TypeError: ``x`` is neither of floats nor complex.
    """
    with name_scope(name, values=[x]):
        x = as_tensor(x, name="x")
        rank = vectors.prefer_static_rank(x)
        shift = _wide(rank - 1 - (rank + axis if axis < 0 else axis))
        last = vectors.rotate_transpose(x, shift)
        if center:
            last -= reductions.reduce_mean(last, axis=-1, keepdims=True)
        length = vectors.prefer_static_shape(last)[-1]
        exact = casts.cast(length, np.float64)
        wanted = powers.pow_(np.float64(2.0), rounding.ceil(exponentials.log(exact * 2) / np.log(2.0)))
        padded = vectors.pad(last, axis=-1, back=True, count=casts.cast(wanted - exact, np.int32))
        dtype = x.dtype
        if not dtype.is_complex:
            if not dtype.is_floating:
                raise TypeError(f"Argument x must have either float or complex dtype found: {dtype}")
            padded = complex_numbers.complex_(padded, dtype.real_dtype.as_numpy_dtype(0.0))
        spectrum = fourier.fft(padded)
        products = casts.cast(fourier.ifft(spectrum * complex_numbers.conj(spectrum)), dtype)
        is_known = last.shape.is_fully_defined()
        if max_lags is None:
            max_lags = _wide(length - 1)
        else:
            max_lags = as_tensor(max_lags, name="max_lags")
            known = constant_value(max_lags)
            is_known = is_known and known is not None
            max_lags = min(length - 1, known) if is_known else arithmetic.minimum(length - 1, max_lags)
        chopped = products[..., : max_lags + 1]
        if is_known:
            sizes = last.shape.as_list()
            sizes[-1] = min(length, max_lags + 1)
            chopped.set_shape(sizes)
        real = dtype.real_dtype
        length, lags = casts.cast(length, real), casts.cast(max_lags, real)
        counts = casts.cast(length - constants.range_(0.0, lags + 1.0), dtype)
        means = chopped / counts
        if normalize:
            means /= means[..., :1]
        return vectors.rotate_transpose(means, -shift)
