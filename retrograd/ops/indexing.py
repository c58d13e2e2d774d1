"""Taking elements out of tensors by position: gather, gather_nd, boolean masks."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import define, not_differentiable
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.scopes import colocate_with, name_scope
from retrograd.graph.shapes import RawShape, TensorShape
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.static import constant_value, static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
    constants,
    grids,
    joining,
    kinds,
    permuting,
    reductions,
    repeating,
    scattering,
    segments,
    shape_rules,
)  # fmt: skip
from retrograd.ops.requirements import require

# -- gather ------------------------------------------------------------------------------------


def _gathered(params: Tensor, indices: Tensor, axis: Tensor, *, batch_dims: int) -> RawShape:
    place = static_value(axis)
    shape_rules.with_rank(axis, 0)
    if params.dims is None or indices.dims is None or place is None:
        if params.dims is None or indices.dims is None:
            return None
        return (None,) * (len(params.dims) + len(indices.dims) - 1 - batch_dims)
    at = int(place)
    shape_rules.with_rank_at_least(params, at + 1 if at >= 0 else -at)
    at %= len(params.dims)
    batch = batch_dims + len(indices.dims) if batch_dims < 0 else batch_dims
    shape_rules.with_rank_at_least(indices, batch)
    shapes.merge(params.dims[:batch], indices.dims[:batch])
    return (*params.dims[:at], *indices.dims[batch:], *params.dims[at + 1 :])


def _gather(xp: Any, params: Any, indices: Any, axis: Any, *, batch_dims: int) -> Any:
    """y[b, outer, i, inner] = params[b, outer, indices[b, i], inner]."""
    shape_rules.check_rank(axis, 0, "axis must be scalar")
    params, places = xp.asarray(params), xp.asarray(indices)
    if not -params.ndim <= int(axis) < params.ndim:
        raise InvalidArgumentError(
            None, None, f"Expected axis in the range [{-params.ndim}, {params.ndim}), but got {int(axis)}"
        )
    at = int(axis) % params.ndim
    batch = batch_dims + places.ndim if batch_dims < 0 else batch_dims
    check_range(xp, places, params.shape[at])
    if not batch:
        return xp.take(params, places, at, mode="clip")
    if params.shape[:batch] != places.shape[:batch]:
        raise InvalidArgumentError(None, None, _unequal_batch(params.shape, places.shape, batch))
    rank = places.ndim
    grids = [
        xp.reshape(xp.arange(n), (1,) * i + (n,) + (1,) * (rank - i - 1)) for i, n in enumerate(places.shape[:batch])
    ]
    taken = xp.moveaxis(params, at, batch)[(*grids, places)]  # batch, indices, outer, inner
    return xp.moveaxis(taken, range(rank, rank + at - batch), range(batch, at))


def _unequal_batch(params: tuple[int, ...], indices: tuple[int, ...], batch: int) -> str:
    i = next(i for i in range(batch) if params[i] != indices[i])
    return f"params.shape[{i}]: {params[i]} should be equal to indices.shape[{i}]: {indices[i]}"


def check_range(xp: Any, indices: Any, size: int) -> None:
    """Raise TensorFlow's error for the first index that is not in [0, size)."""
    if xp is not np:
        require((indices >= 0) & (indices < size))
    elif indices.size and not _all_within(indices, size):
        flat = np.ravel(indices)
        first = int(np.flatnonzero((flat < 0) | (flat >= size))[0])
        place = ",".join(map(str, np.unravel_index(first, indices.shape)))
        raise InvalidArgumentError(
            None, None, f"indices{f'[{place}]' if place else ''} = {flat[first]} is not in [0, {size})"
        )


def _all_within(indices: Any, size: int) -> bool:
    """Whether all are in [0, size): without a sign, what is below 0 is above all."""
    if isinstance(indices, np.ndarray) and indices.dtype.kind == "i":
        return bool(indices.view(_UNSIGNED[indices.itemsize]).max() < size)
    return bool(indices.min() >= 0 and indices.max() < size)


_UNSIGNED = {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}


