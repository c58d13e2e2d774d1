"""Sums, means and extrema over segments: rows that share an id.

Sorted segments (``segment_sum``) have as many rows as their last id says; unsorted ones
(``unsorted_segment_sum``) are told their number, and drop rows with a negative id.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor, register_tensor_conversion_function
from retrograd.graph.definition import OpDef, define
from retrograd.graph.errors import InvalidArgumentError, invalid
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.static import constant_value, static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, comparison, constants, indexing, joining, kinds, powers, shape_rules
from retrograd.ops.placing import join_at, join_runs
from retrograd.ops.requirements import require

# -- joining rows ------------------------------------------------------------------------------

_AT = {"add": np.add, "multiply": np.multiply, "max": np.maximum, "min": np.minimum}


def combined(xp: Any, how: str, data: Any, ids: Any, count: int, start: Any, is_sorted: bool = False) -> Any:
    """``start`` in ``count`` rows, joined with each row of ``data`` at its id; rows with a negative id are dropped."""
    data, ids = xp.asarray(data), xp.asarray(ids)
    inner = data.shape[ids.ndim :]
    rows, ids = xp.reshape(data, (-1 if data.size else ids.size, *inner)), xp.reshape(ids, (-1,))
    result = xp.full((count, *inner), start, data.dtype)
    if xp is not np:
        ids = xp.where(ids < 0, count, ids)
        return getattr(result.at[ids], how)(rows, mode="drop")
    if is_sorted:
        join_runs(_AT[how], result, ids, rows)
        return result
    kept = ids >= 0
    if not kept.all():
        rows, ids = rows[kept], ids[kept]
    join_at(_AT[how], result, ids, rows)
    return result


def lowest(dtype: Any) -> Any:
    return -np.inf if dtype.kind not in "iub" else np.iinfo(dtype).min


def _highest(dtype: Any) -> Any:
    return np.inf if dtype.kind not in "iub" else np.iinfo(dtype).max


def _limits(dtype: Any) -> tuple[Any, Any]:
    """The smallest and largest finite value."""
    kind = dtypes.as_dtype(dtype)
    return kind.min, kind.max


# -- sorted ------------------------------------------------------------------------------------


def _by_segment(data: Tensor, segment_ids: Tensor) -> RawShape:
    shape_rules.with_rank(segment_ids, 1)
    dims = shape_rules.with_rank_at_least(data, 1)
    return None if dims is None else (None, *dims[1:])


def _checked_ids(data: Any, ids: Any) -> int:
    """The number of segments.

    Raises:
      InvalidArgumentError: the ids are not sorted, or there are not as many of them as rows.
    """
    ids = np.asarray(ids)
    if ids.ndim != 1:
        raise InvalidArgumentError(None, None, "segment_ids should be a vector.")
    if len(ids) != len(data):
        raise InvalidArgumentError(None, None, "segment_ids should be the same size as dimension 0 of input.")
    if len(ids) and ids[-1] < 0:
        raise InvalidArgumentError(None, None, "segment ids must be >= 0")
    count = int(ids[-1]) + 1 if len(ids) else 0
    check_order(ids, count)
    return count


def check_order(ids: Any, count: int) -> None:
    """Raise TensorFlow's error for the first run of ids that is out of range or followed by a smaller id."""
    if not len(ids) or (ids[0] >= 0 and ids.max() < count and not (np.diff(ids) < 0).any()):
        return
    runs = ids[np.r_[True, np.diff(ids) != 0]].tolist()
    for i, segment in enumerate(runs):
        if i + 1 < len(runs) and runs[i + 1] < segment:
            raise InvalidArgumentError(None, None, "segment ids are not increasing")
        if not 0 <= segment < count:
            raise InvalidArgumentError(
                None, None,
                f"Segment id {segment} out of range [0, {count}), possibly because 'segment_ids' input is not sorted.",
            )  # fmt: skip


def _segment_kernel(how: str, start: Any) -> Any:
    def kernel(xp: Any, data: Any, segment_ids: Any) -> Any:
        data = xp.asarray(data)
        count = _checked_ids(data, segment_ids)
        first = start(data.dtype) if callable(start) else start
        result = combined(xp, how, data, segment_ids, count, first, is_sorted=True)
        return _zero_where_empty(xp, result, segment_ids, count) if how in ("max", "min") else result

    return kernel


