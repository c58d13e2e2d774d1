"""Reductions under XLA, in stages.

On a CPU XLA goes through an array number by number where it reduces the last axis, several axes, or all; and what
makes the array is computed by itself before, into memory.  Where eight rows, or every eighth element of a row, are
added up first, both are one kernel, which works on vectors and on all cores, and what is left is small.  The barriers
keep XLA from making one reduction of the stages.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from retrograd.ops.any_size import is_any_size
from retrograd.ops.apart import unsimplified

Fold = Callable[..., Any]  # ``(x, axis=..., keepdims=...)``: what is left of some axes

_FEW = 1 << 12  # elements that are reduced at once
_FEW_ROWS, _SMALL = 256, 1 << 16  # as many rows, of no more elements than that, are added up at once
_LONGEST = 1 << 10  # elements of a row that are added in TensorFlow's order, which takes NumPy longer
_LARGEST = 1 << 13  # of all rows
_REGISTER = 32  # bytes of a vector of AVX
_LOOPED = 16  # additions that Python makes one by one
_STEP = 8  # rows that are reduced at a time, or elements that stay of a row
_SHORT = 2 * _STEP  # elements of a row that is reduced at once
_WIDE = 1024  # columns in which all elements of an array are reduced
_WIDEST = 2048  # columns of which eight rows are in a core's cache at once
np_sum: Any = np.add.reduce  # np.sum without its wrapper
_np_max: Any = np.maximum.reduce


def summed(xp: Any, x: Any, axes: Collection[int], *, keep_dims: bool = False) -> Any:
    """The sum over ``axes``, in the dtype of ``x``; halves are added up as floats."""
    if xp is np:
        if _STEP <= x.size <= _LARGEST and x.dtype.char in "fd" and axes:
            result = _in_lanes(x, axes, keep_dims)
            if result is not None:
                return result
        return np_sum(x, axis=tuple(axes), keepdims=keep_dims, dtype=x.dtype) if axes else x
    wide = x.astype(np.float32) if x.dtype.itemsize == 2 and x.dtype.kind not in "iu" else x
    return folded(xp, partial(xp.sum, dtype=wide.dtype), wide, axes, keep_dims=keep_dims).astype(x.dtype)


class _Lanes(NamedTuple):
    """How rows of a shape are added up in TensorFlow's order."""

    order: list[int] | None  # of the axes, where those that are added up do not stand last
    rows: tuple[int, ...]  # the shape of the result, and -1
    size: int  # of a row
    whole: int  # of this, what fills registers
    lanes: int  # numbers in a register
    kept: list[int]  # the result's shape with all axes


