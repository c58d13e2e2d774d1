"""Reductions under XLA, in stages.

On a CPU XLA goes through an array number by number where it reduces several axes, or all; and what makes the array
is computed by itself before, into memory.  Where up to eight rows at a time are added up first, both are one kernel,
which works on vectors and on all cores, and what is left is small.  The barriers keep XLA from making one reduction
of the stages.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any

import numpy as np

Fold = Callable[..., Any]  # ``(x, axis=...)``: what is left of some axes

_FEW = 1 << 12  # elements that are reduced at once
_ROWS = 8  # that are reduced at a time
_WIDE = 1024  # columns in which all elements of an array are reduced


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

    return bool(jax.default_backend() == "cpu")


def _in_stages(fold: Fold, x: Any, axes: Collection[int]) -> Any:
    """What ``fold`` leaves, in any shape; None where the last axis goes and another stays, or
    the reduced ones do not stand together."""
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
            return None if columns < _ROWS else fold(_rows(fold, x.reshape(1, -1, columns)), axis=(0, 1))
        case [True, False]:
            return _rows(fold, x.reshape(1, *sizes))
        case [False, True, False]:
            return _rows(fold, x.reshape(sizes))
    return None


def _rows(fold: Fold, x: Any) -> Any:
    """``x``, of shape (a, n, c), without n."""
    from retrograd.ops.jax_start import lax

    count = x.shape[1]
    share = _divisor(count, _ROWS)
    if share > 1:
        parts = lax.optimization_barrier(x.reshape(x.shape[0], count // share, share, x.shape[2]))
        x = fold(parts, axis=2)
    return fold(lax.optimization_barrier(x), axis=1)


def _divisor(number: int, most: int) -> int:
    """The largest number up to ``most`` that divides ``number``."""
    return next(k for k in range(min(number, most), 0, -1) if number % k == 0)
