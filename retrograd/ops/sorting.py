"""Order: sort, argsort, searchsorted, unravel_index."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import define
from retrograd.graph.errors import InvalidArgumentError, invalid
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants, joining, kinds, permuting, ranking

# -- sort --------------------------------------------------------------------------------------


def sort(values: Any, axis: int = -1, direction: str = "ASCENDING", name: str | None = None) -> Tensor:
    """``values`` in order along ``axis``.

    Raises:
      ValueError: ``direction`` is neither ASCENDING nor DESCENDING, or ``axis`` is no constant.
    """
    with name_scope(name, "sort"):
        return _sorted(values, axis, direction, return_argsort=False)


def argsort(
    values: Any, axis: int = -1, direction: str = "ASCENDING", stable: bool = False, name: str | None = None
) -> Tensor:  # fmt: skip
    """The indices that put ``values`` in order along ``axis``; equal values keep their order."""
    with name_scope(name, "argsort"):
        return _sorted(values, axis, direction, return_argsort=True)


def _sorted(values: Any, axis: Any, direction: str, return_argsort: bool) -> Tensor:
    if direction not in _ORDERS:
        raise ValueError(f"{direction} should be one of ASCENDING, DESCENDING")
    place = constant_value(as_tensor(axis, name="axis"))
    if place is None:
        raise ValueError("axis must be a constant scalar")
    return _ORDERS[direction](as_tensor(values, name="values"), int(place), return_argsort)


def _descending(values: Tensor, axis: int, return_argsort: bool) -> Tensor:
    """The k largest of the last axis, k being its size; other axes are moved there and back."""
    size = arrays.shape(values)[axis]
    rank = arrays.rank(values)
    last = values.rank
    if axis == -1 or axis + 1 == last:
        found, places = ranking.top_k(values, size)
        return places if return_argsort else found
    if last is None:
        at = axis + rank if axis < 0 else axis
        order: Any = joining.concat(
            [constants.range_(at), [rank - 1], constants.range_(at + 1, rank - 1), [at]], axis=0
        )
    else:
        at = axis % last
        order = constants.constant(np.r_[0:at, last - 1, at + 1 : last - 1, at], name="transposition")
    found, places = ranking.top_k(permuting.transpose(values, order), size)
    return permuting.transpose(places if return_argsort else found, order)


def _ascending(values: Tensor, axis: int, return_argsort: bool) -> Tensor:
    found = _descending(-values, axis, return_argsort)
    return found if return_argsort else -found


_ORDERS = {"ASCENDING": _ascending, "DESCENDING": _descending}


# -- searchsorted ------------------------------------------------------------------------------


def _bounds(side: str) -> Any:
    def kernel(xp: Any, sorted_inputs: Any, values: Any, *, out_type: Any) -> Any:
        if len(sorted_inputs) != len(values):
            raise InvalidArgumentError(None, None, "Leading dim_size of both tensors must match.")
        rows = [xp.searchsorted(row, wanted, side=side) for row, wanted in zip(sorted_inputs, values, strict=True)]
        return xp.stack(rows).astype(out_type.np) if rows else xp.zeros(values.shape, out_type.np)

    return kernel


def _bound(name: str, side: str) -> Any:
    return define(
        name, "sorted_inputs: T, values: T", "output: out_type", attrs={"out_type": dtypes.int32},
        types={"out_type": kinds.INDEX}, shape=lambda sorted_inputs, values: values.dims, kernel=_bounds(side),
    )  # fmt: skip


LOWER_BOUND = _bound("LowerBound", "left")
UPPER_BOUND = _bound("UpperBound", "right")


def searchsorted(
    sorted_sequence: Any, values: Any, side: str = "left", out_type: Any = dtypes.int32, name: str | None = None
) -> Tensor:  # fmt: skip
    """Where each of ``values`` would be put into the sorted last dimension of ``sorted_sequence``.

    Raises:
      ValueError: ``side`` is neither left nor right.
    """
    last = arrays.shape_internal(sorted_sequence)[-1]
    count = arrays.shape_internal(values)[-1]
    rows = arrays.reshape(sorted_sequence, [-1, last])
    wanted = arrays.reshape(values, [-1, count])
    if side not in ("left", "right"):
        raise ValueError(f"side must be either 'right' or 'left'.  Saw: {side}.")
    places = apply(LOWER_BOUND if side == "left" else UPPER_BOUND, rows, wanted, out_type=out_type, name=name)
    return arrays.reshape(places, arrays.shape_internal(values))


# -- positions as coordinates ------------------------------------------------------------------


def _unraveled(indices: Tensor, dims: Tensor) -> RawShape:
    if indices.dims is None or dims.dims is None or len(dims.dims) != 1:
        return None
    return (dims.dims[0],) if not indices.dims else (dims.dims[0], *indices.dims)


def _unravel_index(xp: Any, indices: Any, dims: Any) -> Any:
    dtype = np.asarray(indices).dtype
    if np.ndim(indices) > 1:
        raise invalid(f'The indices can only be scalar or vector, got "{shape_text(np.shape(indices))}"')
    try:
        return np.stack(np.unravel_index(indices, tuple(np.asarray(dims).tolist()))).astype(dtype)
    except ValueError:
        raise InvalidArgumentError(None, None, "index is out of bound as with dims") from None


UNRAVEL_INDEX = define(
    "UnravelIndex", "indices: Tidx, dims: Tidx", "output: Tidx", attrs={"Tidx": dtypes.int32},
    ranks={"dims": "1: The indices can only be 1-D, got \"{}\""},
    types={"Tidx": kinds.INDEX}, shape=_unraveled, kernel=_unravel_index,
)  # fmt: skip


def unravel_index(indices: Any, dims: Any, name: str | None = None) -> Tensor:
    """The coordinates in an array of shape ``dims`` of the flat ``indices``, one row per dimension."""
    return apply(UNRAVEL_INDEX, indices, dims, name=name)
