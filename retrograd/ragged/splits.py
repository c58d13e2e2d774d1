"""Where rows end, how long they are, and in which row each value is: each as another form of the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, casts, checks, constants, indexing, joining, ragged, repeating, scans, uniqueness

INDEX = (dtypes.int32, dtypes.int64)


def convert_to_int_tensor(tensor: Any, name: str, dtype: DType = dtypes.int32) -> Tensor:
    """``tensor`` as integers of ``dtype``."""
    tensor = as_tensor(tensor, name=name, preferred_dtype=dtype)
    if not tensor.dtype.is_integer:
        raise TypeError(f"{name} must be an integer tensor; dtype={tensor.dtype}")
    return apply(casts.CAST, tensor, DstT=dtype)  # even to the same dtype, as in TensorFlow


def positive_axis(axis: Any, ndims: int | None) -> int:
    """``axis`` counted from the front."""
    if not isinstance(axis, int):
        raise TypeError(f"axis must be an int; got {type(axis).__name__}")
    if ndims is not None:
        if 0 <= axis < ndims:
            return axis
        if -ndims <= axis < 0:
            return axis + ndims
        raise ValueError(f"axis={axis} out of bounds: expected {-ndims}<=axis<{ndims}")
    if axis < 0:
        raise ValueError("axis may only be negative if ndims is statically known.")
    return axis


def lengths_to_splits(lengths: Any) -> Tensor:
    """0, and the sums of the first lengths."""
    return joining.concat([[0], scans.cumsum(lengths)], axis=-1)


def repeat_ranges(params: Any, splits: Any, repeats: Any) -> Tensor:
    """The rows of ``params`` between ``splits``, each as often as ``repeats`` says."""
    if repeats.shape.ndims != 0:
        starts = repeating.repeat_with_axis(splits[:-1], repeats, axis=0)
        limits = repeating.repeat_with_axis(splits[1:], repeats, axis=0)
    else:
        repeated = repeating.repeat_with_axis(splits, repeats, axis=0)
        count = arrays.shape(repeated, out_type=repeats.dtype)[0]
        starts, limits = repeated[: count - repeats], repeated[repeats:]
    one = constants.ones((), starts.dtype)
    _, places = apply(ragged.RAGGED_RANGE, starts, limits, one)
    return indexing.gather(params, places)


def same_splits(nested_splits_lists: Sequence[Any]) -> list[Any]:
    """The checks that several nested splits are the same."""
    message = "Inputs must have identical ragged splits"
    first = nested_splits_lists[0]
    if any(len(splits) != len(first) for splits in nested_splits_lists):
        raise ValueError(message)
    return [
        checks.assert_equal(a, b, message=message)
        for splits in nested_splits_lists[1:]
        for a, b in zip(first, splits, strict=True)
    ]


def row_splits_to_segment_ids(splits: Any, name: str | None = None, out_type: Any = None) -> Tensor:
    """For each value the number of its row."""
    with name_scope(name, "RaggedSplitsToSegmentIds", [splits]) as name:
        splits = as_tensor(splits, name="splits", preferred_dtype=dtypes.int64)
        if splits.dtype not in INDEX:
            raise ValueError("splits must have dtype int32 or int64")
        splits.shape.assert_has_rank(1)
        if splits.dims is not None and splits.dims[0] == 0:
            raise ValueError("Invalid row_splits: []")
        out_type = splits.dtype if out_type is None else as_dtype(out_type)
        lengths = splits[1:] - splits[:-1]
        rows = arrays.shape(splits, out_type=out_type)[-1] - 1
        return repeating.repeat_with_axis(constants.range_(rows), repeats=lengths, axis=0)


def segment_ids_to_row_splits(
    segment_ids: Any, num_segments: Any = None, out_type: Any = None, name: str | None = None
) -> Tensor:
    """Where the row of each segment ends, for ids in order."""
    if out_type is not None:
        out_type = as_dtype(out_type)
    elif isinstance(segment_ids, Tensor):
        out_type = segment_ids.dtype
    else:
        out_type = num_segments.dtype if isinstance(num_segments, Tensor) else dtypes.int64
    with name_scope(name, "SegmentIdsToRaggedSplits", [segment_ids]) as name:
        segment_ids = convert_to_int_tensor(segment_ids, "segment_ids")
        segment_ids.shape.assert_has_rank(1)
        if num_segments is not None:
            num_segments = convert_to_int_tensor(num_segments, "num_segments")
            num_segments.shape.assert_has_rank(0)
        lengths = uniqueness.bincount(segment_ids, minlength=num_segments, maxlength=num_segments, dtype=out_type)
        splits = joining.concat([[0], scans.cumsum(lengths)], axis=0)
        if num_segments is not None:
            known = constant_value(num_segments)
            if known is not None:
                splits.set_shape(TensorShape([known + 1]))
        return splits