def _in_lanes(x: Any, axes: Collection[int], keep_dims: bool) -> Any:
    """The sum of rows in TensorFlow's order, whose last bits are seen where a program prints its first losses.

    The elements of a row go in turn into as many sums as an AVX register has numbers; of these one half is added to
    the other until one is left, and then what was left over of the row. None where TensorFlow's order is NumPy's.
    """
    found = _lanes(x.shape, tuple(axes), _REGISTER // x.itemsize)
    if found is None:
        return None
    order, shape, size, whole, lanes, kept = found
    rows = (x if order is None else x.transpose(order)).reshape(shape)
    if whole > _LOOPED * lanes or len(shape) == 1:
        sums = np_sum(rows[..., :whole].reshape(*shape, lanes), axis=-2)
    else:
        sums = rows[..., :lanes]
        for i in range(lanes, whole, lanes):
            sums = sums + rows[..., i : i + lanes]
    while lanes > 1:
        lanes //= 2
        sums = sums[..., :lanes] + sums[..., lanes:]
    result = sums[..., 0]
    if whole < size:
        result = np_sum(rows[..., whole:], axis=-1) + result
    return result.reshape(kept) if keep_dims else result


@lru_cache(1 << 12)
def _lanes(shape: tuple[int, ...], axes: tuple[int, ...], lanes: int) -> _Lanes | None:
    ndim = len(shape)
    reduced = {axis % ndim for axis in axes}
    runs = [i in reduced for i in range(ndim) if shape[i] > 1]
    runs = [run for i, run in enumerate(runs) if not i or run != runs[i - 1]]
    if not runs or (not runs[-1] and len(runs) < 4) or (runs[0] and len(runs) == 3):
        return None
    kept = [i for i in range(ndim) if i not in reduced]
    kept_shape = tuple([shape[i] for i in kept])
    size = math.prod(shape) // math.prod(kept_shape)
    whole = size - size % lanes
    if not whole or size > _LONGEST:
        return None
    order = kept + sorted(reduced) if len(runs) > 2 else None
    return _Lanes(order, (*kept_shape, -1), size, whole, lanes, [1 if i in reduced else n for i, n in enumerate(shape)])


def largest(xp: Any, x: Any, axes: Collection[int], *, keep_dims: bool = False) -> Any:
    """The maximum over ``axes``; nan if there is one."""
    if xp is np:
        return _np_max(x, axis=tuple(axes), keepdims=keep_dims)
    return folded(xp, xp.max, x, axes, keep_dims=keep_dims)


def folded(xp: Any, fold: Fold, x: Any, axes: Collection[int], *, keep_dims: bool = False) -> Any:
    """``fold`` of ``x`` over ``axes``; these disappear, or stay with size 1."""
    if xp is np or x.size < _FEW or not _is_staged():
        return fold(x, axis=tuple(axes), keepdims=keep_dims)
    axes = {axis % x.ndim for axis in axes}
    result = _in_stages(fold, x, axes)
    if result is None:
        return fold(x, axis=tuple(axes), keepdims=keep_dims)
    return xp.reshape(result, [1 if i in axes else n for i, n in enumerate(x.shape) if keep_dims or i not in axes])


def _is_staged() -> bool:
    from retrograd.ops.jax_start import jax

    return not is_any_size() and bool(jax.default_backend() == "cpu")


def _in_stages(fold: Fold, x: Any, axes: Collection[int]) -> Any:
    """What ``fold`` leaves, in any shape; None where what is reduced does not stand together, or is a short row."""
    runs: list[list[Any]] = []  # neighbouring axes that are all reduced, or all kept, as one
    for i, n in enumerate(x.shape):
        if n > 1 and runs and runs[-1][0] == (i in axes):
            runs[-1][1] *= n
        elif n > 1:
            runs.append([i in axes, n])
    sizes = [n for _, n in runs]
    match [is_reduced for is_reduced, _ in runs]:
        case [True]:
            columns = _divisor(sizes[0], _WIDE)
            return None if columns < _STEP else fold(_rows(fold, x.reshape(1, -1, columns)), axis=(0, 1))
        case [False, True]:
            return None if sizes[1] < _SHORT else _last(fold, x.reshape(sizes))
        case [True, False] if sizes[0] <= _FEW_ROWS and x.size < _SMALL:
            return None
        case [True, False]:
            return _rows(fold, x.reshape(1, *sizes))
        case [False, True, False]:
            return _rows(fold, x.reshape(sizes))
    return None


def _rows(fold: Fold, x: Any) -> Any:
    """``x``, of shape (a, n, c), without n."""
    count = x.shape[1]
    share = _divisor(count, _STEP)
    if share > 1 and x.shape[2] <= _WIDEST:
        parts = unsimplified(x.reshape(x.shape[0], count // share, share, x.shape[2]))
        x = fold(parts, axis=2)
    return fold(unsimplified(x), axis=1)


def _last(fold: Fold, x: Any) -> Any:
    """``x``, of shape (a, n), without n."""
    from retrograd.ops.jax_start import jnp

    whole = x.shape[1] // _STEP * _STEP
    parts = unsimplified(x[:, :whole].reshape(x.shape[0], -1, _STEP))
    left = fold(parts, axis=1)
    if whole < x.shape[1]:
        left = jnp.concatenate([left, x[:, whole:]], axis=1)
    return fold(unsimplified(left), axis=1)


def _divisor(number: int, most: int) -> int:
    """The largest number up to ``most`` that divides ``number``."""
    return next(k for k in range(min(number, most), 0, -1) if number % k == 0)
