"""Tensors as ``IndexedSlices`` of all their rows, and slices with indices of one dtype."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, casts, constants


def as_indexed_slices(x: Any, optimize: bool = True) -> IndexedSlices:
    """``x`` as slices, one for each of its rows; ``IndexedSlices`` stay what they are.

    Raises:
      TypeError: ``x`` is neither a tensor nor slices.
    """
    if isinstance(x, IndexedSlices):
        return x
    if not isinstance(x, Tensor):
        raise TypeError(f"Not a Tensor or IndexedSlices: {type(x)}")
    shape = arrays.shape_internal(x, optimize=optimize)
    return IndexedSlices(x, constants.range_(0, shape[0]), shape)


def as_indexed_slices_list(inputs: Any, optimize: bool = True) -> list[IndexedSlices]:
    """Each of ``inputs`` as slices; their indices are of one dtype, int64 if any of them are.

    Raises:
      TypeError: ``inputs`` is no list.
    """
    if not isinstance(inputs, list | tuple):
        raise TypeError(f"Expected a list or tuple, not a {type(inputs)}")
    return of_one_index_type([as_indexed_slices(x, optimize) for x in inputs])


def of_one_index_type(slices: list[IndexedSlices]) -> list[IndexedSlices]:
    """The ``slices`` with indices of one dtype: int64 where they differ."""
    if len({s.indices.dtype.base_dtype for s in slices}) < 2:
        return slices
    return [
        s
        if s.indices.dtype == dtypes.int64
        else IndexedSlices(s.values, casts.cast(s.indices, dtypes.int64), s.dense_shape)
        for s in slices
    ]
