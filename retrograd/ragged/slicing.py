"""``ragged[key]``: rows by numbers and slices, slices of each row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.modes import executing_eagerly
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, casts, constants, indexing, joining
from retrograd.ops.conditions import cond
from retrograd.ops.slicing import checked_index
from retrograd.ragged.reducing import range_
from retrograd.ragged.rows import gather
from retrograd.ragged.tensor import RaggedTensor


def ragged_tensor_getitem(self: RaggedTensor, key: Any) -> Any:
    """The part of a ragged tensor that ``key`` names.

    Raises:
      ValueError: a number stands for a ragged axis behind the first.
    """
    keys = list(key) if isinstance(key, list | tuple) else [key]
    with name_scope(None, "RaggedGetItem", [self, *_tensors_in(key)]):
        return _item(self, keys)


def _tensors_in(key: Any) -> Iterator[Tensor]:
    if isinstance(key, Tensor):
        yield key
    elif isinstance(key, list | tuple):
        for part in key:
            yield from _tensors_in(part)
    elif isinstance(key, slice):
        for part in (key.start, key.stop, key.step):
            yield from _tensors_in(part)


def _item(rows: Any, keys: list[Any]) -> Any:
    if not keys:
        return rows
    key, inner = keys[0], keys[1:]
    if key is Ellipsis:
        return _item(rows, _without_ellipsis(keys, rows.shape.ndims))
    if key is None:
        found = _item(rows, inner)
        count = arrays.shape(found.row_splits, out_type=found.row_splits.dtype)[0]
        return RaggedTensor.from_row_splits(found, joining.stack([0, count - 1]), validate=False)
    if isinstance(key, slice):
        return _inner(_rows_of(rows, key), inner)
    key = checked_index(key)
    starts, limits = rows.row_splits[:-1], rows.row_splits[1:]
    if executing_eagerly() and not -starts.shape[0].value <= key < starts.shape[0].value:
        raise IndexError(f"Row key {key} out of bounds")  # which ends a Python loop over rows
    row = rows.values[starts[key] : limits[key]]
    return row[inner]  # a tensor is cut once more even by no keys


def _rows_of(rows: RaggedTensor, key: slice) -> RaggedTensor:
    if key == slice(None, None, None):
        return rows
    starts, limits = rows.row_splits[:-1][key], rows.row_splits[1:][key]
    zero = constants.zeros([1], rows.row_splits.dtype)
    if key.step is not None and not (isinstance(key.step, int) and key.step == 1):
        return _of_ranges(starts, limits, 1, rows.values)
    splits = joining.concat([zero[arrays.size(starts) :], starts[:1], limits], axis=0)
    first, last = splits[0], splits[-1]
    return RaggedTensor.from_row_splits(rows.values[first:last], splits - first, validate=False)


def _inner(rows: Any, keys: list[Any]) -> Any:
    """``keys`` of the axes behind the first."""
    if not keys:
        return rows
    if isinstance(rows, Tensor):
        return rows[(slice(None, None, None), *keys)]
    key = keys[0]
    if key is Ellipsis:
        return _inner(rows, _without_ellipsis(keys, rows.values.shape.ndims))
    if key is None:
        found = _inner(rows, keys[1:])
        count = arrays.shape(found.row_splits, out_type=found.row_splits.dtype)[0]
        return RaggedTensor.from_row_splits(found, constants.range_(count), validate=False)
    if not isinstance(key, slice):
        raise ValueError("Cannot index into an inner ragged dimension.")
    if key == slice(None, None, None):
        return rows.with_values(_inner(rows.values, keys[1:]))
    starts, limits = rows.row_splits[:-1], rows.row_splits[1:]
    if key.start is not None and not (isinstance(key.start, int) and key.start == 0):
        starts = _moved(key.start, rows.row_splits[:-1], rows.row_splits[1:])
    if key.stop is not None and not (isinstance(key.stop, int) and key.stop == 0):
        limits = _moved(key.stop, rows.row_splits[:-1], rows.row_splits[1:])
    found = _of_ranges(starts, limits, key.step, rows.values)
    return found.with_values(_inner(found.values, keys[1:]))


def _without_ellipsis(keys: list[Any], remaining: int | None) -> list[Any]:
    if remaining is None:
        raise ValueError("Ellipsis not supported for unknown shape RaggedTensors")
    count = sum(key is not None for key in keys)
    if count > remaining + 1:
        raise IndexError("Too many indices for RaggedTensor")
    return keys[1:] if count == remaining + 1 else [slice(None, None, None), *keys]


def _of_ranges(starts: Any, limits: Any, step: Any, values: Any) -> RaggedTensor:
    """Row i is ``values[starts[i] : limits[i] : step]``."""
    step = as_tensor(1 if step is None else step, name="step")
    if not step.dtype.is_integer:
        raise TypeError("slice strides must be integers or None")
    step = casts.cast(step, starts.dtype)
    places = range_(starts, limits, step, row_splits_dtype=starts.dtype)
    pick = gather if isinstance(values, RaggedTensor) else indexing.gather
    return places.with_values(pick(values, places.values))


def _moved(offset: Any, starts: Any, limits: Any) -> Any:
    """Where ``offset`` stands in each row, counted from its end if negative, and not beyond."""

    def from_start(offset: Any) -> Any:
        return arithmetic.minimum(starts + offset, limits)

    def from_end(offset: Any) -> Any:
        return arithmetic.maximum(limits + offset, starts)

    if isinstance(offset, Tensor):
        offset = casts.cast(offset, starts.dtype)
        return cond(offset >= 0, lambda: from_start(offset), lambda: from_end(offset))
    if not isinstance(offset, int):
        raise TypeError("slice offsets must be integers or None")
    return from_start(offset) if offset > 0 else from_end(offset)
