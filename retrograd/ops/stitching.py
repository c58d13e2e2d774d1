"""Splitting tensors by a key and putting them together again."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import define
from retrograd.graph.shapes import RawShape
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, indexing


def _stitched(indices: list[Tensor], data: list[Tensor]) -> RawShape:
    values = [static_value(i) for i in indices]
    rank_of_index, dims = indices[0].rank, data[0].dims
    if rank_of_index is None or dims is None:
        return None
    if any(v is None for v in values):
        return (None, *dims[rank_of_index:])
    largest = max((int(v.max()) for v in values if v is not None and v.size), default=-1)
    return (largest + 1, *dims[rank_of_index:])


def _dynamic_stitch(xp: Any, indices: list[Any], data: list[Any]) -> Any:
    size = max((int(np.max(i)) for i in indices if np.size(i)), default=-1) + 1
    inner = np.shape(data[0])[np.ndim(indices[0]) :]
    merged = np.zeros((size, *inner), np.asarray(data[0]).dtype)
    for places, values in zip(indices, data, strict=True):
        merged[np.ravel(places)] = np.reshape(values, (np.size(places), *inner))
    return merged


def _stitch_gradient(op: Any, dy: Any) -> list[Any]:
    """Each part takes the rows of dy that it gave."""
    count = op.attrs["N"]
    places = op.inputs[:count]
    return [None] * count + [indexing.gather(dy, p) for p in places]


DYNAMIC_STITCH = define(
    "DynamicStitch", "indices: N*int32, data: N*T", "merged: T", static=("indices",), shape=_stitched,
    kernel=_dynamic_stitch, gradient=_stitch_gradient,
)  # fmt: skip


def dynamic_stitch(indices: Any, data: Any, name: str | None = None) -> Tensor:
    """``merged[indices[i][j]] = data[i][j]``; later parts win."""
    return apply(DYNAMIC_STITCH, indices, data, name=name)
