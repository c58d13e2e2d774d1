"""Places of extremes, and the k largest elements."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors, shapes
from retrograd.graph.apply import apply, apply_named
from retrograd.graph.definition import OpDef, define, not_differentiable
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
    constants,
    folding,
    indexing,
    joining,
    kinds,
    reductions,
    scattering,
    shape_rules,
)
from retrograd.ops.folding import folded

_SELECTED = 4  # times as long is a row at least, of which XLA selects some
_LONG = 16  # elements along an axis on which finding value and place one after the other pays under XLA

# -- the place of the largest or smallest element ----------------------------------------------


def _without_axis(x: Tensor, axis: Any) -> RawShape:
    shape_rules.with_rank(axis, 0)
    place = static_value(axis)
    if x.dims is None:
        return None
    rank = len(x.dims)
    if rank <= 1:
        return ()
    if place is None:
        return (None,) * (rank - 1)
    at = int(place)
    if not -rank <= at < rank:
        raise ValueError(
            f"Dimension ({at}) must be in the range [{-rank}, {rank}), where {rank} is the number of dimensions in the "
            "input."
        )
    at %= rank
    return (*x.dims[:at], *x.dims[at + 1 :])


def _place(name: str, search: Callable[..., Any]) -> OpDef:
    """The record of an op that gives the first place of an extreme along an axis."""

    def kernel(xp: Any, x: Any, axis: Any, *, output_type: Any) -> Any:
        if np.ndim(axis):
            raise errors.InvalidArgumentError(
                None, None, f"dim must be a scalar, but received tensor of shape: {shapes.shape_text(np.shape(axis))}"
            )
        rank, at = np.ndim(x), int(axis)
        if not -rank <= at < rank:
            raise errors.InvalidArgumentError(
                None, None, f"Expected dimension in the range [{-rank}, {rank}), but got {at}"
            )
        if not x.shape[at]:
            raise errors.InvalidArgumentError(
                None, None, f"Reduction axis {at % rank} is empty in shape {shapes.shape_text(x.shape)}"
            )
        return search(xp, x, at).astype(output_type.np)

    return define(
        name, "input: T, dimension: Tidx", "output: output_type",
        attrs={"Tidx": dtypes.int32, "output_type": dtypes.int64},
        types={"T": kinds.NUMERIC, "Tidx": kinds.INDEX, "output_type": kinds.INDEX}, static=("dimension",),
        shape=_without_axis, kernel=kernel, gradient=not_differentiable,
    )  # fmt: skip


def _past_nan(name: str, worst: float) -> Callable[..., Any]:
    """``xp.argmax`` or ``xp.argmin`` that passes over nan, at which NumPy's own stops."""

    def search(xp: Any, x: Any, axis: int) -> Any:
        find = partial(_first_place, xp, name[3:]) if xp is not np and x.shape[axis] >= _LONG else getattr(xp, name)
        if x.dtype.kind in "iub":
            return find(x, axis)
        if xp is np:
            found = find(x, axis)
            taken = np.take_along_axis(x, np.expand_dims(found, axis), axis)
            if not np.isnan(taken).any():
                return found
        return find(xp.where(xp.isnan(x), x.dtype.type(worst), x), axis)

    return search


def _first_place(xp: Any, name: str, x: Any, axis: int) -> Any:
    """Where ``xp.max`` or ``xp.min`` stands first: XLA finds value and place at once in four times the time."""
    dims = [1] * x.ndim
    dims[axis] = size = x.shape[axis]
    places = np.arange(size, dtype=np.int32).reshape(dims)
    best = folded(xp, getattr(xp, name), x, [axis], keep_dims=True)
    return folded(xp, xp.min, xp.where(x == best, places, np.int32(size)), [axis])


ARG_MAX = _place("ArgMax", _past_nan("argmax", -np.inf))
ARG_MIN = _place("ArgMin", _past_nan("argmin", np.inf))


def argmax(
    input: Any, axis: Any = None, name: str | None = None, dimension: Any = None, output_type: Any = dtypes.int64
) -> Tensor:
    """The place of the largest element along ``axis`` (default: the first); of ties, the first."""
    axis = deprecated_argument_lookup("axis", axis, "dimension", dimension)
    return arg_max(input, 0 if axis is None else axis, output_type, name)