def _gather_gradient(op: Any, dy: Any) -> list[Any]:
    """Along axis 0, dx are the rows of dy as ``IndexedSlices``; else dy summed into its places."""
    params, indices, axis = op.inputs
    with colocate_with(params):
        shape = arithmetic.cast(arrays.shape(params, out_type=dtypes.int64), dtypes.int32)
    count = arrays.expand_dims(arrays.size(indices), 0)
    place = constant_value(axis)
    batch = op.attrs["batch_dims"]
    batch = batch + len(indices.dims) if batch < 0 else batch
    if place is not None and place == 0:
        values_shape = joining.concat([count, shape[1:]], 0)
        values = arrays.reshape(dy, values_shape)
        return [IndexedSlices(values, arrays.reshape(indices, count), shape), None, None]
    outer, inner = shape[:axis], shape[axis:][1:]
    values_shape = joining.concat([outer, [-1], inner], 0)
    rank, at = arrays.size(values_shape), arrays.size(outer)
    batches = constants.range_(batch)
    between = constants.range_(batch, at)
    after = constants.range_(at + 1, rank)
    values = arrays.reshape(dy, values_shape)
    to_front = joining.concat([batches, [at], between, after], 0)
    values = permuting.transpose(values, to_front)
    dx = _sum_into(shape, values, indices, batch, shape[axis])
    back = joining.concat([batches, between + 1, [batch], after], 0)
    return [permuting.transpose(dx, back), None, None]


def _sum_into(shape: Tensor, values: Tensor, indices: Tensor, batch: int, size: Tensor) -> Tensor:
    """``values``, whose gathered axis is the first after the batch axes, summed into ``size`` places."""
    count = arrays.expand_dims(arrays.size(indices), 0)
    if not batch:
        return segments.unsorted_segment_sum(values, arrays.reshape(indices, count), size)
    values_shape = arrays.shape(values)
    outer, inner = values_shape[:batch], values_shape[batch:][1:]
    batches = apply(reductions.PROD, outer, [0], keep_dims=False)
    flat_shape = joining.concat([[-1], inner], 0)
    size = size * batches
    stride = constants.ones((), dtype=indices.dtype.base_dtype)
    sizes = arithmetic.cast(shape, indices.dtype)
    indices = _flat_batch_indices(sizes, indices, batch, stride, constants.range_)
    values = arrays.reshape(values, flat_shape)
    dx = segments.unsorted_segment_sum(values, arrays.reshape(indices, count), size)
    return arrays.reshape(dx, joining.concat([outer, flat_shape], 0))


def _flat_batch_indices(sizes: Tensor, indices: Tensor, batch: int, stride: Tensor, ranged: Any) -> Tensor:
    """``indices`` with the offset of each batch element added."""
    dtype, rank = indices.dtype.base_dtype, len(indices.dims or ())
    for i in range(batch, 0, -1):
        length = sizes[i - 1]
        stride = stride * sizes[i]
        start, step = constants.zeros((), dtype=dtype), constants.ones((), dtype=dtype)
        offsets = ranged(start, length, step) * stride
        grid = joining.stack([1] * (i - 1) + [length] + [1] * (rank - i), axis=0)
        indices = indices + arrays.reshape(offsets, grid)
    return indices


GATHER_V2 = define(
    "GatherV2", "params: Tparams, indices: Tindices, axis: Taxis", "output: Tparams", attrs={"batch_dims": 0},
    types={"Tindices": kinds.INDEX, "Taxis": kinds.INDEX}, static=("axis",),
    ranks={"params": "1+: params must be at least 1 dimensional"},
    shape=_gathered, kernel=_gather,
    gradient=_gather_gradient,
)  # fmt: skip


def _rows_gradient(op: Any, dy: Any) -> list[Any]:
    params, indices = op.inputs
    with colocate_with(params):
        shape = arithmetic.cast(arrays.shape(params, out_type=dtypes.int64), dtypes.int32)
    count = arrays.expand_dims(arrays.size(indices), 0)
    values = arrays.reshape(dy, joining.concat([count, shape[1:]], 0))
    return [IndexedSlices(values, arrays.reshape(indices, count), shape), None]