def _zero_where_empty(xp: Any, result: Any, ids: Any, count: int) -> Any:
    taken = np.bincount(np.asarray(ids), minlength=count) > 0
    if taken.all():
        return result
    return xp.where(xp.reshape(xp.asarray(taken), (-1,) + (1,) * (result.ndim - 1)), result, xp.zeros((), result.dtype))


def _segment_mean(xp: Any, data: Any, segment_ids: Any) -> Any:
    data = xp.asarray(data)
    count = _checked_ids(data, segment_ids)
    totals = combined(xp, "add", data, segment_ids, count, 0, is_sorted=True)
    sizes = np.maximum(np.bincount(np.asarray(segment_ids), minlength=count), 1)
    sizes = sizes.reshape((-1,) + (1,) * (data.ndim - 1)).astype(data.dtype)
    return totals // sizes if data.dtype.kind in "iu" else totals / sizes


def _segment_mean_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy over the size of its segment, for each row of it."""
    data, ids = op.inputs
    rank = arrays.rank(data)
    shape = joining.concat([arrays.shape(ids), constants.fill(arrays.expand_dims(rank - 1, 0), 1)], 0)
    ones = constants.fill(shape, constants.constant(1, dtype=dy.dtype))
    return [indexing.gather(arithmetic.divide(dy, segment_sum(ones, ids)), ids), None]


def _segment_extremum_gradient(op: Any, dy: Any) -> list[Any]:
    """Rows that tie share the gradient of their segment."""
    data, ids = op.inputs
    zeros = constants.zeros_like(data, dtype=data.dtype)
    chosen = comparison.equal(data, indexing.gather(op.outputs[0], ids))
    count = segment_sum(arithmetic.cast(chosen, dy.dtype), ids)
    spread = indexing.gather(arithmetic.divide(dy, count), ids)
    return [comparison.where(chosen, spread, zeros), None]


def _prod_gradient(op: Any, dy: Any) -> list[Any]:
    return [_of_factors(op, dy, arrays.shape(op.outputs[0])[0]), None]


def _sorted(name: str, kernel: Any, gradient: Any, types: Any) -> OpDef:
    return define(
        name, "data: T, segment_ids: Tindices", "output: T", types={"T": types, "Tindices": kinds.INDEX},
        shape=_by_segment, kernel=kernel, gradient=gradient,
    )  # fmt: skip


SEGMENT_SUM = _sorted(
    "SegmentSum", _segment_kernel("add", 0), lambda op, dy: [indexing.gather(dy, op.inputs[1]), None], kinds.NUMERIC
)
SEGMENT_MEAN = _sorted("SegmentMean", _segment_mean, _segment_mean_gradient, kinds.NUMERIC)
SEGMENT_MAX = _sorted("SegmentMax", _segment_kernel("max", lowest), _segment_extremum_gradient, kinds.REAL)
SEGMENT_MIN = _sorted("SegmentMin", _segment_kernel("min", _highest), _segment_extremum_gradient, kinds.REAL)
SEGMENT_PROD = _sorted("SegmentProd", _segment_kernel("multiply", 1), _prod_gradient, kinds.NUMERIC)


def segment_sum(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The sum of the rows of each segment; ``segment_ids`` is sorted."""
    return apply(SEGMENT_SUM, data, segment_ids, name=name)


