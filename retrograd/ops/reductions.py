"""Reductions: sums, means, products, extremes along axes."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import OpDef, define, not_differentiable
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.scopes import colocate_with, device, name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.static import constant_value, static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
    complex_numbers,
    constants,
    exponentials,
    indexing,
    joining,
    kinds,
    permuting,
    powers,
    repeating,
    rounding,
    scans,
    shape_rules,
    stitching,
    uniqueness,
)
from retrograd.ops.folding import folded, np_sum, summed


def _reduced(x: Tensor, axes: Any, *, keep_dims: bool) -> RawShape:
    """Shape rule of every reduction: each reduced axis disappears, or stays with size 1."""
    _at_most_a_vector(axes)
    value = static_value(axes)
    if x.dims is None or value is None:
        return (None,) * len(x.dims) if keep_dims and x.dims is not None else None
    gone = {shape_rules.axis_index(a, len(x.dims)) for a in value.ravel().tolist()}
    return tuple([1 if i in gone else n for i, n in enumerate(x.dims) if keep_dims or i not in gone])


def _at_most_a_vector(axes: Any) -> None:
    rank = axes.rank
    if rank is not None and rank > 1:
        raise ValueError(f"Shape must be at most rank 1 but is rank {rank}")


def _axes(x: Any, axes: Any) -> tuple[int, ...]:
    """``axes`` as a tuple of positions in ``x``, each once.

    Raises:
      InvalidArgumentError: ``x`` has no such dimension.
    """
    rank = x.ndim
    places = tuple(axes.reshape(-1).tolist() if isinstance(axes, np.ndarray) else np.ravel(axes).tolist())
    for axis in places:
        if not -rank <= axis < rank:
            raise errors.InvalidArgumentError(
                None, None, f"Invalid reduction dimension ({axis} for input with {rank} dimension(s)"
            )
    return tuple({axis % rank for axis in places}) if len(places) > 1 else places


def reduction(name: str, kernel: Callable[..., Any], gradient: Callable[..., Any] | None, dtype: Any = None) -> OpDef:
    """The record of a reduction along constant or computed axes; ``dtype`` is what "T" allows, or bool."""
    kind, types = ("bool", {}) if dtype is dtypes.bool else ("T", {"T": dtype})
    return define(
        name, f"input: {kind}, reduction_indices: Tidx", f"output: {kind}",
        attrs={"keep_dims": False, "Tidx": dtypes.int32}, types={**types, "Tidx": kinds.INDEX},
        static=("reduction_indices",), shape=_reduced, kernel=kernel, gradient=gradient,
    )  # fmt: skip


def reduced_shape(input_shape: Any, axes: Any) -> Tensor:
    """The shape of a reduction that keeps its axes: ``input_shape`` with 1 at ``axes``."""
    input_shape = casts.cast(input_shape, dtypes.int32)
    axes = casts.cast(axes, dtypes.int32)
    rank = arrays.size(input_shape)
    axes = (axes + rank) % rank
    ones_shape = arrays.shape(axes)
    return stitching.dynamic_stitch([constants.range_(rank), axes], [input_shape, constants.fill(ones_shape, 1)])


def _quotient(x: Any, y: Any) -> Tensor:
    """``x // y`` of shapes, with 1 for a divisor of 0."""
    return arithmetic.floordiv(x, arithmetic.maximum(y, 1))


# -- sums and means ----------------------------------------------------------------------------


def _spread_to_input(op: Any, dy: Any) -> Tensor:
    """``dy`` repeated along the axes that ``op`` reduced.

    Where shape and axes are known, the sizes are worked out once per graph, by ops as in TensorFlow.
    """
    x, axes = op.inputs
    value = constant_value(axes) if x.dims is not None else None
    if value is not None:
        if np.array_equal(value, np.arange(len(x.dims))):
            return _spread_from_scalar(x, dy)
        if shapes.is_known(x.dims):
            kept, repeats = _known_sizes(x, tuple(value.ravel().tolist()))
            return repeating.tile(arrays.reshape(dy, kept), repeats)
    input_shape = arrays.shape(x)
    with colocate_with(input_shape):
        kept = reduced_shape(input_shape, axes)
        repeats = _quotient(input_shape, kept)
    return repeating.tile(arrays.reshape(dy, kept), repeats)


