"""Ranges of different lengths, and reductions of ragged tensors over rows, columns and segments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    checks,
    constants,
    indexing,
    joining,
    powers,
    ragged,
    reductions,
    scans,
    segment_strings,
    segments,
    strings,
)
from retrograd.ragged.making import map_flat_values
from retrograd.ragged.splits import positive_axis, row_splits_to_segment_ids
from retrograd.ragged.tensor import RaggedTensor, convert_to_tensor_or_ragged_tensor, is_ragged, match_row_splits_dtypes

_NUMBERS = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64]


def range_(
    starts: Any, limits: Any = None, deltas: Any = 1, dtype: Any = None, name: str | None = None,
    row_splits_dtype: Any = dtypes.int64,
) -> RaggedTensor:  # fmt: skip
    """Row i is ``starts[i], starts[i] + deltas[i], ...`` before ``limits[i]``."""
    splits_dtype = as_dtype(row_splits_dtype)
    if limits is None:
        starts, limits = 0, starts
    with name_scope(name, "RaggedRange", [starts, limits, deltas]) as name:
        ends = [
            as_tensor(x, dtype=dtype, name=what)
            for x, what in ((starts, "starts"), (limits, "limits"), (deltas, "deltas"))
        ]
        if dtype is None:
            widest = max((x.dtype for x in ends), key=_NUMBERS.index)
            ends = [casts.cast(x, widest) for x in ends]
        splits, values = apply(ragged.RAGGED_RANGE, *ends, Tsplits=splits_dtype, name=name)
        return RaggedTensor.from_row_splits(values, splits, validate=False)


# -- by segment ----------------------------------------------------------------------------------


def _by_segment(
    op: Callable[..., Any], data: Any, segment_ids: Any, num_segments: Any, separator: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """``op`` of the elements at the same place of rows with the same id."""
    if not (is_ragged(data) or is_ragged(segment_ids)):
        return op(data, segment_ids, num_segments, *([] if separator is None else [separator]), name)
    with name_scope(name, "RaggedSegment", [data, segment_ids, num_segments]) as name:
        data = convert_to_tensor_or_ragged_tensor(data, name="data")
        segment_ids = convert_to_tensor_or_ragged_tensor(segment_ids, name="segment_ids")
        data, segment_ids = match_row_splits_dtypes(data, segment_ids)
        if segment_ids.dtype not in (dtypes.int32, dtypes.int64):
            raise ValueError("segment_ids must have dtype int32 or int64.")
        if is_ragged(segment_ids):
            message = "segment_ids.shape must be a prefix of data.shape"
            if not is_ragged(data):
                raise ValueError(message + ", but segment_ids is ragged and data is not.")
            same = checks.assert_equal(segment_ids.row_splits, data.row_splits, message=message)
            with control_dependencies([same]):
                return _by_segment(op, data.values, segment_ids.values, num_segments, separator)
        lengths = data.row_splits[1:] - data.row_splits[:-1]
        out_lengths = arithmetic.maximum(segments.unsorted_segment_max(lengths, segment_ids, num_segments), 0)
        zero = constants.zeros([1], out_lengths.dtype)
        splits = joining.concat([zero, scans.cumsum(out_lengths)], axis=0)
        starts = indexing.gather(splits, segment_ids)
        places = range_(starts, starts + lengths).values
        values = _by_segment(op, data.values, places, splits[-1], separator)
        return RaggedTensor.from_row_splits(values, splits, validate=False)


def segment_sum(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """The sums of rows with the same id."""
    return _by_segment(segments.unsorted_segment_sum, data, segment_ids, num_segments, name=name or "RaggedSegmentSum")


def segment_prod(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """The products of rows with the same id."""
    op = segments.unsorted_segment_prod
    return _by_segment(op, data, segment_ids, num_segments, name=name or "RaggedSegmentProd")


def segment_min(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """The smallest elements of rows with the same id."""
    return _by_segment(segments.unsorted_segment_min, data, segment_ids, num_segments, name=name or "RaggedSegmentMin")


def segment_max(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """The largest elements of rows with the same id."""
    return _by_segment(segments.unsorted_segment_max, data, segment_ids, num_segments, name=name or "RaggedSegmentMax")


def _quotient(total: Any, count: Callable[[Any], Any], counts: Any) -> Any:
    if is_ragged(total):
        return total.with_flat_values(total.flat_values / count(counts.flat_values))
    return total / count(counts)


def _ones(data: Any) -> RaggedTensor:
    ones = constants.ones_like(data.flat_values)
    return RaggedTensor.from_nested_row_splits(ones, data.nested_row_splits, validate=False)


def segment_mean(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """The means of rows with the same id."""
    with name_scope(name, "RaggedSegmentMean", [data, segment_ids, num_segments]):
        total = segment_sum(data, segment_ids, num_segments)
        return _quotient(total, lambda x: x, segment_sum(_ones(data), segment_ids, num_segments))


def segment_sqrt_n(data: Any, segment_ids: Any, num_segments: Any, name: str | None = None) -> Any:
    """The sums of rows with the same id over the roots of their numbers."""
    with name_scope(name, "RaggedSegmentSqrtN", [data, segment_ids, num_segments]):
        total = segment_sum(data, segment_ids, num_segments)
        return _quotient(total, powers.sqrt, segment_sum(_ones(data), segment_ids, num_segments))


# -- along axes ----------------------------------------------------------------------------------


def _reduced(
    op: Callable[..., Any], by_segment: Callable[..., Any], x: Any, axis: Any, keepdims: Any, separator: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    if not is_ragged(x):
        return op(x, axis, name=name, **({} if separator is None else {"separator": separator}))
    if keepdims:
        raise ValueError("keepdims=True is not supported for RaggedTensors.")
    if isinstance(axis, Tensor):
        axis = constant_value(axis)
        if axis is None:
            raise ValueError("axis must be known at graph construction time.")
    if isinstance(axis, np.ndarray | np.generic):
        axis = axis.tolist()
    if axis is None:
        return op(x.flat_values, None, name=name)
    with name_scope(name, "RaggedReduce", [x, axis]):
        if isinstance(axis, tuple | list):
            if not axis:
                return x
            if len(axis) > 1:
                axes = sorted(positive_axis(a, x.shape.ndims) for a in axis)
                inner = _reduced(op, by_segment, x, axes[-1], keepdims, separator)
                return _reduced(op, by_segment, inner, axes[:-1], keepdims, separator)
            axis = axis[0]
        x = convert_to_tensor_or_ragged_tensor(x, name="rt_input")
        axis = positive_axis(axis, x.shape.ndims)
        if axis == 0:
            lengths = x.row_splits[1:] - x.row_splits[:-1]
            count = arithmetic.maximum(reductions.reduce_max(lengths), 0)
            return _by_segment(by_segment, x.values, range_(lengths).values, count, separator)
        if axis == 1:
            count = arrays.shape(x.row_splits)[0] - 1
            ids = row_splits_to_segment_ids(x.row_splits)
            return _by_segment(by_segment, x.values, ids, count, separator)
        return x.with_values(_reduced(op, by_segment, x.values, axis - 1, keepdims, separator))


def reduce_sum(input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None) -> Any:
    """The sum along ``axis``."""
    return _reduced(
        reductions.reduce_sum, segments.unsorted_segment_sum, input_tensor, axis, keepdims,
        name=name or "RaggedReduceSum",
    )  # fmt: skip


def reduce_prod(input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None) -> Any:
    """The product along ``axis``."""
    return _reduced(
        reductions.reduce_prod, segments.unsorted_segment_prod, input_tensor, axis, keepdims,
        name=name or "RaggedReduceProd",
    )  # fmt: skip


def reduce_min(input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None) -> Any:
    """The smallest element along ``axis``."""
    return _reduced(
        reductions.reduce_min, segments.unsorted_segment_min, input_tensor, axis, keepdims,
        name=name or "RaggedReduceMin",
    )  # fmt: skip


def reduce_max(input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None) -> Any:
    """The largest element along ``axis``."""
    return _reduced(
        reductions.reduce_max, segments.unsorted_segment_max, input_tensor, axis, keepdims,
        name=name or "RaggedReduceMax",
    )  # fmt: skip


def reduce_mean(input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None) -> Any:
    """The mean along ``axis``."""
    with name_scope(name, "RaggedReduceMean", [input_tensor, axis]):
        total = reduce_sum(input_tensor, axis, keepdims)
        ones = _ones(input_tensor) if is_ragged(input_tensor) else constants.ones_like(input_tensor)
        count = reduce_sum(ones, axis, keepdims)
        if is_ragged(total):
            mean = total.flat_values / count.flat_values
            return RaggedTensor.from_nested_row_splits(mean, total.nested_row_splits, validate=False)
        return total / count


def reduce_all(input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None) -> Any:
    """Whether all elements along ``axis`` are true."""
    with name_scope(name, "RaggedReduceAll", [input_tensor, axis]):
        ones = map_flat_values(casts.cast, input_tensor, dtypes.int32)
        return map_flat_values(casts.cast, reduce_prod(ones, axis, keepdims), dtypes.bool)


def reduce_any(input_tensor: Any, axis: Any = None, keepdims: Any = None, name: str | None = None) -> Any:
    """Whether an element along ``axis`` is true."""
    with name_scope(name, "RaggedReduceAny", [input_tensor, axis]):
        ones = map_flat_values(casts.cast, input_tensor, dtypes.int32)
        return map_flat_values(casts.cast, reduce_sum(ones, axis, keepdims), dtypes.bool)


def reduce_join(
    inputs: Any, axis: Any = None, keepdims: Any = None, separator: str = "", name: str | None = None
) -> Any:
    """The strings along ``axis``, joined by ``separator``."""
    return _reduced(
        strings.reduce_join, segment_strings.unsorted_segment_join, inputs, axis, keepdims, separator,
        name or "RaggedSegmentJoin",
    )  # fmt: skip
