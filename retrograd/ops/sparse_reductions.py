"""Sums and maxima of sparse tensors over dimensions, as dense or as sparse tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import OpDef, define
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.errors import InvalidArgumentError, invalid
from retrograd.graph.shapes import RawShape, shape_text
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, casts, comparison, indexing, kinds, reductions, segments
from retrograd.ops.sparse import check_parts, different_rows


def _reduced(indices: Tensor, values: Tensor, shape: Tensor, axes: Tensor, *, keep_dims: bool) -> RawShape:
    dims, gone = static_value(shape), static_value(axes)
    if dims is None or gone is None:
        return None
    rank = len(dims)
    out = {int(a) % rank for a in np.ravel(gone)} if gone.size else set(range(rank))
    return tuple(1 if i in out else int(n) for i, n in enumerate(dims) if keep_dims or i not in out)


def _kept_axes(shape: Any, axes: Any) -> list[int]:
    """The dimensions that stay; no axes mean all of them."""
    rank = len(shape)
    for axis in np.ravel(axes).tolist():
        if not -rank <= axis < rank:
            raise InvalidArgumentError(
                None, None, f"Invalid reduction dimension {axis}, for input with {rank} dimensions."
            )
    gone = {axis % rank for axis in np.ravel(axes).tolist()} or set(range(rank))
    return [i for i in range(rank) if i not in gone]


def _groups(indices: Any, shape: Any, kept: list[int]) -> tuple[Any, Any]:
    """The coordinates, along the kept dimensions, that some value has; and which of them each value has."""
    return different_rows(np.asarray(indices)[:, kept])


def _totals(xp: Any, how: str, values: Any, at: Any, count: int) -> Any:
    values = xp.asarray(values)
    return segments.combined(xp, how, values, at, count, 0 if how == "add" else segments.lowest(values.dtype))


def _dense_kernel(how: str) -> Any:
    """y[kept] = the values there, joined; 0 where there are none."""

    def kernel(xp: Any, indices: Any, values: Any, shape: Any, axes: Any, *, keep_dims: bool) -> Any:
        dims = tuple(np.asarray(shape).tolist())
        kept = _kept_axes(dims, axes)
        places, at = _groups(indices, dims, kept)
        sizes = [dims[i] for i in kept]
        flat = np.ravel_multi_index(tuple(places.T), sizes) if kept else np.zeros(len(places), np.int64)
        totals = _totals(xp, how, values, at, len(places))
        dense = xp.zeros(int(np.prod(sizes, dtype=np.int64)), totals.dtype)
        dense = dense.at[flat].set(totals) if xp is not np else _set(dense, flat, totals)
        return xp.reshape(dense, [n if i in kept else 1 for i, n in enumerate(dims)] if keep_dims else sizes)

    return kernel


def _set(dense: Any, at: Any, values: Any) -> Any:
    dense[at] = values
    return dense


def _sparse_kernel(how: str) -> Any:
    def kernel(xp: Any, indices: Any, values: Any, shape: Any, axes: Any, *, keep_dims: bool) -> list[Any]:
        dims = tuple(np.asarray(shape).tolist())
        kept = _kept_axes(dims, axes)
        places, at = _groups(indices, dims, kept)
        totals = _totals(xp, how, values, at, len(places))
        if not keep_dims:
            return [places, totals, np.array([dims[i] for i in kept], np.int64)]
        rows = np.zeros((len(places), len(dims)), np.int64)
        rows[:, kept] = places
        return [rows, totals, np.array([n if i in kept else 1 for i, n in enumerate(dims)], np.int64)]

    return kernel


def _at_values(op: Any, y: Tensor) -> Tensor:
    """``y``, shaped like the op's output, at the place that each value went to."""
    indices, _, shape, axes = op.inputs
    kept = reductions.reduced_shape(shape, axes)
    y = arrays.reshape(y, kept)
    scale = shape // casts.cast(kept, dtypes.int64)
    return indexing.gather_nd(y, indices // scale)


def _sum_gradient(op: Any, dy: Any) -> list[Any]:
    """Each value takes the gradient of the sum that it went into."""
    return [None, _at_values(op, dy), None, None]


def _max_gradient(op: Any, dy: Any) -> list[Any]:
    """Values that tie share the gradient of their maximum."""
    indices, values, shape, axes = op.inputs
    chosen = arithmetic.cast(comparison.equal(values, _at_values(op, op.outputs[0])), dy.dtype)
    ties = apply(SPARSE_REDUCE_SUM, indices, chosen, shape, axes, keep_dims=op.attrs["keep_dims"])
    return [None, chosen * _at_values(op, dy) / _at_values(op, ties), None, None]


def _checked(kernel: Callable[..., Any]) -> Callable[..., Any]:
    """``kernel``, whose first three inputs are the parts of a sparse tensor."""

    def checked(xp: Any, indices: Any, values: Any, shape: Any, axes: Any, *, keep_dims: bool) -> Any:
        if np.ndim(shape) != 1:
            raise invalid(f"Expected input_shape to be a vector; got shape: {shape_text(np.shape(shape))}")
        if np.ndim(values) != 1:
            raise invalid(f"vals must be a vec, but got: {shape_text(np.shape(values))}")
        check_parts(indices, values, shape)
        if np.ndim(axes) > 1:
            raise invalid(
                f"Expected reduction_axes to be a scalar or a vector; got shape: {shape_text(np.shape(axes))}"
            )
        return kernel(xp, indices, values, shape, axes, keep_dims=keep_dims)

    return checked


def _to_dense(name: str, how: str, gradient: Any, types: Any) -> OpDef:
    return define(
        name, "input_indices: int64, input_values: T, input_shape: int64, reduction_axes: int32", "output: T",
        attrs={"keep_dims": False}, types={"T": types}, static=("input_indices", "input_shape", "reduction_axes"),
        shape=_reduced, kernel=_checked(_dense_kernel(how)), gradient=gradient,
    )  # fmt: skip


def _to_sparse(name: str, how: str, types: Any) -> OpDef:
    return define(
        name, "input_indices: int64, input_values: T, input_shape: int64, reduction_axes: int32",
        "output_indices: int64, output_values: T, output_shape: int64", attrs={"keep_dims": False}, types={"T": types},
        static=("input_indices", "input_shape", "reduction_axes"),
        shape=lambda indices, values, shape, axes: [None, None, None], kernel=_checked(_sparse_kernel(how)),
    )  # fmt: skip


SPARSE_REDUCE_SUM = _to_dense("SparseReduceSum", "add", _sum_gradient, kinds.NUMERIC)
SPARSE_REDUCE_MAX = _to_dense("SparseReduceMax", "max", _max_gradient, kinds.REAL)
SPARSE_REDUCE_SUM_SPARSE = _to_sparse("SparseReduceSumSparse", "add", kinds.NUMERIC)
SPARSE_REDUCE_MAX_SPARSE = _to_sparse("SparseReduceMaxSparse", "max", kinds.REAL)


def _reduction(
    definition: OpDef, sp_input: Any, axis: Any, keepdims: Any, reduction_axes: Any, keep_dims: Any
) -> Any:  # fmt: skip
    keepdims = deprecated_argument_lookup("keepdims", keepdims, "keep_dims", keep_dims)
    axis = deprecated_argument_lookup("axis", axis, "reduction_axes", reduction_axes)
    axes = reductions.all_axes(sp_input) if axis is None else axis
    return apply(definition, sp_input.indices, sp_input.values, sp_input.dense_shape, axes, keep_dims=bool(keepdims))


def sparse_reduce_sum(
    sp_input: Any, axis: Any = None, keepdims: Any = None, reduction_axes: Any = None, keep_dims: Any = None
) -> Tensor:  # fmt: skip
    """The sum of a sparse tensor over ``axis`` (default: over every axis), as a dense tensor."""
    return _reduction(SPARSE_REDUCE_SUM, sp_input, axis, keepdims, reduction_axes, keep_dims)


def sparse_reduce_max(
    sp_input: Any, axis: Any = None, keepdims: Any = None, reduction_axes: Any = None, keep_dims: Any = None
) -> Tensor:  # fmt: skip
    """The largest of the values over ``axis`` (default: over every axis), 0 where there are none."""
    return _reduction(SPARSE_REDUCE_MAX, sp_input, axis, keepdims, reduction_axes, keep_dims)


def sparse_reduce_sum_sparse(
    sp_input: Any, axis: Any = None, keepdims: Any = None, reduction_axes: Any = None, keep_dims: Any = None
) -> SparseTensor:  # fmt: skip
    """The sum of a sparse tensor over ``axis`` (default: over every axis), as a sparse tensor."""
    return SparseTensor(*_reduction(SPARSE_REDUCE_SUM_SPARSE, sp_input, axis, keepdims, reduction_axes, keep_dims))


def sparse_reduce_max_sparse(
    sp_input: Any, axis: Any = None, keepdims: Any = None, reduction_axes: Any = None, keep_dims: Any = None
) -> SparseTensor:  # fmt: skip
    """The largest of the values over ``axis`` (default: over every axis), as a sparse tensor."""
    return SparseTensor(*_reduction(SPARSE_REDUCE_MAX_SPARSE, sp_input, axis, keepdims, reduction_axes, keep_dims))
