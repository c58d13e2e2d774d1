"""Splitting tensors by a key and putting them together again."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.definition import REQUIRED, define
from retrograd.graph.errors import InvalidArgumentError, invalid
from retrograd.graph.shapes import RawShape
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, constants, indexing, placing, reductions, segments, shape_rules

# -- dynamic_partition -------------------------------------------------------------------------


def _partitioned(data: Tensor, partitions: Tensor, *, num_partitions: int) -> list[RawShape]:
    if data.dims is None or partitions.dims is None:
        return [None] * num_partitions
    rank = len(partitions.dims)
    shape_rules.with_prefix(data, partitions)
    return [(None, *data.dims[rank:])] * num_partitions


def _dynamic_partition(xp: Any, data: Any, partitions: Any, *, num_partitions: int) -> list[Any]:
    data, keys = np.asarray(data), np.asarray(partitions)
    if data.shape[: keys.ndim] != keys.shape:
        raise InvalidArgumentError(
            None, None,
            f"data.shape must start with partitions.shape, got data.shape = {shapes.shape_text(data.shape)}, "
            f"partitions.shape = {shapes.shape_text(keys.shape)}",
        )  # fmt: skip
    wrong = (keys < 0) | (keys >= num_partitions)
    if wrong.any():
        place = np.argwhere(wrong)[0]
        raise InvalidArgumentError(
            None, None,
            f"partitions{f'[{chr(44).join(map(str, place))}]' if keys.ndim else ''} = {keys[tuple(place)]} is not in "
            f"[0, {num_partitions})",
        )  # fmt: skip
    return [data[keys == i] for i in range(num_partitions)]


def _partition_gradient(op: Any, *dys: Any) -> list[Any]:
    """dx is the parts' gradients stitched together where the rows came from."""
    data, partitions = op.inputs
    shape = arrays.shape(partitions)
    places = arrays.reshape(constants.range_(reductions.reduce_prod(shape)), shape)
    parts = dynamic_partition(places, partitions, op.attrs["num_partitions"])
    stitched = dynamic_stitch(parts, list(dys))
    return [arrays.reshape(stitched, arrays.shape(data)), None]


DYNAMIC_PARTITION = define(
    "DynamicPartition", "data: T, partitions: int32", "outputs: num_partitions*T", attrs={"num_partitions": REQUIRED},
    shape=_partitioned, kernel=_dynamic_partition, gradient=_partition_gradient,
)  # fmt: skip


def dynamic_partition(data: Any, partitions: Any, num_partitions: int, name: str | None = None) -> list[Tensor]:
    """``num_partitions`` tensors: part i has the rows of ``data`` whose partition is i, in their order."""
    return apply(DYNAMIC_PARTITION, data, partitions, num_partitions=num_partitions, name=name)


# -- dynamic_stitch ----------------------------------------------------------------------------


def _stitched(indices: list[Tensor], data: list[Tensor]) -> RawShape:
    values = [static_value(i) for i in indices]
    inner: RawShape = None
    for places, part in zip(indices, data, strict=True):
        if places.dims is not None and part.dims is not None:
            try:
                shape_rules.with_prefix(part, places)
                inner = shapes.merge(inner, part.dims[len(places.dims) :])
            except ValueError as error:
                raise shapes.Unread(str(error)) from None
    if inner is None:
        return None
    if any(v is None for v in values):
        return (None, *inner)
    # TensorFlow counts one row where no index is named, though there is none.
    return (max((int(v.max()) for v in values if v is not None and v.size), default=0) + 1, *inner)


def _dynamic_stitch(xp: Any, indices: list[Any], data: list[Any]) -> Any:
    places = np.concatenate([np.ravel(i) for i in indices])
    inner = np.shape(data[0])[np.ndim(indices[0]) :]
    for i, (index, values) in enumerate(zip(indices, data, strict=True)):
        if np.shape(values)[: np.ndim(index)] != np.shape(index):
            raise InvalidArgumentError(
                None, None,
                f"data[{i}].shape = {shapes.shape_text(np.shape(values))} does not start with indices[{i}].shape = "
                f"{shapes.shape_text(np.shape(index))}",
            )  # fmt: skip
        if np.shape(values)[np.ndim(index) :] != inner:
            shown = [shapes.shape_text(np.shape(v)) for v in (data[0], values, indices[0], index)]
            raise invalid(
                f"Need data[0].shape[{np.ndim(indices[0])}:] = data[{i}].shape[{np.ndim(index)}:], got data[0].shape = "
                f"{shown[0]}, data[{i}].shape = {shown[1]}, indices[0].shape = {shown[2]}, "
                f"indices[{i}].shape = {shown[3]}"
            )
    rows = xp.concatenate([xp.reshape(v, (np.size(i), *inner)) for i, v in zip(indices, data, strict=True)])
    named, last = np.unique(places[::-1], return_index=True)
    size = int(named[-1]) + 1 if len(named) else 0
    return placing.among_zeros(xp, (size, *inner), named, rows[len(places) - 1 - last])


def _stitch_gradient(op: Any, dy: Any) -> list[Any]:
    """Each part takes the rows of dy that it gave."""
    count = op.attrs["N"]
    places = [arithmetic.cast(p, dtypes.int32) for p in op.inputs[:count]]
    if isinstance(dy, IndexedSlices):
        rows = arrays.shape(op.outputs[0])[0]
        dy = segments.unsorted_segment_sum(dy.values, dy.indices, rows)
    return [None] * count + [indexing.gather(dy, p) for p in places]


DYNAMIC_STITCH = define(
    "DynamicStitch", "indices: N*int32, data: N*T", "merged: T", static=("indices",), shape=_stitched,
    kernel=_dynamic_stitch, gradient=_stitch_gradient,
)  # fmt: skip

PARALLEL_DYNAMIC_STITCH = define(
    "ParallelDynamicStitch", "indices: N*int32, data: N*T", "merged: T", static=("indices",), shape=_stitched,
    kernel=_dynamic_stitch, gradient=_stitch_gradient,
)  # fmt: skip


def _check_lengths(function: str, indices: Any, data: Any) -> None:
    if isinstance(indices, list | tuple) and isinstance(data, list | tuple) and len(indices) != len(data):
        raise ValueError(
            f"List argument 'data' to '{function}' Op with length {len(data)} must match length {len(indices)} of "
            "argument 'indices'."
        )


def dynamic_stitch(indices: Any, data: Any, name: str | None = None) -> Tensor:
    """``merged[indices[i][j]] = data[i][j]``; later parts win."""
    _check_lengths("dynamic_stitch", indices, data)
    return apply(DYNAMIC_STITCH, indices, data, name=name)


def parallel_dynamic_stitch(indices: Any, data: Any, name: str | None = None) -> Tensor:
    """``dynamic_stitch`` of parts that name no row twice."""
    _check_lengths("parallel_dynamic_stitch", indices, data)
    return apply(PARALLEL_DYNAMIC_STITCH, indices, data, name=name)
