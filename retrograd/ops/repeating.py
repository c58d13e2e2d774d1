"""Repeating tensors: tile, broadcast_to, repeat, and the shapes that broadcasting gives."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import define
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape, TensorShape
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.static import shape_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    constants,
    grids,
    indexing,
    joining,
    kinds,
    permuting,
    reductions,
    segments,
    shape_rules,
)  # fmt: skip

# -- tile --------------------------------------------------------------------------------------


def _tiled(x: Tensor, multiples: Any) -> RawShape:
    length = shape_rules.with_rank(multiples, 1)[0]
    if x.dims is not None and length not in (None, len(x.dims)):
        raise ValueError(f"Shape must be rank {len(x.dims)} but is rank {length}")
    counts = shape_value(multiples)
    if counts is None:
        return None if x.dims is None else (None,) * len(x.dims)
    dims = shape_rules.with_rank(x, len(counts))
    return tuple([None if n is None or c is None else n * c for n, c in zip(dims, counts, strict=True)])


def _tile(xp: Any, x: Any, multiples: Any) -> Any:
    shape_rules.check_rank(multiples, 1, "Expected multiples to be 1-D, but got shape {}")
    counts = np.asarray(multiples).tolist()
    if len(counts) != np.ndim(x):
        raise InvalidArgumentError(
            None,
            None,
            f"Expected multiples argument to be a vector of length {np.ndim(x)} but got length {len(counts)}",
        )
    for i, count in enumerate(counts):
        if count < 0:
            raise InvalidArgumentError(None, None, f"Expected multiples[{i}] >= 0, but got {count}")
    return xp.tile(x, tuple(counts))


def _tile_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy summed over its copies: dy seen as [c0, n0, c1, n1, ...] and summed along the even axes."""
    x, multiples = op.inputs
    shape = arrays.shape(x, out_type=multiples.dtype)
    interleaved = arrays.reshape(permuting.transpose(joining.stack([multiples, shape])), [-1])
    axes = constants.range_(0, arrays.size(interleaved), 2)
    if isinstance(dy, IndexedSlices):
        rows = arithmetic.cast(shape[0], dy.indices.dtype)
        dy = segments.unsorted_segment_sum(dy.values, arithmetic.floormod(dy.indices, rows), rows)
        interleaved = joining.concat([[1], interleaved[1:]], axis=0)
    dx = reductions.reduce_sum(arrays.reshape(dy, interleaved), axes)
    dx.set_shape(x.dims)
    return [dx, None]


TILE = define(
    "Tile", "input: T, multiples: Tmultiples", "output: T", attrs={"Tmultiples": dtypes.int32},
    types={"Tmultiples": kinds.INDEX}, static=("multiples",), shape=_tiled, kernel=_tile, gradient=_tile_gradient,
)  # fmt: skip


def tile(input: Any, multiples: Any, name: str | None = None) -> Tensor:
    """``input`` repeated ``multiples[i]`` times along each dimension i."""
    return apply(TILE, input, multiples, name=name)


# -- broadcasting ------------------------------------------------------------------------------


def _broadcast_shape(x: Tensor, shape: Tensor) -> RawShape:
    wanted = shape_value(shape)
    if wanted is None or x.dims is None:
        return wanted
    if len(x.dims) > len(wanted):
        raise ValueError(f"Shape must be at most rank {len(wanted)} but is rank {len(x.dims)}")
    for n, m in zip(x.dims[::-1], wanted[::-1], strict=False):
        if None not in (n, m) and n not in (1, m):
            raise ValueError(f"Dimensions must be equal, but are {n} and {m}")
    return wanted


def _broadcast_to(xp: Any, x: Any, shape: Any) -> Any:
    shape_rules.check_rank(shape, 1, "shape must be a vector of {{int32,int64}}, got shape {}")
    dims = tuple(np.asarray(shape).tolist())
    if np.ndim(x) > len(dims):
        text = f"Rank of input ({np.ndim(x)}) must be no greater than rank of output shape ({len(dims)})."
        raise InvalidArgumentError(None, None, text)
    try:
        return xp.broadcast_to(x, dims)
    except ValueError:
        was, wanted = shapes.shape_text(np.shape(x)), shapes.shape_text(dims)
        text = f"Incompatible shapes: {was} vs. {wanted}"
        with suppress(ValueError):  # where both together have a shape, but not this one
            np.broadcast_shapes(np.shape(x), dims)
            text = f"Unable to broadcast tensor of shape {was} to tensor of shape {wanted}"
        raise InvalidArgumentError(None, None, text) from None


