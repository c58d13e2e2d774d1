"""Writing at an index, in either tier: NumPy arrays are copied, JAX arrays updated functionally."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def set_at(xp: Any, x: Any, index: Any, value: Any) -> Any:
    """A copy of ``x`` with ``x[index] = value``."""
    if xp is not np:
        shape = _shape_of_everything(x, index)
        if shape is not None:
            return xp.reshape(xp.broadcast_to(xp.asarray(value, x.dtype), shape), x.shape)
        return x.at[index].set(value)
    result = np.array(x)
    result[index] = value
    return result


def add_at(xp: Any, x: Any, index: Any, value: Any) -> Any:
    """A copy of ``x`` with ``value`` added at ``index``; places named twice get both terms."""
    if xp is not np:
        return x.at[index].add(value)
    result = np.array(x)
    join_at(np.add, result, index, value)
    return result


def _shape_of_everything(x: Any, index: Any) -> tuple[int, ...] | None:
    """The shape of ``x[index]`` if slices take all of ``x`` in its order: XLA ends at the reverse of such a scatter."""
    slices = index if isinstance(index, tuple) else (index,)
    if not all(i is None or i is Ellipsis or (isinstance(i, slice) and (i.step or 1) > 0) for i in slices):
        return None
    part = np.broadcast_to(np.False_, x.shape)[index]
    return part.shape if part.size == x.size else None


def join_at(operation: np.ufunc, array: Any, index: Any, value: Any) -> None:
    """``operation.at(array, index, value)``: NumPy joins several numbers in the time of a row."""
    index = index if isinstance(index, tuple) else (index,)
    inner = array.shape[len(index) :]
    is_by_rows = array.flags.c_contiguous and all(isinstance(i, np.ndarray) and i.dtype.kind in "iu" for i in index)
    if not inner or not is_by_rows or len({i.shape for i in index}) != 1:
        operation.at(array, index, value)
        return
    rows = np.zeros(index[0].shape, np.intp)
    for size, i in zip(array.shape, index, strict=False):
        if i.size and not 0 <= i.min() <= i.max() < size:
            operation.at(array, index, value)
            return
        rows = rows * size + i
    width = math.prod(inner)
    places = (rows.reshape(-1, 1) * width + np.arange(width)).reshape(-1)
    value = np.broadcast_to(value, (*rows.shape, *inner)).reshape(-1)
    operation.at(array.reshape(-1), places, value)


_SHORT = 16  # runs have to be so many times shorter than there are rows


def join_runs(operation: np.ufunc, array: np.ndarray, ids: np.ndarray, rows: np.ndarray) -> None:
    """``operation.at(array, ids, rows)`` for ids that are sorted: the k-th rows of all runs of one id at once."""
    if rows.ndim < 2 or not len(ids):
        join_at(operation, array, ids, rows)
        return
    first = np.flatnonzero(np.diff(ids, prepend=ids[0] - 1))
    sizes = np.diff(first, append=len(ids))
    if sizes.max() > len(ids) // _SHORT:
        join_at(operation, array, ids, rows)
        return
    longest_first = np.argsort(-sizes, kind="stable")
    first, sizes = first[longest_first], sizes[longest_first]
    joined = operation(array[ids[first]], rows[first])
    counts = np.searchsorted(-sizes, -np.arange(1, sizes[0]))  # of the runs that have a k-th row
    for k, n in enumerate(counts.tolist(), 1):
        operation(joined[:n], rows[first[:n] + k], out=joined[:n])
    array[ids[first]] = joined


def among_zeros(xp: Any, shape: tuple[int, ...], index: Any, value: Any) -> Any:
    """Zeros of ``shape``, or empty strings, with ``value`` at ``index``."""
    result = zeros(xp, shape, value)
    if xp is not np:
        return set_at(xp, result, index, value)
    result[index] = value
    return result


def zeros(xp: Any, shape: tuple[int, ...], like: Any) -> Any:
    """Zeros, or empty strings, of the dtype of the array ``like``."""
    dtype = like.dtype
    return np.full(shape, b"", object) if dtype.kind == "O" else xp.zeros(shape, dtype)
