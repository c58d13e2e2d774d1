"""Strings joined by segment: those that share an id."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import define
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.shapes import RawShape
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import kinds, shape_rules


def _joined_shape(inputs: Tensor, segment_ids: Tensor, num_segments: Tensor) -> RawShape:
    shape_rules.with_rank(num_segments, 0)
    if inputs.dims is None or segment_ids.dims is None:
        return None
    shape_rules.with_prefix(inputs, segment_ids)
    count = static_value(num_segments)
    if count is not None and count < 0:
        raise ValueError(f"Dimension size, given by scalar input 2, must be non-negative but is {int(count)}")
    return (None if count is None else int(count), *inputs.dims[len(segment_ids.dims) :])


def _joined(xp: Any, inputs: Any, segment_ids: Any, num_segments: Any, *, separator: str) -> Any:
    """y[s, inner] = the strings inputs[i, inner] with segment_ids[i] = s, in their order."""
    ids, count = np.asarray(segment_ids), int(num_segments)
    if not ids.ndim:
        raise InvalidArgumentError(None, None, "Segment_id cannot have rank 0")
    if ids.size and (ids.min() < 0 or ids.max() >= count):
        raise InvalidArgumentError(
            None, None, "segment_ids are not allowed to exceed num_segments or to have negative values."
        )
    inner = np.shape(inputs)[ids.ndim :]
    rows = np.reshape(inputs, (ids.size, int(np.prod(inner, dtype=np.int64))))
    parts: list[list[list[bytes]]] = [[[] for _ in range(rows.shape[1])] for _ in range(count)]
    for segment, row in zip(ids.ravel().tolist(), rows.tolist(), strict=True):
        for cell, text in zip(parts[segment], row, strict=True):
            cell.append(text)
    joined = np.full((count, rows.shape[1]), b"", object)
    for i, cells in enumerate(parts):
        joined[i] = [separator.encode().join(cell) for cell in cells]
    return joined.reshape(count, *inner)


UNSORTED_SEGMENT_JOIN = define(
    "UnsortedSegmentJoin", "inputs: string, segment_ids: Tindices, num_segments: Tnumsegments", "output: string",
    attrs={"separator": "", "Tnumsegments": dtypes.int32},
    types={"Tindices": kinds.INDEX, "Tnumsegments": kinds.INDEX}, static=("num_segments",), shape=_joined_shape,
    kernel=_joined,
)  # fmt: skip


def unsorted_segment_join(
    inputs: Any, segment_ids: Any, num_segments: Any, separator: str = "", name: str | None = None
) -> Tensor:  # fmt: skip
    """The strings of each of ``num_segments`` segments, joined by ``separator``; empty where there are none.

    Raises:
      InvalidArgumentError: at run time, for an id that is out of range.
    """
    return apply(UNSORTED_SEGMENT_JOIN, inputs, segment_ids, num_segments, separator=separator, name=name)
