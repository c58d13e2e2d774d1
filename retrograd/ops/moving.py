"""Slices that begin where a traced value says: how large they are follows without it.

``x[i]`` has one shape whatever ``i`` is, so a computation can take ``i`` as an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.graph.operation import Operation
from retrograd.graph.static import partial_value, static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import slicing
from retrograd.ops.requirements import require

BOUNDS = {"Slice": (1,), "StridedSlice": (1, 2), "StridedSliceGrad": (1, 2)}  # the inputs that say where

Fold = Callable[[Tensor], Any]


def may_move(op: Operation, fold: Fold = static_value) -> bool:
    """Whether the result of a slice has one shape wherever it begins; ``fold`` gives the values that are known."""
    if op.type == "Slice":
        begins, sizes = (partial_value(t, fold) for t in op.inputs[1:])
        if begins is None or sizes is None:
            return False
        return all(n is not None and (n >= 0 or b is not None) for b, n in zip(begins, sizes, strict=True))
    bounds = _bounds(op, fold)
    if bounds is None:
        return False
    begins, ends, steps = bounds
    return all(
        step is not None
        and (_has(op, i, "ellipsis", "new_axis", "shrink_axis") or (
            (_has(op, i, "begin") or begins[i] is not None) and (_has(op, i, "end") or ends[i] is not None)
        ))
        for i, step in enumerate(steps)
    )  # fmt: skip


def moved(op: Operation, xp: Any, values: Sequence[Any], fold: Fold) -> Any:
    """What the slice ``op`` makes of ``values``, those of its bounds traced; ``may_move`` holds.

    That it does not reach beyond the tensor is required.
    """
    if op.type == "Slice":
        return _block(op, values, fold)
    x, begin = values[0], values[1]
    if op.type == "StridedSliceGrad":
        dy = values[4]
        whole = xp.zeros(tuple(np.asarray(x).tolist()), dy.dtype)
        return whole.at[_index(op, np.shape(whole), begin, fold)].set(dy)
    return x[_index(op, np.shape(x), begin, fold)]


def _block(op: Operation, values: Sequence[Any], fold: Fold) -> Any:
    from retrograd.ops.jax_start import lax

    x, begin = values[:2]
    begins = partial_value(op.inputs[1], fold) or []
    sizes = [
        x.shape[i] - (begins[i] or 0) if n == -1 else n
        for i, n in enumerate(np.asarray(values[2]).tolist())
    ]  # fmt: skip
    room = np.asarray(np.subtract(x.shape, sizes), begin.dtype)
    require((begin >= 0) & (begin <= room))
    return lax.dynamic_slice(x, begin, sizes)


def _index(op: Operation, dims: tuple[int, ...], begin: Any, fold: Fold) -> tuple[Any, ...]:
    bounds = _bounds(op, fold)
    assert bounds is not None
    begins, ends, steps = bounds
    first = [begin[i] if _has(op, i, "shrink_axis") else begins[i] for i in range(len(steps))]
    index = slicing.subscripts_of(first, ends, steps, [op.attrs[mask] for mask in slicing.MASKS])
    hidden = len(dims) - sum(s is not None and s is not Ellipsis for s in index)
    axis = 0
    for subscript in index:
        if subscript is Ellipsis:
            axis += hidden
        elif subscript is not None:
            if not isinstance(subscript, slice):
                require((subscript >= -dims[axis]) & (subscript < dims[axis]))
            axis += 1
    return tuple(index)


def _bounds(op: Operation, fold: Fold) -> tuple[list[Any], ...] | None:
    found = [partial_value(t, fold) for t in op.inputs[1:4]]
    return None if any(v is None for v in found) else tuple(found)  # type: ignore[arg-type]


def _has(op: Operation, i: int, *masks: str) -> bool:
    return any(op.attrs[f"{mask}_mask"] >> i & 1 for mask in masks)