def argmin(
    input: Any, axis: Any = None, name: str | None = None, dimension: Any = None, output_type: Any = dtypes.int64
) -> Tensor:
    """The place of the smallest element along ``axis`` (default: the first); of ties, the first."""
    axis = deprecated_argument_lookup("axis", axis, "dimension", dimension)
    return arg_min(input, 0 if axis is None else axis, output_type, name)


def arg_max(input: Any, dimension: Any, output_type: Any = dtypes.int64, name: str | None = None) -> Tensor:
    """``argmax`` with its arguments as the op has them."""
    return apply(ARG_MAX, input, dimension, output_type=dtypes.as_dtype(output_type), name=name)


def arg_min(input: Any, dimension: Any, output_type: Any = dtypes.int64, name: str | None = None) -> Tensor:
    """``argmin`` with its arguments as the op has them."""
    return apply(ARG_MIN, input, dimension, output_type=dtypes.as_dtype(output_type), name=name)


# -- the k largest -----------------------------------------------------------------------------


def _k_of_last(x: Tensor, k: Any) -> list[RawShape]:
    dims = shape_rules.with_rank_at_least(x, 1)
    shape_rules.with_rank(k, 0)
    count = static_value(k)
    if count is not None and count < 0:
        raise ValueError(f"Dimension size, given by scalar input 1, must be non-negative but is {int(count)}")
    if dims is None:
        return [None, None]
    if count is None:
        return [(*dims[:-1], None)] * 2
    if dims[-1] is not None and dims[-1] < int(count):
        raise ValueError(f"input must have last dimension >= k = {int(count)} but is {dims[-1]}")
    return [(*dims[:-1], int(count))] * 2


def _top_k(xp: Any, x: Any, k: Any) -> list[Any]:
    """The k largest along the last axis, falling; of ties, the first place first."""
    if np.ndim(k):
        raise errors.InvalidArgumentError(None, None, f"k must be scalar, got shape {shapes.shape_text(np.shape(k))}")
    count = int(k)
    if count < 0:
        raise errors.InvalidArgumentError(None, None, f"Need k >= 0, got {count}")
    if np.ndim(x) < 1 or x.shape[-1] < count:
        raise errors.InvalidArgumentError(
            None, None, f"input must have at least k columns. Had {x.shape[-1]}, needed {count}"
        )
    if xp is np and count == 1 and x.size and x.dtype.kind in "fiu":
        places = np.argmax(x, -1, keepdims=True)
        return [np.take_along_axis(x, places, -1), places.astype(np.int32)]
    if xp is np and 0 < 8 * count <= x.shape[-1] and x.dtype.kind in "fiu":
        found = _few_largest(x, count)
        if found is not None:
            return found
    if xp is not np and (x.dtype.itemsize <= 2 or (x.dtype.itemsize == 4 and x.dtype.kind in "fiu")):
        return _largest_by_xla(xp, x, count)
    # A stable rising sort of the reversed row, read backwards, puts equal elements in the order of their places.
    rising = xp.argsort(xp.flip(x, -1), axis=-1, stable=True)
    places = x.shape[-1] - 1 - xp.flip(rising, -1)[..., :count]
    return [xp.take_along_axis(x, places, -1), places.astype(np.int32)]


def _largest_by_xla(xp: Any, x: Any, count: int) -> list[Any]:
    """The same of numbers that fit into 32 bits: a search for one, and a sort of many, with their places as one number.

    XLA sorts whole numbers in a quarter of the time of others.  Of floats it selects a few in less.
    """
    from retrograd.ops.jax_start import lax

    width = x.shape[-1]
    if count == 1:
        places = _first_place(xp, "max", _whole(xp, x), x.ndim - 1)[..., None]
    elif count * _SELECTED < width and (x.dtype == np.float32 or x.dtype.itemsize <= 2):
        places = lax.top_k(_singles(xp, x), count)[1]
    else:
        numbers = _whole(xp, x).astype(np.int64) << 32
        numbers |= np.arange(width - 1, -1, -1)  # of equal ones the first is the largest
        falling = xp.flip(lax.sort(numbers, is_stable=False), -1)[..., :count]
        places = width - 1 - (falling & 0xFFFFFFFF)
    return [xp.take_along_axis(x, places, -1), places.astype(np.int32)]