def segment_mean(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The mean of the rows of each segment."""
    return apply(SEGMENT_MEAN, data, segment_ids, name=name)


def segment_max(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The largest of the rows of each segment, 0 for an id that is left out."""
    return apply(SEGMENT_MAX, data, segment_ids, name=name)


def segment_min(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The smallest of the rows of each segment, 0 for an id that is left out."""
    return apply(SEGMENT_MIN, data, segment_ids, name=name)


def segment_prod(data: Any, segment_ids: Any, name: str | None = None) -> Tensor:
    """The product of the rows of each segment, 1 for an id that is left out."""
    return apply(SEGMENT_PROD, data, segment_ids, name=name)


# -- unsorted ----------------------------------------------------------------------------------


def _by_id(data: Tensor, segment_ids: Tensor, num_segments: Tensor) -> RawShape:
    shape_rules.with_rank(num_segments, 0)
    if data.dims is None or segment_ids.dims is None:
        return None
    rank = len(segment_ids.dims)
    shape_rules.with_prefix(data, segment_ids)
    count = static_value(num_segments)
    if count is not None and count < 0:
        raise ValueError(f"Dimension size, given by scalar input 2, must be non-negative but is {int(count)}")
    return (None if count is None else int(count), *data.dims[rank:])


def _unsorted_kernel(how: str, start: Any) -> Any:
    def kernel(xp: Any, data: Any, segment_ids: Any, num_segments: Any) -> Any:
        shape_rules.check_rank(num_segments, 0, "num_segments should be a scalar, not shape {}")
        data, ids, count = xp.asarray(data), xp.asarray(segment_ids), int(num_segments)
        if data.shape[: ids.ndim] != ids.shape:
            raise InvalidArgumentError(
                None, None,
                f"data.shape = {shapes.shape_text(data.shape)} does not start with segment_ids.shape = "
                f"{shapes.shape_text(ids.shape)}",
            )  # fmt: skip
        if count < 0:
            raise InvalidArgumentError(None, None, f"Input num_segments == {count} must not be negative.")
        if xp is not np:
            require(ids < count)
        elif ids.size and ids.max() >= count:
            place = np.argwhere(ids >= count)[0]
            raise InvalidArgumentError(
                None, None,
                f"segment_ids[{','.join(map(str, place))}] = {ids[tuple(place)]} is out of range [0, {count})",
            )  # fmt: skip
        return combined(xp, how, data, ids, count, start(data.dtype) if callable(start) else start)

    return kernel


def _inner_rank(data: Any, ids: Any) -> int:
    """The number of dimensions of ``data`` behind those of ``ids``; the subtraction fails where one is unknown."""
    return data.rank - ids.rank


def _valid(ids: Tensor, gathered: Tensor) -> Tensor:
    """Where ``ids`` are at least 0, in the shape of the rows ``gathered`` by them."""
    valid = comparison.greater_equal(ids, 0)
    for _ in range(_inner_rank(gathered, valid)):
        valid = arrays.expand_dims(valid, -1)
    return valid & constants.ones_like(gathered, dtype=dtypes.bool)


def _taken(params: Any, ids: Any) -> tuple[Any, Any, Any]:
    """Rows of ``params`` by id, zero for negative ids; with the ids at least 0 and where they were."""
    clipped = arithmetic.maximum(ids, constants.zeros_like(ids))
    gathered = indexing.gather(params, clipped)
    valid = _valid(ids, gathered)
    return comparison.where(valid, gathered, constants.zeros_like(gathered)), clipped, valid


def _taken_again(params: Any, clipped: Any, valid: Any) -> Any:
    gathered = indexing.gather(params, clipped)
    return comparison.where(valid, gathered, constants.zeros_like(gathered))


def _unsorted_extremum_gradient(op: Any, dy: Any) -> list[Any]:
    """Rows that tie share the gradient of their segment."""
    data, ids, count = op.inputs
    extrema, clipped, valid = _taken(op.outputs[0], ids)
    chosen = comparison.logical_and(comparison.equal(data, extrema), valid)
    ties = unsorted_segment_sum(arithmetic.cast(chosen, dy.dtype), ids, count)
    spread = _taken_again(arithmetic.divide(dy, ties), clipped, valid)
    zeros = constants.zeros_like(spread)
    return [comparison.where(chosen, spread, zeros), None, None]


def _unsorted_prod_gradient(op: Any, dy: Any) -> list[Any]:
    return [_of_factors(op, dy, op.inputs[2]), None, None]


def _of_factors(op: Any, dy: Any, count: Tensor) -> Tensor:
    """dx = dy * y / x; where x is 0, the product of the other rows, which is 0 if another of them is 0."""
    data, ids = op.inputs[:2]
    is_zero = comparison.equal(data, 0)
    zeros = unsorted_segment_sum(arithmetic.cast(is_zero, dtypes.int32), ids, count)
    dy = comparison.where(comparison.greater(zeros, 1), constants.zeros_like(dy), dy)
    others = comparison.where(is_zero, constants.ones_like(data), data)
    product = unsorted_segment_prod(others, ids, count)
    clipped = arithmetic.maximum(ids, constants.zeros_like(ids))
    y = indexing.gather(op.outputs[0], clipped)
    without = indexing.gather(product, clipped)
    slope = comparison.where(is_zero, without, y / data)
    gathered = indexing.gather(dy, clipped)
    valid = _valid(ids, gathered)
    return comparison.where(valid, gathered, constants.zeros_like(gathered)) * slope


def _unsorted(name: str, kernel: Any, gradient: Any, types: Any) -> OpDef:
    return define(
        name, "data: T, segment_ids: Tindices, num_segments: Tnumsegments", "output: T",
        attrs={"Tnumsegments": dtypes.int32},
        types={"T": types, "Tindices": kinds.INDEX, "Tnumsegments": kinds.INDEX}, static=("num_segments",),
        shape=_by_id, kernel=kernel, gradient=gradient,
    )  # fmt: skip


UNSORTED_SEGMENT_SUM = _unsorted(
    "UnsortedSegmentSum", _unsorted_kernel("add", 0), lambda op, dy: [_taken(dy, op.inputs[1])[0], None, None],
    kinds.NUMERIC,
)  # fmt: skip
UNSORTED_SEGMENT_MAX = _unsorted(
    "UnsortedSegmentMax", _unsorted_kernel("max", lambda dtype: _limits(dtype)[0]), _unsorted_extremum_gradient,
    kinds.REAL,
)  # fmt: skip
UNSORTED_SEGMENT_MIN = _unsorted(
    "UnsortedSegmentMin", _unsorted_kernel("min", lambda dtype: _limits(dtype)[1]), _unsorted_extremum_gradient,
    kinds.REAL,
)  # fmt: skip
UNSORTED_SEGMENT_PROD = _unsorted(
    "UnsortedSegmentProd", _unsorted_kernel("multiply", 1), _unsorted_prod_gradient, kinds.NUMERIC
)


def unsorted_segment_sum(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """The sum of the rows of each of ``num_segments`` segments."""
    return apply(UNSORTED_SEGMENT_SUM, data, segment_ids, num_segments, name=name)


def unsorted_segment_max(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """The largest of the rows of each segment, the lowest number of the dtype for an empty one."""
    return apply(UNSORTED_SEGMENT_MAX, data, segment_ids, num_segments, name=name)


def unsorted_segment_min(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """The smallest of the rows of each segment, the largest number of the dtype for an empty one."""
    return apply(UNSORTED_SEGMENT_MIN, data, segment_ids, num_segments, name=name)


def unsorted_segment_prod(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """The product of the rows of each segment, 1 for an empty one."""
    return apply(UNSORTED_SEGMENT_PROD, data, segment_ids, num_segments, name=name)


def _sizes(data: Tensor, segment_ids: Tensor, num_segments: Any) -> Tensor:
    """The number of rows of each segment, at least 1, shaped to divide the sums."""
    ones = constants.ones(arrays.shape_internal(segment_ids), dtype=data.dtype)
    counts = unsorted_segment_sum(ones, segment_ids, num_segments)
    inner = [1] * _inner_rank(data, segment_ids)
    return arithmetic.maximum(arrays.reshape(counts, [num_segments, *inner]), 1)


def unsorted_segment_mean(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """The mean of the rows of each segment, 0 for an empty one."""
    with name_scope(name, "UnsortedSegmentMean"):
        data, segment_ids = as_tensor(data), as_tensor(segment_ids)
        sizes = _sizes(data, segment_ids, num_segments)
        return unsorted_segment_sum(data, segment_ids, num_segments) / sizes


def unsorted_segment_sqrt_n(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Tensor:
    """The sum of the rows of each segment over the square root of their number."""
    with name_scope(name, "UnsortedSegmentSqrtN"):
        data, segment_ids = as_tensor(data), as_tensor(segment_ids)
        sizes = _sizes(data, segment_ids, num_segments)
        return unsorted_segment_sum(data, segment_ids, num_segments) / powers.sqrt(sizes)


# -- of chosen rows ----------------------------------------------------------------------------


def _of_rows(data: Tensor, indices: Tensor, segment_ids: Tensor) -> RawShape:
    shapes.merge(shape_rules.with_rank(indices, 1), shape_rules.with_rank(segment_ids, 1))
    dims = shape_rules.with_rank_at_least(data, 1)
    return None if dims is None else (None, *dims[1:])


def _of_rows_counted(data: Tensor, indices: Tensor, segment_ids: Tensor, num_segments: Tensor) -> RawShape:
    dims, count = _of_rows(data, indices, segment_ids), static_value(num_segments)
    if count is not None and count < 0:
        raise ValueError("Cannot specify a negative value for num_segments")
    return None if dims is None else (None if count is None else int(count), *dims[1:])


def _divisor(counts: Any, how: str, dtype: Any) -> Any:
    """What the sum over a segment of ``counts`` rows is divided by."""
    counts = np.maximum(counts, 1)
    return {"Sum": np.ones_like(counts), "Mean": counts, "SqrtN": np.sqrt(counts)}[how].astype(dtype)


def _check_as_many(rows: Any, ids: Any) -> None:
    if len(rows) != len(ids):
        raise invalid("segment_ids and indices should have same size.")


def _rows_kernel(how: str) -> Any:
    def kernel(xp: Any, data: Any, indices: Any, segment_ids: Any, num_segments: Any = None) -> Any:
        data, ids = xp.asarray(data), np.asarray(segment_ids)
        rows = np.asarray(indices)
        _check_as_many(rows, ids)
        for i in np.flatnonzero((rows < 0) | (rows >= len(data)))[:1]:
            raise InvalidArgumentError(None, None, f"Bad: indices[{i}] == {rows[i]} out of range [0, {len(data)})")
        count = _checked_ids(ids, ids) if num_segments is None else int(num_segments)
        if len(ids) and num_segments is not None and ids[-1] >= count:
            raise InvalidArgumentError(None, None, "segment ids must be < num_segments")
        check_order(ids, count)
        totals = combined(xp, "add", data[np.asarray(indices)], ids, count, 0, is_sorted=True)
        divisor = _divisor(np.bincount(ids, minlength=count), how, data.dtype)
        return totals if how == "Sum" else totals / divisor.reshape((-1,) + (1,) * (data.ndim - 1))

    return kernel


def _rows_gradient(how: str) -> Any:
    """dx = dy of the segments that a row went into, over what each was divided by."""

    def gradient(op: Any, dy: Any) -> list[Any]:
        data, indices, ids = op.inputs[:3]
        count = arrays.shape(data)[0]
        if how == "Sum":
            dx = unsorted_segment_sum(indexing.gather(dy, ids), indices, count)
        else:
            dx = apply(_ROWS_GRAD[how], dy, indices, ids, count)
        return [dx] + [None] * (len(op.inputs) - 1)

    return gradient


def _rows_grad_kernel(how: str) -> Any:
    def kernel(xp: Any, dy: Any, indices: Any, segment_ids: Any, output_dim0: Any) -> Any:
        dy, ids, rows = xp.asarray(dy), np.asarray(segment_ids), np.asarray(indices)
        _check_as_many(rows, ids)
        if len(ids) and ids[-1] >= len(dy):
            raise InvalidArgumentError(None, None, "Invalid number of segments")
        for place in rows[(rows < 0) | (rows >= int(output_dim0))][:1]:
            raise InvalidArgumentError(None, None, f"Index {place} out of range [0, {int(output_dim0)}).")
        for segment in ids[(ids < 0) | (ids >= len(dy))][:1]:
            raise InvalidArgumentError(None, None, f"Segment id {segment} out of range [0, {len(dy)}).")
        divisor = _divisor(np.bincount(ids, minlength=len(dy)), how, dy.dtype)
        spread = (dy / divisor.reshape((-1,) + (1,) * (dy.ndim - 1)))[ids]
        return combined(xp, "add", spread, indices, int(output_dim0), 0)

    return kernel


def _first_size_known(dy: Tensor, indices: Tensor, segment_ids: Tensor, output_dim0: Tensor) -> RawShape:
    count = static_value(output_dim0)
    dims = shape_rules.with_rank_at_least(dy, 1)
    return None if dims is None else (None if count is None else int(count), *dims[1:])


_VECTORS = {"indices": "1: indices should be a vector.", "segment_ids": "1: segment_ids should be a vector."}
_ROWS, _ROWS_COUNTED, _ROWS_GRAD = {}, {}, {}
for _how in ("Sum", "Mean", "SqrtN"):
    _types = {"T": kinds.REAL if _how == "Sum" else kinds.PRECISE, "Tidx": kinds.INDEX, "Tnumsegments": kinds.INDEX}
    _ROWS[_how] = define(
        f"SparseSegment{_how}", "data: T, indices: Tidx, segment_ids: int32", "output: T",
        attrs={"Tidx": dtypes.int32}, types=_types, ranks=_VECTORS, shape=_of_rows, kernel=_rows_kernel(_how),
        gradient=_rows_gradient(_how),
    )  # fmt: skip
    _ROWS_COUNTED[_how] = define(
        f"SparseSegment{_how}WithNumSegments",
        "data: T, indices: Tidx, segment_ids: int32, num_segments: Tnumsegments", "output: T",
        attrs={"Tidx": dtypes.int32, "Tnumsegments": dtypes.int32}, types=_types, shape=_of_rows_counted,
        ranks={**_VECTORS, "num_segments": "0: num_segments should be a scalar, not shape {}"},
        kernel=_rows_kernel(_how), gradient=_rows_gradient(_how),
    )  # fmt: skip
    if _how != "Sum":
        _ROWS_GRAD[_how] = define(
            f"SparseSegment{_how}Grad", "grad: T, indices: Tidx, segment_ids: int32, output_dim0: int32", "output: T",
            attrs={"Tidx": dtypes.int32}, types=_types, shape=_first_size_known, kernel=_rows_grad_kernel(_how),
            ranks={**_VECTORS, "output_dim0": "0: output_dim0 should be a scalar."},
        )  # fmt: skip


def _sparse_segment(how: str, data: Any, indices: Any, segment_ids: Any, name: str | None, num_segments: Any) -> Tensor:
    if num_segments is not None:
        return apply(_ROWS_COUNTED[how], data, indices, segment_ids, num_segments, name=name)
    return apply(_ROWS[how], data, indices, segment_ids, name=name)


def sparse_segment_sum(
    data: Any, indices: Any, segment_ids: Any, name: str | None = None, num_segments: Any = None
) -> Tensor:  # fmt: skip
    """``segment_sum`` of the rows ``indices`` of ``data``."""
    return _sparse_segment("Sum", data, indices, segment_ids, name, num_segments)


def sparse_segment_mean(
    data: Any, indices: Any, segment_ids: Any, name: str | None = None, num_segments: Any = None
) -> Tensor:  # fmt: skip
    """``segment_mean`` of the rows ``indices`` of ``data``."""
    return _sparse_segment("Mean", data, indices, segment_ids, name, num_segments)


def sparse_segment_sqrt_n(
    data: Any, indices: Any, segment_ids: Any, name: str | None = None, num_segments: Any = None
) -> Tensor:  # fmt: skip
    """The sum of the rows ``indices`` of each segment over the square root of their number."""
    return _sparse_segment("SqrtN", data, indices, segment_ids, name, num_segments)


# -- IndexedSlices as tensors ------------------------------------------------------------------

_LARGE = 100_000_000  # elements of a dense tensor that a program should hear about


def dense(value: IndexedSlices, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Tensor:
    """The tensor that ``IndexedSlices`` stand for; warns where it may be large.

    Raises:
      ValueError: the dense shape is not given, or ``dtype`` differs.
    """
    if dtype is not None and not dtypes.as_dtype(dtype).is_compatible_with(value.dtype):
        raise ValueError(
            f"Tensor conversion requested dtype {dtypes.as_dtype(dtype).name} for IndexedSlices with dtype "
            f"{value.dtype.name}"
        )
    if value.dense_shape is None:
        raise ValueError(f"Tensor conversion requested for IndexedSlices without dense_shape: {value}")
    shape = constant_value(value.dense_shape)
    if shape is None:
        warnings.warn(
            "Converting sparse IndexedSlices to a dense Tensor of unknown shape. "
            "This may consume a large amount of memory.",
            stacklevel=2,
        )
    elif np.prod(shape, dtype=np.int64) >= _LARGE:
        warnings.warn(
            f"Converting sparse IndexedSlices to a dense Tensor with {np.prod(shape, dtype=np.int64)} elements. "
            "This may consume a large amount of memory.",
            stacklevel=2,
        )
    return unsorted_segment_sum(value.values, value.indices, value.dense_shape[0], name=name)


register_tensor_conversion_function(IndexedSlices, dense)