def _spread_from_scalar(x: Tensor, dy: Any) -> Tensor:
    """A whole sum: one element, repeated to the shape of x."""
    dy = arrays.reshape(dy, [1] * len(x.dims or ()))
    if shapes.is_known(x.dims):
        return repeating.tile(dy, constants.constant(list(x.dims or ()), dtypes.int32))
    return repeating.tile(dy, arrays.shape(x))


def _known_sizes(x: Tensor, axes: tuple[int, ...]) -> tuple[Any, Any]:
    known = x.graph.notes.setdefault("reduced sizes", {})
    if (x.dims, axes) not in known:
        kept = tuple(static_value(reduced_shape(x.dims, axes)).tolist())  # type: ignore[union-attr]
        repeats = tuple(static_value(_quotient(x.dims, kept)).tolist())  # type: ignore[union-attr]
        known[x.dims, axes] = kept, repeats
    return known[x.dims, axes]


def _sum(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    return summed(xp, x, _axes(x, axes), keep_dims=keep_dims)


SUM = reduction("Sum", _sum, lambda op, dy: [_spread_to_input(op, dy), None], kinds.NUMERIC)


def _mean_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy repeated along the reduced axes, over the number of elements of each mean."""
    spread = _spread_to_input(op, dy)
    x, y = op.inputs[0], op.outputs[0]
    input_count, output_count = shapes.element_count(x.dims), shapes.element_count(y.dims)
    if input_count is not None and output_count is not None:
        factor = constants.constant(input_count // max(output_count, 1), dtype=spread.dtype)
    else:
        input_shape, output_shape = arrays.shape(x), arrays.shape(y)
        factor = _quotient(reduce_prod(input_shape), reduce_prod(output_shape))
    return [arithmetic.truediv(spread, casts.cast(factor, spread.dtype)), None]


LONG = 1 << 15  # elements of a mean


def _mean(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    """The sum over the number of terms; integers are divided towards zero.

    NumPy adds up many float32 in float64: a mean that is off by two units in the last place is a tenth of a
    per mille of the standard deviation of images that are far from zero.
    """
    if xp is np and x.dtype == np.float32 and x.size >= LONG:
        total = np_sum(x, axis=_axes(x, axes), dtype=np.float64, keepdims=keep_dims)
        count = x.size // max(total.size, 1)
        return np.asarray(total / count if count else total).astype(np.float32)
    total = _sum(xp, x, axes, keep_dims=keep_dims)
    count = np.size(x) // max(np.size(total), 1)
    if x.dtype.kind in "iu":
        return xp.sign(total) * (abs(total) // x.dtype.type(count)) if count else total
    return total / x.dtype.type(count)


MEAN = reduction("Mean", _mean, _mean_gradient, kinds.NUMERIC)

# -- products ----------------------------------------------------------------------------------


def _prod_gradient(op: Any, dy: Any) -> list[Any]:
    """dx[i] = dy * product of the other elements, from exclusive products from both sides: right at zeros too."""
    x, axes = op.inputs
    shape = arrays.shape(x)
    flat_axes = arrays.reshape(axes, [-1])
    kept = reduced_shape(shape, axes)
    repeats = _quotient(shape, kept)
    dy = repeating.tile(arrays.reshape(dy, kept), repeats)
    with device("/cpu:0"):
        rank = arrays.rank(x)
        reduced = casts.cast((flat_axes + rank) % rank, dtypes.int32)
        others, _ = uniqueness.setdiff1d(constants.range_(0, rank), reduced)
        order = joining.concat([reduced, others], 0)
        reduced_count = reduce_prod(indexing.gather(shape, reduced))
        other_count = reduce_prod(indexing.gather(shape, others))
    moved = permuting.transpose(x, order)
    moved_shape = arrays.shape(moved)
    rows = arrays.reshape(moved, (reduced_count, other_count))
    before = scans.cumprod(rows, axis=0, exclusive=True)
    after = scans.cumprod(rows, axis=0, exclusive=True, reverse=True)
    rest = arrays.reshape(complex_numbers.conj(before) * complex_numbers.conj(after), moved_shape)
    dx = dy * permuting.transpose(rest, permuting.invert_permutation(order))
    return [arrays.reshape(dx, shape), None]


def _prod(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    return folded(xp, partial(xp.prod, dtype=x.dtype), x, _axes(x, axes), keep_dims=keep_dims)


PROD = reduction("Prod", _prod, _prod_gradient, kinds.NUMERIC)

# -- extremes ----------------------------------------------------------------------------------


def _extremum_gradient(op: Any, dy: Any) -> list[Any]:
    """Ties share the gradient: dx = m / sum(m) * dy, with m = 1 where x equals the extremum y."""
    x, axes = op.inputs
    kept = reduced_shape(arrays.shape(x), axes)
    y = arrays.reshape(op.outputs[0], kept)
    dy = arrays.reshape(dy, kept)
    chosen = casts.cast(comparison.equal(y, x), dy.dtype)
    count = arrays.reshape(reduce_sum(chosen, axes), kept)
    return [chosen / count * dy, None]


def _bound(dtype: Any, lowest: bool) -> Any:
    """The least or the largest value of ``dtype``: the extremum of nothing."""
    if np.dtype(dtype).kind in "iu":
        return np.iinfo(dtype).min if lowest else np.iinfo(dtype).max
    return -np.inf if lowest else np.inf


def _extreme(xp: Any, x: Any, axes: Any, keep_dims: bool, largest: bool) -> Any:
    """The extreme element along ``axes``: nan counts only where it stands alone; of nothing, the bound of the dtype."""
    places = _axes(x, axes)
    if math.prod(np.shape(x)[i] for i in places) == 1:
        return (xp.max if largest else xp.min)(x, axis=places, keepdims=keep_dims)
    start = _bound(x.dtype, lowest=largest)
    if xp is np:
        fold: Any = np.fmax if largest else np.fmin
        return fold.reduce(x, axis=places, keepdims=keep_dims, initial=start)
    fold = partial(xp.max if largest else xp.min, initial=start)
    numbers = x if x.dtype.kind in "iu" else xp.where(xp.isnan(x), x.dtype.type(start), x)
    return folded(xp, fold, numbers, places, keep_dims=keep_dims)


def _max(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    """Largest element along ``axes``; of nothing, the lowest value of the dtype."""
    return _extreme(xp, x, axes, keep_dims, largest=True)


def _min(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    """Smallest element along ``axes``; of nothing, the highest value of the dtype."""
    return _extreme(xp, x, axes, keep_dims, largest=False)


MAX = reduction("Max", _max, _extremum_gradient, kinds.NUMERIC)
MIN = reduction("Min", _min, _extremum_gradient, kinds.NUMERIC)

# -- norms, logic ------------------------------------------------------------------------------


def _euclidean_norm(xp: Any, x: Any, axes: Any, *, keep_dims: bool) -> Any:
    """sqrt(sum(|x|^2)); of integers, rounded towards zero.  Where nothing is reduced, x itself, as in TensorFlow."""
    squares = x * xp.conj(x) if x.dtype.kind == "c" else x * x
    total = _sum(xp, squares, axes, keep_dims=keep_dims)
    if np.size(total) == np.size(x):
        return xp.reshape(x, np.shape(total))
    return xp.sqrt(total).astype(x.dtype)


EUCLIDEAN_NORM = reduction("EuclideanNorm", _euclidean_norm, not_differentiable, kinds.NUMERIC)
ALL = reduction(
    "All", lambda xp, x, axes, *, keep_dims: xp.all(x, axis=_axes(x, axes), keepdims=keep_dims), not_differentiable,
    dtypes.bool,
)  # fmt: skip
ANY = reduction(
    "Any", lambda xp, x, axes, *, keep_dims: xp.any(x, axis=_axes(x, axes), keepdims=keep_dims), not_differentiable,
    dtypes.bool,
)  # fmt: skip


# -- public functions --------------------------------------------------------------------------


def _reduce(
    definition: OpDef, x: Any, axis: Any, keepdims: Any, name: str | None, reduction_indices: Any = None,
    keep_dims: Any = None,
) -> Tensor:  # fmt: skip
    axis = deprecated_argument_lookup("axis", axis, "reduction_indices", reduction_indices)
    keepdims = bool(deprecated_argument_lookup("keepdims", keepdims, "keep_dims", keep_dims))
    axes = all_axes(x) if axis is None else axis
    output = apply(definition, x, axes, keep_dims=keepdims, name=name)
    return _scalar_if_whole(output, axis, keepdims)


def _scalar_if_whole(output: Tensor, axis: Any, keepdims: bool) -> Tensor:
    if axis is None and not keepdims and output.dims is None:
        output.set_shape(())
    return output


def all_axes(x: Any) -> Any:
    """Every axis of ``x``: a Const where it is a tensor of known rank."""
    if isinstance(x, SparseTensor):
        rank = x.dense_shape.dims[0] if x.dense_shape.dims else None
    else:
        rank = len(x.dims) if isinstance(x, Tensor) and x.dims is not None else None
    if rank is not None:
        return constants.constant(np.arange(rank), dtype=dtypes.int32)
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


def reduce_max(
    input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None,
    reduction_indices: Any = None, keep_dims: Any = None,
) -> Tensor:  # fmt: skip
    """The maximum over ``axis`` (default: over every axis)."""
    return _reduce(MAX, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


def reduce_min(
    input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None,
    reduction_indices: Any = None, keep_dims: Any = None,
) -> Tensor:  # fmt: skip
    """The minimum over ``axis`` (default: over every axis)."""
    return _reduce(MIN, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


def reduce_all(
    input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None,
    reduction_indices: Any = None, keep_dims: Any = None,
) -> Tensor:  # fmt: skip
    """Whether every element along ``axis`` (default: of all) is true."""
    return _reduce(ALL, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


def reduce_any(
    input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None,
    reduction_indices: Any = None, keep_dims: Any = None,
) -> Tensor:  # fmt: skip
    """Whether an element along ``axis`` (default: of all) is true."""
    return _reduce(ANY, input_tensor, axis, keepdims, name, reduction_indices, keep_dims)


def reduce_euclidean_norm(
    input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None
) -> Tensor:
    """sqrt(sum(|x|^2)) over ``axis`` (default: over every axis)."""
    return _reduce(EUCLIDEAN_NORM, input_tensor, axis, keepdims, name)


def reduce_logsumexp(
    input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None,
    reduction_indices: Any = None, keep_dims: Any = None,
) -> Tensor:  # fmt: skip
    """log(sum(exp(x))) over ``axis``, as m + log(sum(exp(x - m))) with m the maximum where that is finite."""
    axis = deprecated_argument_lookup("axis", axis, "reduction_indices", reduction_indices)
    keepdims = bool(deprecated_argument_lookup("keepdims", keepdims, "keep_dims", keep_dims))
    x = as_tensor(input_tensor)
    with name_scope(name, "ReduceLogSumExp", [x]):
        largest = reduce_max(x, axis=axis, keepdims=True)
        m = arrays.stop_gradient(comparison.where(rounding.is_finite(largest), largest, constants.zeros_like(largest)))
        result = exponentials.log(
            reduce_sum(exponentials.exp(apply(arithmetic.SUB, x, m)), axis=axis, keepdims=keepdims)
        )
        if not keepdims:
            m = arrays.reshape(m, arrays.shape(result))
        return _scalar_if_whole(arithmetic.add(result, m), axis, keepdims)


def reduce_variance(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """mean((x - mean(x))^2) over ``axis`` (default: over every axis)."""
    with name_scope(name or "reduce_variance"):
        means = reduce_mean(input_tensor, axis=axis, keepdims=True)
        return reduce_mean(powers.square(input_tensor - means), axis=axis, keepdims=keepdims)


def reduce_std(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The square root of ``reduce_variance``."""
    with name_scope(name or "reduce_std"):
        return powers.sqrt(reduce_variance(input_tensor, axis=axis, keepdims=keepdims))


def count_nonzero(
    input_tensor: Any = None, axis: Any = None, keepdims: Any = None, dtype: Any = dtypes.int64,
    name: str | None = None, reduction_indices: Any = None, keep_dims: Any = None, input: Any = None,
) -> Tensor:  # fmt: skip
    """The number of elements along ``axis`` that are not zero (not empty, of strings)."""
    keepdims = bool(deprecated_argument_lookup("keepdims", keepdims, "keep_dims", keep_dims))
    input_tensor = deprecated_argument_lookup("input", input, "input_tensor", input_tensor)
    axis = deprecated_argument_lookup("axis", axis, "reduction_indices", reduction_indices)
    with name_scope(name, "count_nonzero", [input_tensor]):
        x = as_tensor(input_tensor, name="input")
        nothing = constants.zeros([], dtype=x.dtype)
        found = casts.cast(comparison.not_equal(x, nothing), dtypes.int64)
        return casts.cast(reduce_sum(found, axis=axis, keepdims=keepdims), dtype)