def _singles(xp: Any, x: Any) -> Any:
    """Float32 numbers in the order of ``x``, with one zero and one nan: XLA tells them apart by their signs."""
    x = x.astype(np.float32)
    return xp.where(x == 0, np.float32(0), xp.where(x != x, np.float32("nan"), x))


def _whole(xp: Any, x: Any) -> Any:
    """Whole numbers in the order of ``x``; nan is above all others."""
    from retrograd.ops.jax_start import lax

    if x.dtype.kind in "iu" and x.dtype.itemsize == 4:
        return x
    bits = lax.bitcast_convert_type(_singles(xp, x), np.int32)
    return xp.where(bits < 0, bits ^ np.int32(0x7FFFFFFF), bits)


def _few_largest(x: Any, count: int) -> list[Any] | None:
    """The largest and their places by one partition: all above the least of them, and of its equals the first ones.

    None if a row has a nan, which a partition puts above all.
    """
    width, flat = x.shape[-1], x.reshape(-1, x.shape[-1])
    least = np.partition(flat, width - count, -1)[:, width - count :]
    if x.dtype.kind == "f" and (least != least).any():
        return None
    least = least.min(-1, keepdims=True)
    chosen = flat >= least
    if np.count_nonzero(chosen) > count * len(flat):
        above, equal = flat > least, flat == least
        chosen = above | (equal & (np.cumsum(equal, -1) <= count - above.sum(-1, keepdims=True)))
    rows, places = np.arange(len(flat))[:, None], chosen.nonzero()[1].reshape(-1, count)
    falling = count - 1 - flat[rows, places][:, ::-1].argsort(-1, kind="stable")[:, ::-1]
    places = places[rows, falling]
    shape = (*x.shape[:-1], count)
    return [flat[rows, places].reshape(shape), places.astype(np.int32).reshape(shape)]


def top_k_gradient(op: Any, dy: Any, _: Any) -> list[Any]:
    """dx is dy at the places that were taken, zero elsewhere: scattered into the flat input."""
    x, indices = op.inputs[0], op.outputs[1]
    x_shape, k_shape = arrays.shape(x), arrays.shape(indices)
    k = indexing.gather(casts.cast(k_shape, dtypes.int64), arrays.size(k_shape) - 1)
    rows = arrays.reshape(indices, joining.stack([-1, k]))
    width = indexing.gather(casts.cast(x_shape, dtypes.int64), arrays.size(x_shape) - 1)
    row_count = arrays.shape(rows)[0]
    starts = constants.range_(0, casts.cast(row_count, dtypes.int64) * width, width)
    flat = arrays.reshape(rows + casts.cast(arrays.expand_dims(starts, -1), dtypes.int32), [-1])
    dx = scattering.scatter_nd(
        arrays.expand_dims(flat, -1), arrays.reshape(dy, [-1]), [reductions.reduce_prod(x_shape)]
    )
    return [arrays.reshape(dx, x_shape), constants.zeros([], dtypes.int32)]


TOP_K = define(
    "TopKV2", "input: T, k: int32", "values: T, indices: int32", attrs={"sorted": True}, types={"T": kinds.REAL},
    static=("k",), ranks={"input": "1+: input must be >= 1-D, got shape {}"},
    shape=_k_of_last, kernel=_top_k, gradient=top_k_gradient,
)  # fmt: skip


def top_k(input: Any, k: Any = 1, sorted: bool = True, name: str | None = None) -> Any:
    """The ``k`` largest elements along the last axis, falling, and their places; of ties, the first place first."""
    return apply_named(TOP_K, input, k, sorted=sorted, name=name)


def _row_extreme(x: Tensor, n: Any) -> RawShape:
    if n.rank not in (0, None):
        raise ValueError(f"Input must be scalar but has rank {n.rank}")
    dims = shape_rules.with_rank_at_least(x, 1)
    place = static_value(n)
    if dims is None:
        return None
    if place is not None:
        if int(place) < 0:
            raise ValueError(f"Dimension size, given by scalar input 1, must be non-negative but is {int(place)}")
        if dims[-1] is not None and dims[-1] <= int(place):
            raise ValueError(f"Input must have last dimension > n = {int(place)} but is {dims[-1]}")
    return dims[:-1]


