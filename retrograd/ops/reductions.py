"""Reductions: sums, means, products and extrema along axes."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import OpDef, define
from retrograd.graph.scopes import colocate_with
from retrograd.graph.shapes import RawShape
from retrograd.graph.static import constant_value, static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, constants, kinds, shape_rules
from retrograd.ops.stitching import dynamic_stitch


def _reduced(x: Tensor, axes: Any, *, keep_dims: bool) -> RawShape:
    """Shape rule of every reduction: each reduced axis disappears, or stays with size 1."""
    value = static_value(axes)
    if x.dims is None or value is None:
        return (None,) * len(x.dims) if keep_dims and x.dims is not None else None
    gone = {shape_rules.axis_index(a, len(x.dims)) for a in value.ravel().tolist()}
    return tuple([1 if i in gone else n for i, n in enumerate(x.dims) if keep_dims or i not in gone])


def _axes(axes: Any) -> tuple[int, ...]:
    return tuple(np.ravel(axes).tolist())


def reduction(name: str, kernel: Any, gradient: Any, types: Any) -> OpDef:
    """The record of a reduction along constant or computed axes."""
    return define(
        name, "input: T, reduction_indices: Tidx", "output: T", attrs={"keep_dims": False, "Tidx": dtypes.int32},
        types={"T": types, "Tidx": kinds.INDEX}, static=("reduction_indices",), shape=_reduced, kernel=kernel,
        gradient=gradient,
    )  # fmt: skip


def reduced_shape(input_shape: Tensor, axes: Tensor) -> Tensor:
    """The shape of a reduction that keeps its axes: ``input_shape`` with 1 at ``axes``."""
    input_shape = arithmetic.cast(input_shape, dtypes.int32)
    axes = arithmetic.cast(axes, dtypes.int32)
    rank = arrays.size(input_shape)
    axes = (axes + rank) % rank
    ones_shape = arrays.shape(axes)
    return dynamic_stitch(
        [constants.range_(rank), axes], [input_shape, constants.fill(ones_shape, 1)]
    )


def _sum_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy repeated along the reduced axes."""
    x, axes = op.inputs
    if x.dims is not None:
        value = constant_value(axes)
        if value is not None and np.array_equal(value, np.arange(len(x.dims))):
            return [_spread_from_scalar(x, dy), None]
    input_shape = arrays.shape(x)
    with colocate_with(input_shape):
        kept = reduced_shape(input_shape, axes)
        repeats = _quotient(input_shape, kept)
    return [arrays.tile(arrays.reshape(dy, kept), repeats), None]


def _spread_from_scalar(x: Tensor, dy: Any) -> Tensor:
    """A whole sum: one element, repeated to the shape of x."""
    dy = arrays.reshape(dy, [1] * len(x.dims or ()))
    if shapes.is_known(x.dims):
        return arrays.tile(dy, constants.constant(list(x.dims or ()), dtypes.int32))
    return arrays.tile(dy, arrays.shape(x))


def _quotient(x: Any, y: Any) -> Tensor:
    """``x // y`` of shapes, with 1 for a divisor of 0."""
    return arithmetic.floordiv(x, arithmetic.maximum(y, 1))


def _sum(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    return xp.sum(x, axis=_axes(axes), keepdims=keep_dims, dtype=x.dtype)


SUM = reduction("Sum", _sum, _sum_gradient, kinds.NUMERIC)


def _mean_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy repeated along the reduced axes, over the number of elements of each mean."""
    sum_gradient = _sum_gradient(op, dy)[0]
    x, y = op.inputs[0], op.outputs[0]
    input_count, output_count = shapes.element_count(x.dims), shapes.element_count(y.dims)
    if input_count is not None and output_count is not None:
        factor = constants.constant(input_count // max(output_count, 1), dtype=sum_gradient.dtype)
    else:
        input_shape, output_shape = arrays.shape(x), arrays.shape(y)
        factor = _quotient(reduce_prod(input_shape), reduce_prod(output_shape))
    return [arithmetic.truediv(sum_gradient, arithmetic.cast(factor, sum_gradient.dtype)), None]


def _mean(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    return xp.mean(x, axis=_axes(axes), keepdims=keep_dims, dtype=x.dtype)


MEAN = reduction("Mean", _mean, _mean_gradient, kinds.NUMERIC)


def _prod(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    return xp.prod(x, axis=_axes(axes), keepdims=keep_dims, dtype=x.dtype)


PROD = reduction("Prod", _prod, None, kinds.NUMERIC)


# -- public functions --------------------------------------------------------------------------


def _reduce(
    definition: OpDef, x: Any, axis: Any, keepdims: Any, name: str | None, reduction_indices: Any, keep_dims: Any
) -> Tensor:
    axis = arrays.argument("axis", axis, "reduction_indices", reduction_indices)
    keepdims = bool(arrays.argument("keepdims", keepdims, "keep_dims", keep_dims))
    axes = all_axes(x) if axis is None else axis
    output = apply(definition, x, axes, keep_dims=keepdims, name=name)
    if axis is None and not keepdims and not shapes.is_known(output.dims):
        output.set_shape(())
    return output


def all_axes(x: Any) -> Any:
    """Every axis of ``x``: a Const where the rank is known."""
    x = as_tensor(x)
    if x.dims is not None:
        return constants.constant(np.arange(len(x.dims)), dtype=dtypes.int32)
    return constants.range_(0, arrays.rank(x))


def reduce_sum(
    input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None,
    reduction_indices: Any = None, keep_dims: Any = None,
) -> Tensor:  # fmt: skip
    """The sum over ``axis`` (default: over every axis)."""
    return _reduce(SUM, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


def reduce_mean(
    input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None,
    reduction_indices: Any = None, keep_dims: Any = None,
) -> Tensor:  # fmt: skip
    """The mean over ``axis`` (default: over every axis)."""
    return _reduce(MEAN, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


def reduce_prod(
    input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None,
    reduction_indices: Any = None, keep_dims: Any = None,
) -> Tensor:  # fmt: skip
    """The product over ``axis`` (default: over every axis)."""
    return _reduce(PROD, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)