GATHER = define(
    "Gather", "params: Tparams, indices: Tindices", "output: Tparams", attrs={"validate_indices": True},
    types={"Tindices": kinds.INDEX},
    ranks={"params": "1+: params must be at least 1 dimensional"},
    shape=lambda params, indices: None if params.dims is None or indices.dims is None else (
        *indices.dims, *(shape_rules.with_rank_at_least(params, 1) or ())[1:]
    ),
    kernel=lambda xp, params, indices: _gather(xp, params, indices, 0, batch_dims=0), gradient=_rows_gradient,
)  # fmt: skip


def gather(
    params: Any, indices: Any, validate_indices: Any = None, name: str | None = None, axis: Any = None,
    batch_dims: int = 0,
) -> Tensor:  # fmt: skip
    """The slices of ``params`` at ``indices`` along ``axis`` (default: the first after the batch dimensions)."""
    if axis is None:
        axis = batch_dims
    batch_dims = batch_dims or 0
    place = constant_value(axis) if isinstance(axis, Tensor) else axis
    if place is not None and np.ndim(place) == 0 and place == 0 and hasattr(params, "sparse_read"):
        try:
            return params.sparse_read(indices, name=name)
        except AttributeError:  # reference variables cannot
            return apply(GATHER_V2, params, indices, axis, name=name)
    return apply(GATHER_V2, params, indices, axis, batch_dims=batch_dims, name=name)


def batch_gather(params: Any, indices: Any, name: str | None = None) -> Tensor:
    """``gather`` within each batch element: all dimensions of ``indices`` but the last are batch dimensions."""
    with name_scope(name, "BatchGather", [params, indices]):
        indices = as_tensor(indices, name="indices")
        params = as_tensor(params, name="params")
        shape = arrays.shape(indices)
        params_shape = arrays.shape(params)
        rank = indices.rank
        if rank is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        stride = constants.ones((), dtype=indices.dtype.base_dtype)
        sizes = apply(casts.CAST, params_shape, DstT=indices.dtype)
        flat = arrays.reshape(
            _flat_batch_indices(sizes, indices, rank - 1, stride, partial(apply, constants.RANGE)), [-1]
        )
        outer = params_shape[rank:]
        count = apply(reductions.PROD, params_shape[:rank], [0], keep_dims=False)
        flat_params = arrays.reshape(params, joining.concat([[count], outer], axis=0))
        result = arrays.reshape(gather(flat_params, flat), joining.concat([shape, outer], axis=0))
        batch = indices.shape[: rank - 1].merge_with(params.shape[: rank - 1])
        result.set_shape(batch.concatenate(indices.shape[rank - 1 : rank]).concatenate(params.shape[rank:]))
        return result


# -- gather_nd ---------------------------------------------------------------------------------


def _gathered_nd(params: Tensor, indices: Tensor) -> RawShape:
    places = shape_rules.with_rank_at_least(indices, 1)
    if params.dims is None or places is None or places[-1] is None:
        return None
    if places[-1] > len(params.dims):
        raise ValueError(
            f"indices.shape[-1] must be <= params.rank, but saw indices shape: {shapes.shape_text(places)} and "
            f"params shape: {shapes.shape_text(params.dims)}"
        )
    return (*places[:-1], *params.dims[places[-1] :])


_OUTSIDE = "indices[{place}] = [{index}] does not index into param shape {shape}"


def _gather_nd(xp: Any, params: Any, indices: Any) -> Any:
    params, indices = xp.asarray(params), xp.asarray(indices)
    if xp is np and indices.size and not params.size:
        raise InvalidArgumentError(
            None, None,
            f"Requested more than 0 entries, but params is empty.  Params shape: {shapes.shape_text(params.shape)}",
        )  # fmt: skip
    index = scattering.checked_index(xp, indices, params.shape, _OUTSIDE)
    if not index:
        return xp.broadcast_to(params, (*indices.shape[:-1], *params.shape))
    return params[index]