def _nth_element(xp: Any, x: Any, n: Any, *, reverse: bool) -> Any:
    place = int(n)
    if place < 0:
        raise errors.InvalidArgumentError(None, None, f"Need n >= 0, got {place}")
    if np.ndim(x) < 1:
        raise errors.InvalidArgumentError(
            None, None, f"Input must be >= 1-D, got shape {shapes.shape_text(np.shape(x))}"
        )
    if x.shape[-1] <= place:
        raise errors.InvalidArgumentError(None, None, "Input must have at least n+1 columns")
    return xp.sort(x, axis=-1)[..., x.shape[-1] - 1 - place if reverse else place]


def _nth_element_gradient(op: Any, dy: Any) -> list[Any]:
    """Ties share the gradient: dx = m / sum(m) * dy, with m = 1 where x equals the element that was taken."""
    x, y = op.inputs[0], op.outputs[0]
    chosen = casts.cast(comparison.equal(arrays.expand_dims(y, -1), x), dy.dtype)
    dy = arrays.expand_dims(dy, -1)
    count = arrays.expand_dims(reductions.reduce_sum(chosen, -1), -1)
    return [arithmetic.div(chosen, count) * dy, None]


NTH_ELEMENT = define(
    "NthElement", "input: T, n: int32", "values: T", attrs={"reverse": False}, types={"T": kinds.REAL}, static=("n",),
    ranks={"n": "0: N must be scalar, got shape {}"},
    shape=_row_extreme, kernel=_nth_element, gradient=_nth_element_gradient,
)  # fmt: skip


def nth_element(input: Any, n: Any, reverse: bool = False, name: str | None = None) -> Tensor:
    """The element of each row (last axis) that stands at ``n`` when the row is sorted."""
    return apply(NTH_ELEMENT, input, n, reverse=reverse, name=name)


# -- accuracy ----------------------------------------------------------------------------------


def one_per_row(predictions: Tensor, targets: Tensor, k: Any = None) -> RawShape:
    """One answer for each row of predictions, which has one target."""
    dims = shape_rules.with_rank(predictions, 2)
    rows = shape_rules.with_rank(targets, 1)
    return (shapes.merge_dim(dims[0], rows[0]),)


def _in_top_k(xp: Any, predictions: Any, targets: Any, k: Any) -> Any:
    """Fewer than k predictions are larger than the target's; false where the target's or a larger one is not finite."""
    shape_rules.check_rank(predictions, 2, "predictions must be 2-dimensional")
    shape_rules.check_rank(targets, 1, "targets must be 1-dimensional")
    if len(predictions) != len(targets):
        words = f"First dimension of predictions {len(predictions)} must match length of targets {len(targets)}"
        raise errors.InvalidArgumentError(None, None, words)
    width = predictions.shape[1]
    if not width:
        return xp.zeros(len(targets), bool)
    known = (targets >= 0) & (targets < width)
    wanted = xp.take_along_axis(predictions, xp.where(known, targets, 0)[:, None].astype(np.int64), 1)
    finite = xp.isfinite(folding.largest(xp, xp.abs(predictions), (1,)))
    larger = (predictions > wanted).astype(np.float32)  # a float32 counts to 2^24
    return known & finite & (folding.summed(xp, larger, (1,)) < k)


IN_TOP_K = define(
    "InTopKV2", "predictions: float32, targets: T, k: T", "precision: bool", attrs={"T": dtypes.int32},
    types={"T": kinds.INDEX}, shape=one_per_row, kernel=_in_top_k, gradient=not_differentiable,
    ranks={"k": "0: k must be 0-D, got shape {}"},
)  # fmt: skip


def in_top_k(predictions: Any, targets: Any, k: Any, name: str | None = None) -> Tensor:
    """Whether the prediction for each row's target is among the row's ``k`` largest; ties at the edge count as in."""
    with name_scope(name, "in_top_k"):
        return apply(IN_TOP_K, predictions, targets, k)
