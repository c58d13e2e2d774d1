"""Which elements there are: unique values, differences of lists, counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors
from retrograd.graph.apply import apply, apply_named
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import define
from retrograd.graph.errors import InvalidArgumentError, invalid
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    clipping,
    comparison,
    constants,
    indexing,
    joining,
    kinds,
    placing,
    reductions,
    rounding,
    segments,
    shape_rules,
)

# -- unique ------------------------------------------------------------------------------------


def _of_vector(x: Any) -> tuple[Any, Any, Any]:
    if np.ndim(x) != 1:
        raise errors.InvalidArgumentError(None, None, "unique expects a 1D vector.")
    return _in_order_of_appearance(x, 0)


def _in_order_of_appearance(x: Any, axis: int) -> tuple[Any, Any, Any]:
    """The different slices of ``x`` as they first appear, the place of each slice among them, and their counts."""
    slices = np.moveaxis(np.asarray(x), axis, 0)
    if slices.ndim == 1 and slices.dtype.kind in "biu":
        if slices.dtype.kind != "b" and len(slices) and _are_few(slices):
            return _by_table(slices)
        _, firsts, by_size, counts = np.unique(slices, return_index=True, return_inverse=True, return_counts=True)
        order = np.argsort(firsts)
        rank = np.empty_like(order)
        rank[order] = np.arange(len(order))
        return slices[firsts[order]], rank[by_size].astype(np.int64), counts[order]
    places: dict[Any, int] = {}
    index = np.empty(len(slices), np.int64)
    first: list[int] = []
    rows = slices.tolist() if slices.ndim == 1 else [row.tobytes() for row in np.ascontiguousarray(slices)]
    if slices.dtype == object and slices.ndim > 1:
        rows = [tuple(row.ravel().tolist()) for row in slices]
    for i, row in enumerate(rows):
        place = places.setdefault(row, len(places))
        index[i] = place
        if place == len(first):
            first.append(i)
    values = np.moveaxis(slices[first], 0, axis)
    return values, index, np.bincount(index, minlength=len(first))


_PER_NUMBER = 32  # numbers of a table for each number that is listed, before sorting is faster


def _are_few(numbers: np.ndarray) -> bool:
    return bool(numbers.min() >= 0 and numbers.max() <= _PER_NUMBER * len(numbers))


def _by_table(numbers: np.ndarray) -> tuple[Any, Any, Any]:
    """The same of numbers from 0 to not far: where each comes first stands in a table."""
    places = np.arange(len(numbers))
    table = np.empty(int(numbers.max()) + 1, np.intp)
    table[numbers[::-1]] = places[::-1]  # of several that are assigned, the last remains
    firsts = table[numbers]
    is_first = firsts == places
    index = (np.cumsum(is_first) - 1)[firsts]
    return numbers[is_first], index.astype(np.int64, copy=False), np.bincount(index)


def _unique_gradient(op: Any, dy: Any, *_: Any) -> list[Any]:
    """dx[i] = dy[idx[i]] / n, n the number of slices that are alike: they share the gradient."""
    (x, *axes), idx = op.inputs, op.outputs[1]
    rank = arrays.rank(x)
    axis = joining.concat([arithmetic.cast(a, dtypes.int32) for a in axes] + [[0]], 0)[0] % rank
    copies = segments.unsorted_segment_sum(constants.ones_like(idx, dtype=dy.dtype), idx, arrays.shape(dy)[axis])
    along_axis = 1 - 2 * arithmetic.cast(comparison.equal(constants.range_(rank), axis), dtypes.int32)
    dx = indexing.gather(dy / arrays.reshape(copies, along_axis), idx, axis=axis)
    return [dx, *[None for _ in axes]]


def _unique(xp: Any, x: Any, *, out_idx: Any) -> list[Any]:
    values, index, _ = _of_vector(x)
    return [values, index.astype(out_idx.np)]


UNIQUE = define(
    "Unique", "x: T", "y: T, idx: out_idx", attrs={"out_idx": dtypes.int32}, types={"out_idx": kinds.INDEX},
    shape=lambda x: [(None,), shape_rules.with_rank(x, 1)], kernel=_unique, gradient=_unique_gradient,
)  # fmt: skip


def unique(x: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> Any:
    """The different values of a vector as they first appear: ``x[i] == y[idx[i]]``."""
    return apply_named(UNIQUE, x, out_idx=out_idx, name=name)


def _unique_with_counts(xp: Any, x: Any, *, out_idx: Any) -> list[Any]:
    values, index, counts = _of_vector(x)
    return [values, index.astype(out_idx.np), counts.astype(out_idx.np)]


UNIQUE_WITH_COUNTS = define(
    "UniqueWithCounts", "x: T", "y: T, idx: out_idx, count: out_idx", attrs={"out_idx": dtypes.int32},
    types={"out_idx": kinds.INDEX}, shape=lambda x: [(None,), x.dims, (None,)],
    kernel=_unique_with_counts, gradient=_unique_gradient,
)  # fmt: skip


def unique_with_counts(x: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> Any:
    """``unique``, with how often each value appears."""
    return apply_named(UNIQUE_WITH_COUNTS, x, out_idx=out_idx, name=name)


def _axis_of(axis: Any) -> int:
    return int(np.ravel(axis)[0]) if np.size(axis) else 0


def _checked_axis(x: Any, axis: Any) -> int:
    """The one axis of a run; that of a vector need not be named."""
    if np.size(axis) > 1:
        raise invalid("axis does not support input tensors larger than 1 elements")
    if not np.size(axis) and np.ndim(x) != 1:
        raise invalid("unique expects a 1D vector.")
    at, rank = _axis_of(axis), np.ndim(x)
    if not -rank <= at < rank:
        raise invalid(f"axis has to be between [0, {rank})")
    return at


def _unique_along(x: Tensor, axis: Tensor) -> tuple[RawShape, RawShape]:
    place = static_value(axis)
    if x.dims is None or place is None:
        return None, (None,)
    at = _axis_of(place) % max(1, len(x.dims))
    return (*x.dims[:at], None, *x.dims[at + 1 :]), (x.dims[at],)


UNIQUE_V2 = define(
    "UniqueV2", "x: T, axis: Taxis", "y: T, idx: out_idx", attrs={"Taxis": dtypes.int64, "out_idx": dtypes.int32},
    ranks={"axis": "1: axis expects a 1D vector."},
    types={"Taxis": kinds.INDEX, "out_idx": kinds.INDEX}, shape=lambda x, axis: list(_unique_along(x, axis)),
    kernel=lambda xp, x, axis, *, out_idx: [
        part.astype(kind) for part, kind in zip(
            _in_order_of_appearance(x, _checked_axis(x, axis))[:2], (np.asarray(x).dtype, out_idx.np), strict=True
        )
    ],
    gradient=_unique_gradient,
)  # fmt: skip

UNIQUE_WITH_COUNTS_V2 = define(
    "UniqueWithCountsV2", "x: T, axis: Taxis", "y: T, idx: out_idx, count: out_idx",
    attrs={"Taxis": dtypes.int64, "out_idx": dtypes.int32},
    ranks={"axis": "1: axis expects a 1D vector."},
    types={"Taxis": kinds.INDEX, "out_idx": kinds.INDEX},
    shape=lambda x, axis: [*_unique_along(x, axis), (None,)],
    kernel=lambda xp, x, axis, *, out_idx: [
        part.astype(kind) for part, kind in zip(
            _in_order_of_appearance(x, _checked_axis(x, axis)), (np.asarray(x).dtype, *[out_idx.np] * 2), strict=True
        )
    ],
    gradient=_unique_gradient,
)  # fmt: skip


def unique_v2(x: Any, axis: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> Any:
    """The different slices of ``x`` along ``axis``."""
    return apply_named(UNIQUE_V2, x, axis, out_idx=out_idx, name=name)


def unique_with_counts_v2(x: Any, axis: Any, out_idx: Any = dtypes.int32, name: str | None = None) -> Any:
    """``unique_v2``, with how often each slice appears."""
    return apply_named(UNIQUE_WITH_COUNTS_V2, x, axis, out_idx=out_idx, name=name)


def _list_diff(xp: Any, x: Any, y: Any, *, out_idx: Any) -> list[Any]:
    gone = set(np.asarray(y).tolist())
    kept = [i for i, value in enumerate(np.asarray(x).tolist()) if value not in gone]
    return [np.asarray(x)[kept], np.array(kept, out_idx.np)]


def _of_vectors(x: Tensor, y: Tensor) -> list[RawShape]:
    shape_rules.with_rank(x, 1)
    shape_rules.with_rank(y, 1)
    return [(None,), (None,)]


def _list_diff_gradient(op: Any, dy: Any, _: Any) -> list[Any]:
    """dx[idx] = dy, and 0 where x was left out."""
    return [segments.unsorted_segment_sum(dy, op.outputs[1], arrays.size(op.inputs[0])), None]


LIST_DIFF = define(
    "ListDiff", "x: T, y: T", "out: T, idx: out_idx", attrs={"out_idx": dtypes.int32}, types={"out_idx": kinds.INDEX},
    ranks={"x": "1: x should be a 1D vector.", "y": "1: y should be a 1D vector."},
    shape=_of_vectors, kernel=_list_diff, gradient=_list_diff_gradient,
)  # fmt: skip


def setdiff1d(x: Any, y: Any, index_dtype: Any = dtypes.int32, name: str | None = None) -> Any:
    """The values of the vector ``x`` that are not in ``y``, and where they are in ``x``."""
    return apply_named(LIST_DIFF, x, y, out_idx=index_dtype, name=name)


listdiff = setdiff1d

# -- counting ----------------------------------------------------------------------------------


def _counted(arr: Tensor, size: Tensor, weights: Tensor) -> RawShape:
    count = static_value(size)
    shape_rules.with_rank(size, 0)
    if count is not None and count < 0:
        raise ValueError(f"size ({count}) must be non-negative")
    return (None if count is None else int(count),)


def _bincount(xp: Any, arr: Any, size: Any, weights: Any) -> Any:
    arr, count = np.ravel(np.asarray(arr)), int(size)
    if count < 0:
        raise InvalidArgumentError(None, None, f"size ({count}) must be non-negative")
    if (arr < 0).any():
        raise InvalidArgumentError(None, None, "Input arr must be non-negative!")
    if arr.size and weights.size not in (0, arr.size):
        raise invalid(f"Input arr and weights must have the same number of elements, got {arr.size} and {weights.size}")
    inside = arr < count
    added = xp.reshape(weights, (-1,))[: arr.size][inside] if weights.size else weights.dtype.type(1)
    return placing.add_at(xp, xp.zeros(count, weights.dtype), arr[inside], added)


BINCOUNT = define(
    "Bincount", "arr: int32, size: int32, weights: T", "bins: T",
    types={"T": (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64)}, static=("size",), shape=_counted,
    kernel=_bincount,
)  # fmt: skip


def bincount(
    arr: Any, weights: Any = None, minlength: Any = None, maxlength: Any = None, dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """How often each number appears in ``arr``, or the sum of its ``weights``.

    The result has the largest number plus one entries, at least ``minlength``, at most ``maxlength``.
    """
    with name_scope(name or "bincount"):
        arr = as_tensor(arr, name="arr", dtype=dtypes.int32)
        nonempty = reductions.reduce_prod(arrays.shape(arr)) > 0
        size = arithmetic.cast(nonempty, dtypes.int32) * (reductions.reduce_max(arr) + 1)
        if minlength is not None:
            minlength = as_tensor(minlength, name="minlength", dtype=dtypes.int32)
            size = arithmetic.maximum(minlength, size)
        if maxlength is not None:
            maxlength = as_tensor(maxlength, name="maxlength", dtype=dtypes.int32)
            size = arithmetic.minimum(maxlength, size)
        if weights is not None:
            weights = as_tensor(weights, name="weights")
            return segments.unsorted_segment_sum(weights, arr, size)
        return apply(BINCOUNT, arr, size, constants.constant([], dtype))


def _histogram(xp: Any, values: Any, value_range: Any, nbins: Any, *, dtype: Any) -> Any:
    """Counts per bin of equal width; values outside the range fall into the first or last bin."""
    values, count = np.ravel(values), int(nbins)
    low, high = np.asarray(value_range).tolist()
    if not low < high:
        raise InvalidArgumentError(
            None, None, f"value_range should satisfy value_range[0] < value_range[1], but got '[{low}, {high}]'"
        )
    if count <= 0:
        raise InvalidArgumentError(None, None, f"nbins should be a positive number, but got '{count}'")
    step = (high - low) / count
    places = np.clip(np.floor((values - low) / step), 0, count - 1).astype(np.int64)
    return np.bincount(places, minlength=count).astype(dtype.np)


def _histogram_shape(values: Tensor, value_range: Tensor, nbins: Tensor) -> RawShape:
    (ends,) = shape_rules.with_rank(value_range, 1)
    shape_rules.with_rank(nbins, 0)
    if ends not in (None, 2):
        raise ValueError(f"Dimension must be 2 but is {ends}")
    count = static_value(nbins)
    if count is not None and count <= 0:
        raise ValueError(f"Requires nbins > 0: {count}")
    return (None if count is None else int(count),)


HISTOGRAM_FIXED_WIDTH = define(
    "HistogramFixedWidth", "values: T, value_range: T, nbins: int32", "out: dtype", attrs={"dtype": dtypes.int32},
    types={"T": (dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64), "dtype": kinds.INDEX},
    ranks={
        "value_range": ("1: value_range should be a vector.", "[2]: value_range should be a vector of 2 elements."),
        "nbins": "0: nbins should be a scalar.",
    },
    static=("nbins",), shape=_histogram_shape, kernel=_histogram,
)  # fmt: skip


def histogram_fixed_width(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = dtypes.int32, name: str | None = None
) -> Tensor:  # fmt: skip
    """How many of ``values`` fall into each of ``nbins`` bins of equal width over ``value_range``."""
    with name_scope(name, "histogram_fixed_width", [values, value_range, nbins]) as name:
        return apply(HISTOGRAM_FIXED_WIDTH, values, value_range, nbins, dtype=dtype, name=name)


def histogram_fixed_width_bins(
    values: Any, value_range: Any, nbins: Any = 100, dtype: Any = dtypes.int32, name: str | None = None
) -> Tensor:  # fmt: skip
    """The bin that each of ``values`` falls into, of ``nbins`` bins of equal width over ``value_range``."""
    with name_scope(name, "histogram_fixed_width_bins", [values, value_range, nbins]):
        values = as_tensor(values, name="values")
        shape = arrays.shape(values)
        values = arrays.reshape(values, [-1])
        value_range = as_tensor(value_range, name="value_range")
        nbins = as_tensor(nbins, dtype=dtypes.int32, name="nbins")
        width = arithmetic.cast(nbins, values.dtype)
        scaled = arithmetic.truediv(values - value_range[0], value_range[1] - value_range[0], name="scaled_values")
        places = rounding.floor(width * scaled, name="indices")
        places = arithmetic.cast(clipping.clip_by_value(places, 0, width - 1), dtypes.int32)
        return arrays.reshape(places, shape)