def _gather_nd_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy scattered to where it was taken from; rows of dx where whole rows were taken."""
    params, indices = op.inputs
    shape = arrays.shape(params, out_type=indices.dtype)
    if indices.rank == 2 and indices.dims[-1] == 1:
        return [IndexedSlices(dy, arrays.squeeze(indices, axis=-1), shape), None]
    return [scattering.scatter_nd(indices, dy, shape), None]


GATHER_ND = define(
    "GatherNd", "params: Tparams, indices: Tindices", "output: Tparams", types={"Tindices": kinds.INDEX},
    shape=_gathered_nd, kernel=_gather_nd, gradient=_gather_nd_gradient,
)  # fmt: skip


def gather_nd(params: Any, indices: Any, name: str | None = None, batch_dims: int = 0) -> Tensor:
    """The elements or slices of ``params`` at the coordinates ``indices[..., :]``."""
    known = constant_value(batch_dims) if isinstance(batch_dims, Tensor) else batch_dims
    if known is not None:
        batch_dims = np.ravel(known)[0].item()
    if batch_dims != 0:
        return batch_gather_nd(params, indices, batch_dims=batch_dims, name=name)
    if hasattr(params, "gather_nd"):
        try:
            return params.gather_nd(indices, name=name)
        except AttributeError:
            pass
    return apply(GATHER_ND, params, indices, name=name)


def batch_gather_nd(params: Any, indices: Any, batch_dims: int, name: str | None = None) -> Tensor:
    """``gather_nd`` within each element of the first ``batch_dims`` dimensions."""
    with name_scope(name, "BatchGatherND", [params, indices]):
        indices = as_tensor(indices, name="indices")
        params = as_tensor(params, name="params")
        if not isinstance(batch_dims, int):
            raise TypeError(f"batch_dims must be an int; got {batch_dims!r}")
        if batch_dims < 0:
            raise ValueError("batch_dims must be >= 0")
        if batch_dims == 0:
            return gather_nd(params, indices)
        rank = indices.rank
        if rank is not None and batch_dims >= rank:
            raise ValueError(f"batch_dims = {batch_dims} must be less than rank(indices) = {rank}")
        params_shape, indices_shape = arrays.shape(params), arrays.shape(indices)
        batch_shape = params_shape[:batch_dims]
        count = apply(reductions.PROD, batch_shape, [0], keep_dims=False)
        inner_rank = arrays.rank(indices) - 1 - batch_dims
        inner_shape = indices_shape[batch_dims:-1]
        sizes = joining.unstack(batch_shape)
        ranges = [apply(constants.RANGE, 0, n, 1) for n in sizes]
        ranges = [apply(casts.CAST, r, DstT=indices.dtype) for r in ranges]
        grid = grids.meshgrid(*ranges, indexing="ij")
        coordinates = permuting.transpose(joining.stack([arrays.reshape(x, [-1]) for x in grid]))
        shape = arrays.shape(coordinates)
        spread = joining.concat([shape[:1], constants.ones(inner_rank, dtype=dtypes.int32), shape[1:]], axis=0)
        coordinates = arrays.reshape(coordinates, spread)
        coordinates = repeating.tile(coordinates, joining.concat(([1], inner_shape, [1]), axis=0))
        flat = arrays.reshape(indices, joining.concat(([count], indices_shape[batch_dims:]), axis=0))
        found = apply(GATHER_ND, params, joining.concat((coordinates, flat), axis=-1))
        return arrays.reshape(found, joining.concat((batch_shape, arrays.shape(found)[1:]), axis=0))


# -- masks -------------------------------------------------------------------------------------


def boolean_mask(tensor: Any, mask: Any, name: str = "boolean_mask", axis: Any = None) -> Tensor:
    """The elements of ``tensor`` where ``mask`` is True; the masked dimensions become one.

    Raises:
      ValueError: the rank of ``mask`` is unknown or 0, or its shape does not match.
    """
    with name_scope(name, values=[tensor, mask]):
        tensor = as_tensor(tensor, name="tensor")
        mask = as_tensor(mask, name="mask")
        rank = mask.rank
        if rank == 0:
            raise ValueError("mask cannot be scalar.")
        if rank is None:
            raise ValueError(
                "Number of mask dimensions must be specified, even if some dimensions are None.  E.g. shape=[None] "
                "is ok, but shape=None is not."
            )
        at = 0 if axis is None else int(axis)
        static = tensor.shape
        static[at : at + rank].assert_is_compatible_with(mask.shape)
        count = apply(reductions.PROD, arrays.shape(tensor)[at : at + rank], [0], keep_dims=False)
        flat_shape = joining.concat([arrays.shape(tensor)[:at], [count], arrays.shape(tensor)[at + rank :]], 0)
        tensor = arrays.reshape(tensor, flat_shape)
        masked = static[at : at + rank].num_elements()
        tensor.set_shape(TensorShape(static[:at]).concatenate([masked]).concatenate(static[at + rank :]))
        mask = arrays.reshape(mask, [-1])
        return gather(tensor, arrays.squeeze(comparison.where(mask), axis=[1]), axis=axis if axis is None else at)


# -- one hot -----------------------------------------------------------------------------------


def _one_hot_shape(indices: Tensor, depth: Tensor, on_value: Tensor, off_value: Tensor, *, axis: int) -> RawShape:
    shape_rules.with_rank(depth, 0)
    if axis < -1:
        raise ValueError("axis must be >= -1")
    if indices.dims is None:
        return None
    size = static_value(depth)
    if size is not None and size < 0:
        raise ValueError(f"Dimension size, given by scalar input 1, must be non-negative but is {int(size)}")
    at = len(indices.dims) if axis == -1 else min(axis, len(indices.dims))  # the run says what is wrong with more
    return (*indices.dims[:at], None if size is None else int(size), *indices.dims[at:])


def _one_hot(xp: Any, indices: Any, depth: Any, on_value: Any, off_value: Any, *, axis: int) -> Any:
    at, rank = np.ndim(indices) if axis == -1 else axis, np.ndim(indices)
    shape_rules.check_rank(depth, 0, "depth must be a scalar, but got: {}")
    if at > rank:
        raise InvalidArgumentError(
            None, None, f"Expected axis to be -1 or between [0, {rank + 1}).  But received: {axis}"
        )
    if int(depth) < 0:
        raise InvalidArgumentError(None, None, f"depth must be non-negative, got: {int(depth)}")
    places = xp.expand_dims(indices, at)
    classes = xp.reshape(xp.arange(int(depth)), (-1,) + (1,) * (rank - at))
    result = xp.where(places == classes, on_value, off_value)
    return result.astype(object) if xp is np and isinstance(on_value, bytes) else result


ONE_HOT = define(
    "OneHot", "indices: TI, depth: int32, on_value: T, off_value: T", "output: T",
    attrs={"axis": -1, "TI": dtypes.int64}, types={"TI": (dtypes.uint8, dtypes.int32, dtypes.int64)},
    ranks={
        "depth": "0: depth must be a scalar, but got: {}",
        "on_value": "0: on_value must be a scalar, but got: {}",
        "off_value": "0: off_value must be a scalar, but got: {}",
    },
    static=("depth",), shape=_one_hot_shape, kernel=_one_hot, gradient=not_differentiable,
)  # fmt: skip


def one_hot(
    indices: Any, depth: Any, on_value: Any = None, off_value: Any = None, axis: int | None = None,
    dtype: Any = None, name: str | None = None,
) -> Tensor:  # fmt: skip
    """A new dimension ``axis`` (default: last) of size ``depth``: ``on_value`` at the index, ``off_value`` elsewhere.

    Raises:
      TypeError: the values and ``dtype`` do not agree.
    """
    with name_scope(name, "one_hot", [indices, depth, on_value, off_value, axis, dtype]) as name:
        dtype = None if dtype is None else dtypes.as_dtype(dtype)
        on_dtype = None if on_value is None else as_tensor(on_value).dtype.base_dtype
        off_dtype = None if off_value is None else as_tensor(off_value).dtype.base_dtype
        if dtype is not None:
            for which, found in (("on_value", on_dtype), ("off_value", off_dtype)):
                if found is not None and found != dtype:
                    raise TypeError(f"dtype {found} of {which} does not match dtype parameter {dtype}")
        else:
            dtype = on_dtype or off_dtype or dtypes.float32
        if on_value is None:
            on_value, on_dtype = as_tensor(1, dtype, name="on_value"), dtype
        if off_value is None:
            off_value, off_dtype = as_tensor(0, dtype, name="off_value"), dtype
        if on_dtype != off_dtype:
            raise TypeError(f"dtype {on_dtype} of on_value does not match dtype {off_dtype} of off_value")
        return apply(ONE_HOT, indices, depth, on_value, off_value, axis=-1 if axis is None else axis, name=name)