def _broadcast_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy summed over the axes along which x was repeated."""
    x, shape = op.inputs
    shape_of_x = arrays.shape(x)
    axes = apply(arithmetic.BROADCAST_GRADIENT_ARGS, shape, shape_of_x)[1]
    return [arrays.reshape(reductions.reduce_sum(dy, axis=axes, keepdims=True), shape_of_x), None]


BROADCAST_TO = define(
    "BroadcastTo", "input: T, shape: Tidx", "output: T", attrs={"Tidx": dtypes.int32}, types={"Tidx": kinds.INDEX},
    static=("shape",), shape=_broadcast_shape, kernel=_broadcast_to, gradient=_broadcast_gradient,
)  # fmt: skip


def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """``input`` repeated to ``shape``, as NumPy broadcasts."""
    return apply(BROADCAST_TO, input, shape, name=name)


def _broadcast_args(xp: Any, s0: Any, s1: Any) -> Any:
    shape_rules.check_vectors(s0, s1)
    x, y = (tuple(np.asarray(s).tolist()) for s in (s0, s1))
    try:
        return np.array(np.broadcast_shapes(x, y), np.asarray(s0).dtype)
    except ValueError:
        raise InvalidArgumentError(
            None, None, f"Incompatible shapes: {shapes.shape_text(x)} vs. {shapes.shape_text(y)}"
        ) from None


def _broadcast_rank(s0: Tensor, s1: Tensor) -> RawShape:
    lengths = [t.dims[0] if t.dims else None for t in (s0, s1)]
    return (None if None in lengths else max(n for n in lengths if n is not None),)


BROADCAST_ARGS = define(
    "BroadcastArgs", "s0: T, s1: T", "r0: T", attrs={"T": dtypes.int32}, types={"T": kinds.INDEX},
    static=("s0", "s1"), shape=_broadcast_rank, kernel=_broadcast_args,
)  # fmt: skip


def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """The shape to which tensors of two shapes broadcast, worked out in the graph."""
    return apply(BROADCAST_ARGS, shape_x, shape_y)


def broadcast_static_shape(shape_x: TensorShape, shape_y: TensorShape) -> TensorShape:
    """The same while building.

    Raises:
      ValueError: the two do not broadcast.
    """
    try:
        return TensorShape.of_raw(shapes.broadcast(shapes.raw(shape_x), shapes.raw(shape_y)))
    except ValueError:
        raise ValueError(f"Incompatible shapes for broadcasting: {shape_x} and {shape_y}") from None


# -- repeat ------------------------------------------------------------------------------------


def repeat(input: Any, repeats: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """Each element of ``input`` along ``axis`` ``repeats`` times, or each i ``repeats[i]`` times."""
    if axis is None:
        input = arrays.reshape(input, [-1])
        axis = 0
    return repeat_with_axis(input, repeats, axis, name)


def repeat_with_axis(data: Any, repeats: Any, axis: int, name: str | None = None) -> Tensor:
    """``repeat`` along a given axis.

    Raises:
      TypeError: ``axis`` or ``repeats`` is no integer.
    """
    if not isinstance(axis, int):
        raise TypeError(f"axis must be an int; got {type(axis).__name__}")
    with name_scope(name, "Repeat", [data, repeats]):
        data = as_tensor(data, name="data")
        repeats = as_tensor(repeats, name="repeats", preferred_dtype=dtypes.int32)
        if not repeats.dtype.is_integer:
            raise TypeError(f"repeats must be an integer tensor; dtype={repeats.dtype}")
        repeats = apply(casts.CAST, repeats, DstT=dtypes.int32)
        repeats.shape.with_rank_at_most(1)
        data = _at_least_vector(data)
        shape = arrays.shape(data)
        axis = _positive(axis, data.rank)
        if repeats.rank == 1:
            data.shape.dims[axis].assert_is_compatible_with(repeats.shape[0])
        if repeats.rank == 0:
            copies = _tiled_along(arrays.expand_dims(data, axis + 1), axis + 1, repeats)
            return arrays.reshape(copies, joining.concat([shape[:axis], [-1], shape[axis + 1 :]], axis=0))
        if repeats.rank != axis + 1:
            own_shape, own_rank = arrays.shape(repeats), arrays.rank(repeats)
            repeats = broadcast_to(repeats, joining.concat([shape[: axis + 1 - own_rank], own_shape], axis=0))
            repeats.set_shape([None] * (axis + 1))
        most = arithmetic.maximum(0, apply(reductions.MAX, repeats, reductions.all_axes(repeats), keep_dims=False))
        mask = grids.sequence_mask(repeats, most)
        copies = _tiled_along(arrays.expand_dims(data, axis + 1), axis + 1, most)
        result = indexing.boolean_mask(copies, mask)
        if axis:
            result = arrays.reshape(result, joining.concat([shape[:axis], [-1], shape[axis + 1 :]], axis=0))
        if data.rank is not None:
            size = 0 if repeats.dims[0] == 0 else None
            result.set_shape(data.shape[:axis].concatenate([size]).concatenate(data.shape[axis + 1 :]))
        return result


def _at_least_vector(data: Tensor) -> Tensor:
    """``data``, a scalar as a vector of one element."""
    if data.rank == 0:
        return joining.stack([data])
    if data.rank is not None:
        return data
    shape, rank = arrays.shape(data), arrays.rank(data)
    return arrays.reshape(data, joining.concat([[1], shape], axis=0)[-rank:])  # all of it where the rank is 0


def _positive(axis: int, rank: int | None) -> int:
    if rank is None:
        if axis < 0:
            raise ValueError("axis may only be negative if ndims is statically known.")
        return axis
    if not -rank <= axis < rank:
        raise ValueError(f"axis={axis} out of bounds: expected {-rank}<=axis<{rank}")
    return axis % rank


def _tiled_along(data: Tensor, axis: int, multiple: Tensor) -> Tensor:
    if data.rank is not None:
        return tile(data, [multiple if i == axis else 1 for i in range(data.rank)])
    ones = constants.ones(arrays.rank(data), dtypes.int32)
    return tile(data, joining.concat([ones[:axis], [multiple], ones[axis + 1 :]], axis=0))
