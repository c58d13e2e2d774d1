"""``RaggedTensor``: rows of different lengths as their values, one after the other, and where each row ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.composite import CompositeTensor
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape, dimension_at_index
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.specs import BatchableTypeSpec, TensorSpec
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    asserts,
    casts,
    checks,
    comparison,
    constants,
    grids,
    indexing,
    joining,
    ragged,
    reductions,
    repeating,
    scans,
    shape_checks,
    uniqueness,
)
from retrograd.ops.conditions import cond
from retrograd.ops.control import with_dependencies
from retrograd.ragged.values import RaggedTensorValue
from retrograd.run.conversions import register_session_run_conversion_functions

_INDEX = (dtypes.int32, dtypes.int64)


def is_ragged(value: Any) -> bool:
    """Whether ``value`` is a ``RaggedTensor`` or ``RaggedTensorValue``."""
    return isinstance(value, RaggedTensor | RaggedTensorValue)


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


def match_row_splits_dtypes(*tensors: Any, return_dtype: bool = False) -> Any:
    """The tensors, of which the ragged ones must have splits of one dtype; and with ``return_dtype`` that first."""
    found = {t.row_splits.dtype for t in tensors if isinstance(t, RaggedTensor)}
    if len(found) > 1:
        raise ValueError(
            "Input RaggedTensors have mismatched row_splits dtypes; use RaggedTensor.with_row_splits_dtype() to "
            "convert them to compatible dtypes."
        )
    dtype = dtypes.int32 if dtypes.int32 in found else dtypes.int64
    return (dtype, tensors) if return_dtype else tensors


def convert_to_tensor_or_ragged_tensor(
    value: Any, dtype: Any = None, preferred_dtype: Any = None, name: str | None = None
) -> Any:
    """``value`` as a tensor; what is ragged stays so.

    Raises:
      ValueError: it is ragged, of another dtype.
    """
    if isinstance(value, RaggedTensor):
        if dtype and not dtype.is_compatible_with(value.dtype):
            raise ValueError(
                f"Tensor conversion requested dtype {dtype.name} for RaggedTensor with dtype {value.dtype.name}: "
                f"{value!r}"
            )
        return value
    if isinstance(value, RaggedTensorValue):
        with name_scope(name, "ConvertToTensorOrRaggedTensor", []):
            flat = as_tensor(value.flat_values, dtype, "flat_values", preferred_dtype=preferred_dtype)
            return RaggedTensor.from_nested_row_splits(flat, value.nested_row_splits, validate=False)
    return as_tensor(value, dtype, name, preferred_dtype=preferred_dtype)


def row_splits_to_segment_ids(splits: Any, name: str | None = None, out_type: Any = None) -> Tensor:
    """For each value the number of its row."""
    with name_scope(name, "RaggedSplitsToSegmentIds", [splits]) as name:
        splits = as_tensor(splits, name="splits", preferred_dtype=dtypes.int64)
        if splits.dtype not in _INDEX:
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


def _rows(tensor: Any, out_type: DType = dtypes.int32) -> Tensor:
    if isinstance(tensor, RaggedTensor):
        return tensor.nrows(out_type=out_type)
    return arrays.shape(tensor, out_type=out_type)[0]


def _in_order(x: Any, message: str) -> Any:
    return checks.assert_non_negative(x[1:] - x[:-1], message=message)


def _is_zero(x: Any, message: str) -> Any:
    return checks.assert_equal(x, constants.constant(0, dtype=x.dtype), message=message)


def _check_flag(validate: Any) -> None:
    if not isinstance(validate, bool):
        raise TypeError("validate must have type bool")


class RaggedTensor(CompositeTensor):
    """Row i is ``values[row_splits[i] : row_splits[i + 1]]``; ``values`` is a tensor or ragged itself.

    Made by ``from_row_splits`` and its kin, by ``tf.ragged.constant``, or by ops on ragged tensors.
    """

    def __init__(
        self,
        values: Any,
        row_splits: Any,
        cached_row_lengths: Any = None,
        cached_value_rowids: Any = None,
        cached_nrows: Any = None,
        internal: bool = False,
    ) -> None:
        if not internal:
            raise ValueError(
                "RaggedTensor constructor is private; please use one of the factory methods instead (e.g., "
                "RaggedTensor.from_row_lengths())"
            )
        if not isinstance(row_splits, Tensor):
            raise TypeError(f"Row-partitioning argument must be a Tensor, got {row_splits!r}")
        if not isinstance(values, RaggedTensor | Tensor):
            raise TypeError(f"values must be a Tensor or RaggedTensor, got {values!r}")
        if row_splits.dtype not in _INDEX:
            raise ValueError("Row-partitioning argument must be int32 or int64")
        row_splits.shape.assert_has_rank(1)
        values.shape.with_rank_at_least(1)
        row_splits.set_shape([None])
        assert not isinstance(values, RaggedTensor) or row_splits.dtype == values.row_splits.dtype
        self._values, self._row_splits = values, row_splits
        for cached in (cached_row_lengths, cached_value_rowids, cached_nrows):
            if cached is not None and not isinstance(cached, Tensor):
                raise TypeError("Cached value must be a Tensor or None.")
            if cached is not None and cached.dtype not in _INDEX:
                raise TypeError("Cached value must be int32 or int64.")
        self._cached_row_lengths = cached_row_lengths
        self._cached_value_rowids = cached_value_rowids
        self._cached_nrows = cached_nrows

    # -- from rows given in several forms --------------------------------------------------------

    @classmethod
    def _converted(cls, values: Any, partition: Any, name: str) -> tuple[Any, Tensor]:
        if isinstance(values, RaggedTensor):
            if not isinstance(partition, Tensor):
                return values, as_tensor(partition, values.row_splits.dtype, name=name)
            if partition.dtype not in _INDEX:
                raise ValueError(f"{name} must have dtype int32 or int64")
            if values.row_splits.dtype != partition.dtype:
                raise ValueError(
                    f"dtype mismatch: {name} ({partition.dtype}) vs values.row_splits ({values.row_splits.dtype})"
                )
            return values, partition
        values = as_tensor(values, name="values")
        if isinstance(partition, np.ndarray) and partition.dtype == np.int32:
            partition = as_tensor(partition, name=name)
        else:
            partition = as_tensor(partition, preferred_dtype=dtypes.int64, name=name)
        if partition.dtype not in _INDEX:
            raise ValueError(f"{name} must have dtype int32 or int64")
        return values, partition

    @staticmethod
    def _checked(values: Any, partition: Tensor, conditions: list[Any]) -> Tensor:
        if not isinstance(values, RaggedTensor):
            conditions = [*conditions, shape_checks.assert_rank_at_least(values, 1)]
        return with_dependencies(conditions, partition)

    @classmethod
    def from_value_rowids(
        cls, values: Any, value_rowids: Any, nrows: Any = None, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Each value's row is ``value_rowids``, in order; rows that are not named, up to ``nrows``, are empty."""
        _check_flag(validate)
        with name_scope(name, "RaggedFromValueRowIds", [values, value_rowids, nrows]):
            values, value_rowids = cls._converted(values, value_rowids, "value_rowids")
            ids = constant_value(value_rowids)
            known: Any
            if nrows is None:
                if ids is None:
                    nrows, known = joining.concat([value_rowids[-1:], [-1]], axis=0)[0] + 1, None
                else:
                    known = ids[-1] + 1 if ids.size > 0 else 0
                    nrows = as_tensor(known, value_rowids.dtype, name="nrows")
            else:
                nrows = as_tensor(nrows, value_rowids.dtype, "nrows")
                known = constant_value(nrows)
                if known is not None and known < 0:
                    raise ValueError(f"Expected nrows >= 0; got {known}")
                if known is not None and ids is not None and ids.size > 0 and known < ids[-1] + 1:
                    raise ValueError(
                        f"Expected nrows >= value_rowids[-1] + 1; got nrows={known}, value_rowids[-1]={ids[-1]}"
                    )
            value_rowids.shape.assert_has_rank(1)
            nrows.shape.assert_has_rank(0)
            values.shape[:1].assert_is_compatible_with(value_rowids.shape)
            if validate:
                message = "Arguments to from_value_rowids do not form a valid RaggedTensor"
                sizes = _rows(values), _rows(value_rowids)
                conditions = [
                    shape_checks.assert_rank(value_rowids, 1, message=message),
                    shape_checks.assert_rank(nrows, 0, message=message),
                    checks.assert_equal(*sizes, message=message),
                    checks.assert_non_negative(value_rowids[:1], message=message),
                    _in_order(value_rowids, message),
                    checks.assert_less(value_rowids[-1:], nrows, message=message),
                ]
                value_rowids = cls._checked(values, value_rowids, conditions)
            ids32, rows32 = casts.cast(value_rowids, dtypes.int32), casts.cast(nrows, dtypes.int32)
            lengths = uniqueness.bincount(ids32, minlength=rows32, maxlength=rows32, dtype=value_rowids.dtype)
            splits = joining.concat([[0], scans.cumsum(lengths)], axis=0)
            if known is not None:
                lengths.set_shape([known])
                splits.set_shape([known + 1])
            return cls(values, splits, lengths, value_rowids, nrows, internal=True)

    @classmethod
    def from_row_splits(
        cls, values: Any, row_splits: Any, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Row i is ``values[row_splits[i] : row_splits[i + 1]]``."""
        _check_flag(validate)
        if isinstance(row_splits, list | tuple) and not row_splits:
            raise ValueError("row_splits tensor may not be empty.")
        with name_scope(name, "RaggedFromRowSplits", [values, row_splits]):
            values, row_splits = cls._converted(values, row_splits, "row_splits")
            row_splits.shape.assert_has_rank(1)
            if validate:
                message = "Arguments to from_row_splits do not form a valid RaggedTensor"
                count = _rows(values, row_splits.dtype)
                conditions = [
                    shape_checks.assert_rank(row_splits, 1, message=message),
                    _is_zero(row_splits[0], message),
                    _in_order(row_splits, message),
                    checks.assert_equal(row_splits[-1], count, message=message),
                ]
                row_splits = cls._checked(values, row_splits, conditions)
            return cls(values, row_splits, internal=True)

    @classmethod
    def from_row_lengths(
        cls, values: Any, row_lengths: Any, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Row i has the next ``row_lengths[i]`` values."""
        _check_flag(validate)
        with name_scope(name, "RaggedFromRowLengths", [values, row_lengths]):
            values, row_lengths = cls._converted(values, row_lengths, "row_lengths")
            row_lengths.shape.assert_has_rank(1)
            if validate:
                message = "Arguments to from_row_lengths do not form a valid RaggedTensor"
                sizes = reductions.reduce_sum(row_lengths), _rows(values, row_lengths.dtype)
                conditions = [
                    shape_checks.assert_rank(row_lengths, 1, message=message),
                    checks.assert_non_negative(row_lengths, message=message),
                    checks.assert_equal(*sizes, message=message),
                ]
                row_lengths = cls._checked(values, row_lengths, conditions)
            limits = scans.cumsum(row_lengths)
            splits = joining.concat([[0], limits], axis=0)
            return cls(values, splits, row_lengths, internal=True)

    @classmethod
    def from_row_starts(
        cls, values: Any, row_starts: Any, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Row i begins at ``row_starts[i]`` and ends where the next one begins."""
        _check_flag(validate)
        with name_scope(name, "RaggedFromRowStarts", [values, row_starts]):
            values, row_starts = cls._converted(values, row_starts, "row_starts")
            row_starts.shape.assert_has_rank(1)
            count = _rows(values, row_starts.dtype)
            if validate:
                message = "Arguments to from_row_starts do not form a valid RaggedTensor"
                conditions = [
                    shape_checks.assert_rank(row_starts, 1, message=message),
                    _is_zero(row_starts[:1], message),
                    _in_order(row_starts, message),
                    checks.assert_less_equal(row_starts[-1:], count, message=message),
                ]
                row_starts = cls._checked(values, row_starts, conditions)
            return cls(values, joining.concat([row_starts, [count]], axis=0), internal=True)

    @classmethod
    def from_row_limits(
        cls, values: Any, row_limits: Any, name: str | None = None, validate: bool = True
    ) -> RaggedTensor:
        """Row i ends before ``row_limits[i]``, and begins where the last one ended."""
        _check_flag(validate)
        with name_scope(name, "RaggedFromRowLimits", [values, row_limits]):
            values, row_limits = cls._converted(values, row_limits, "row_limits")
            row_limits.shape.assert_has_rank(1)
            if validate:
                message = "Arguments to from_row_limits do not form a valid RaggedTensor"
                count = _rows(values, row_limits.dtype)
                conditions = [
                    shape_checks.assert_rank(row_limits, 1, message=message),
                    checks.assert_non_negative(row_limits[:1], message=message),
                    _in_order(row_limits, message),
                    checks.assert_equal(row_limits[-1:], count, message=message),
                ]
                row_limits = cls._checked(values, row_limits, conditions)
            zero = constants.zeros([1], row_limits.dtype)
            return cls(values, joining.concat([zero, row_limits], axis=0), internal=True)

    @classmethod
    def from_nested_value_rowids(
        cls, flat_values: Any, nested_value_rowids: Any, nested_nrows: Any = None, name: str | None = None,
        validate: bool = True,
    ) -> Any:  # fmt: skip
        """``from_value_rowids`` for each of several lists, the innermost last."""
        _check_flag(validate)
        if isinstance(nested_value_rowids, Tensor):
            raise TypeError("nested_value_rowids must be a list of Tensors")
        if nested_nrows is None:
            nested_nrows = [None] * len(nested_value_rowids)
        elif isinstance(nested_nrows, Tensor):
            raise TypeError("nested_nrows must be a list of Tensors")
        elif len(nested_nrows) != len(nested_value_rowids):
            raise ValueError("nested_nrows must have the same length as nested_value_rowids")
        with name_scope(name, "RaggedFromNestedValueRowIds", [flat_values, *nested_value_rowids, *nested_nrows]):
            result = flat_values
            for rowids, rows in reversed(list(zip(nested_value_rowids, nested_nrows, strict=True))):
                result = cls.from_value_rowids(result, rowids, rows, validate=validate)
            return result

    @classmethod
    def from_nested_row_splits(
        cls, flat_values: Any, nested_row_splits: Any, name: str | None = None, validate: bool = True
    ) -> Any:
        """``from_row_splits`` for each of several splits, the innermost last."""
        _check_flag(validate)
        if isinstance(nested_row_splits, Tensor):
            raise TypeError("nested_row_splits must be a list of Tensors")
        with name_scope(name, "RaggedFromNestedRowSplits", [flat_values, *nested_row_splits]):
            result = flat_values
            for splits in reversed(nested_row_splits):
                result = cls.from_row_splits(result, splits, validate=validate)
            return result

    @classmethod
    def from_nested_row_lengths(
        cls, flat_values: Any, nested_row_lengths: Any, name: str | None = None, validate: bool = True
    ) -> Any:
        """``from_row_lengths`` for each of several lists, the innermost last."""
        _check_flag(validate)
        if isinstance(nested_row_lengths, Tensor):
            raise TypeError("nested_row_lengths must be a list of Tensors")
        with name_scope(name, "RaggedFromNestedRowlengths", [flat_values, *nested_row_lengths]):
            result = flat_values
            for lengths in reversed(nested_row_lengths):
                result = cls.from_row_lengths(result, lengths, validate=validate)
            return result

    # -- what it is made of ----------------------------------------------------------------------

    @property
    def dtype(self) -> DType:
        return self._values.dtype

    @property
    def shape(self) -> TensorShape:
        """The size of the outermost axis, None for the rows, and the shape of a value."""
        rows = dimension_at_index(self._row_splits.shape, 0) - 1
        return TensorShape([rows, None]).concatenate(self._values.shape[1:])

    @property
    def ragged_rank(self) -> int:
        """How many axes have rows of different lengths."""
        return self._values.ragged_rank + 1 if isinstance(self._values, RaggedTensor) else 1

    @property
    def values(self) -> Any:
        """The rows, one after the other."""
        return self._values

    @property
    def row_splits(self) -> Tensor:
        return self._row_splits

    @property
    def flat_values(self) -> Tensor:
        """The innermost values."""
        return self._values.flat_values if isinstance(self._values, RaggedTensor) else self._values

    @property
    def nested_row_splits(self) -> tuple[Tensor, ...]:
        """The splits, the outermost first."""
        inner = self._values.nested_row_splits if isinstance(self._values, RaggedTensor) else ()
        return (self._row_splits, *inner)

    def value_rowids(self, name: str | None = None) -> Tensor:
        """For each value the number of its row."""
        if self._cached_value_rowids is not None:
            return self._cached_value_rowids
        with name_scope(name, "RaggedValueRowIds", [self]):
            return row_splits_to_segment_ids(self.row_splits)

    def nested_value_rowids(self, name: str | None = None) -> tuple[Tensor, ...]:
        """``value_rowids`` of each ragged axis, the outermost first."""
        with name_scope(name, "RaggedNestedValueRowIds", [self]):
            found, rows = [], self
            while isinstance(rows, RaggedTensor):
                found.append(rows.value_rowids())
                rows = rows.values
            return tuple(found)

    def nrows(self, out_type: Any = None, name: str | None = None) -> Tensor:
        """The number of rows."""
        out_type = self._row_splits.dtype if out_type is None else as_dtype(out_type)
        if self._cached_nrows is not None:
            return casts.cast(self._cached_nrows, out_type)
        with name_scope(name, "RaggedNRows", [self]):
            return arrays.shape(self.row_splits, out_type=out_type)[0] - 1

    def row_starts(self, name: str | None = None) -> Tensor:
        """Where each row begins."""
        with name_scope(name, "RaggedRowStarts", [self]):
            return self.row_splits[:-1]

    def row_limits(self, name: str | None = None) -> Tensor:
        """Where each row ends."""
        with name_scope(name, "RaggedRowLimits", [self]):
            return self.row_splits[1:]

    def row_lengths(self, axis: int = 1, name: str | None = None) -> Any:
        """How long the rows of ``axis`` are."""
        if self._cached_row_lengths is not None:
            return self._cached_row_lengths
        with name_scope(name, "RaggedRowLengths", [self]):
            axis = positive_axis(axis, self.shape.ndims)
            if axis == 0:
                return self.nrows()
            if axis == 1:
                return self.row_splits[1:] - self.row_splits[:-1]
            if isinstance(self.values, RaggedTensor):
                return self.with_values(self.values.row_lengths(axis - 1))
            shape = arrays.shape(self.values, out_type=self._row_splits.dtype)
            ones = constants.ones(shape[: axis - 1], self._row_splits.dtype)
            return self.with_values(ones * shape[axis - 1])

    def nested_row_lengths(self, name: str | None = None) -> tuple[Any, ...]:
        """The lengths of each ragged axis, the outermost first."""
        with name_scope(name, "RaggedNestedRowLengths", [self]):
            found, rows = [], self
            while isinstance(rows, RaggedTensor):
                found.append(rows.row_lengths())
                rows = rows.values
            return tuple(found)

    def bounding_shape(self, axis: Any = None, name: str | None = None, out_type: Any = None) -> Tensor:
        """The shape of the smallest dense tensor that holds all rows."""
        out_type = self._row_splits.dtype if out_type is None else as_dtype(out_type)
        with name_scope(name, "RaggedBoundingBox", [self, axis]):
            nested = self.nested_row_splits
            if isinstance(axis, int) and axis == 0:
                return arrays.shape(nested[0], out_type=out_type)[0] - 1
            if isinstance(axis, int) and axis == 1:
                return arithmetic.maximum(reductions.reduce_max(self.row_lengths()), 0)
            splits_shape = arrays.shape(self.row_splits, out_type=out_type)
            values_shape = arrays.shape(self.flat_values, out_type=out_type)
            sizes = [splits_shape[0] - 1] + [
                arithmetic.maximum(reductions.reduce_max(splits[1:] - splits[:-1]), 0) for splits in nested
            ]
            box = joining.concat([joining.stack(sizes), values_shape[1:]], axis=0)
            return box if axis is None else indexing.gather(box, axis)

    # -- the same rows with other values ---------------------------------------------------------

    def with_values(self, new_values: Any) -> RaggedTensor:
        """Rows of these lengths with other values."""
        new_values.shape.with_rank_at_least(1)
        self.values.shape[:1].assert_is_compatible_with(new_values.shape[:1])
        if isinstance(new_values, RaggedTensor) and self._row_splits.dtype != new_values.row_splits.dtype:
            raise ValueError(
                "self and new_values have mismatched row_splits dtypes; use RaggedTensor.with_row_splits_dtype() to "
                "convert them to compatible dtypes."
            )
        return RaggedTensor(
            new_values, self._row_splits, self._cached_row_lengths, self._cached_value_rowids, self._cached_nrows,
            internal=True,
        )  # fmt: skip

    def with_flat_values(self, new_values: Any) -> RaggedTensor:
        """The same with other innermost values."""
        if isinstance(self._values, Tensor):
            return self.with_values(new_values)
        return self.with_values(self.values.with_flat_values(new_values))

    def with_row_splits_dtype(self, dtype: Any) -> RaggedTensor:
        """The same with splits of int32 or int64."""
        dtype = as_dtype(dtype)
        if dtype not in _INDEX:
            raise ValueError("dtype must be int32 or int64")
        if self._row_splits.dtype == dtype:
            return self
        splits, values = casts.cast(self._row_splits, dtype), self._values
        if isinstance(values, RaggedTensor):
            values = values.with_row_splits_dtype(dtype)
        lengths, rowids, rows = (
            x if x is None else casts.cast(x, dtype)
            for x in (self._cached_row_lengths, self._cached_value_rowids, self._cached_nrows)
        )
        return RaggedTensor(values, splits, lengths, rowids, rows, internal=True)

    # -- dense and sparse forms ------------------------------------------------------------------

    @classmethod
    def from_tensor(
        cls, tensor: Any, lengths: Any = None, padding: Any = None, ragged_rank: int = 1, name: str | None = None,
        row_splits_dtype: Any = dtypes.int64,
    ) -> Any:  # fmt: skip
        """The rows of a dense tensor, whole, as long as ``lengths`` says, or without ``padding`` at their ends."""
        dtype = as_dtype(row_splits_dtype)
        if lengths is not None and padding is not None:
            raise ValueError("Specify lengths or padding, but not both")
        if not isinstance(ragged_rank, int):
            raise TypeError(f"ragged_rank expected int, got {ragged_rank!r}")
        if ragged_rank <= 0:
            raise ValueError(f"ragged_rank must be greater than 0; got {ragged_rank}")
        with name_scope(name, "RaggedFromTensor", [tensor, lengths, padding]):
            tensor = as_tensor(tensor, name="tensor")
            tensor.shape.with_rank_at_least(ragged_rank + 1)
            shape = arrays.shape(tensor, out_type=dtype)
            columns = shape[1]
            if ragged_rank > 1:
                inner = joining.concat([constants.constant([-1], dtype), shape[ragged_rank:]], axis=0)
                flat = arrays.reshape(tensor, inner)
                values = cls.from_tensor(flat, lengths, padding, row_splits_dtype=dtype)
                sizes = scans.cumprod(shape)
                nested = [constants.range_(0, sizes[i - 1] + 1) * shape[i] for i in range(1, ragged_rank)]
                return cls.from_nested_row_splits(values, nested, validate=False)
            if padding is not None:
                lengths = _lengths_without(tensor, padding, columns, dtype)
            if lengths is not None:
                return cls._of_lengths(tensor, lengths, columns, dtype)
            rows = shape[0]
            count = rows * columns
            splits = constants.range_(rows + 1) * columns
            values = arrays.reshape(tensor, joining.concat([[count], shape[2:]], axis=0))
            return cls.from_row_splits(values, splits, validate=False)

    @classmethod
    def _of_lengths(cls, tensor: Tensor, lengths: Any, columns: Tensor, dtype: DType) -> Any:
        if isinstance(lengths, list | tuple) and lengths and not isinstance(lengths[0], int | float):
            tensor.shape.with_rank_at_least(len(lengths) + 1)
            count = reductions.reduce_sum(lengths[-1])
            ones = constants.ones([count], dtype=dtypes.bool)
            mask = cls.from_nested_row_lengths(ones, lengths, validate=False).to_tensor(default_value=False)
            return cls.from_nested_row_lengths(indexing.boolean_mask(tensor, mask), lengths, validate=False)
        lengths = convert_to_int_tensor(lengths, "lengths", dtype)
        lengths.shape.assert_has_rank(1)
        lengths = arithmetic.maximum(arithmetic.minimum(lengths, columns), 0)
        limits = scans.cumsum(lengths)
        splits = joining.concat([constants.zeros([1], dtype), limits], axis=0)
        mask = grids.sequence_mask(lengths, maxlen=columns)
        return cls.from_row_splits(indexing.boolean_mask(tensor, mask), splits, validate=False)

    def to_tensor(self, default_value: Any = None, name: str | None = None) -> Tensor:
        """The rows as long as the longest, with ``default_value``, or zeros, behind what is shorter."""
        with name_scope(name, "RaggedToTensor", [self, default_value]):
            if default_value is not None:
                default_value = as_tensor(default_value, name="default_value", dtype=self.dtype)
            values = self.values
            if isinstance(values, RaggedTensor):
                values = values.to_tensor(default_value)
            if default_value is not None:
                rank, given = values.shape.ndims, default_value.shape.ndims
                if rank is not None:
                    default_value.shape.with_rank_at_most(rank - 1)
                if rank is None or given is None or rank != given + 1:
                    default_value = repeating.broadcast_to(default_value, arrays.shape(values)[1:])
                default_value.shape.assert_is_compatible_with(values.shape[1:])
            dtype = self._row_splits.dtype
            lengths = [self.row_splits[1:] - self.row_splits[:-1]]
            rows = arrays.shape(self.row_splits, out_type=dtype)[0] - 1
            longest = arithmetic.maximum(reductions.reduce_max(lengths), 0)
            shape = arrays.shape(values, out_type=dtype)
            value_shape = shape[1:]
            count = shape[0]
            if default_value is None:
                default_value = constants.zeros(value_shape, dtype=values.dtype)
            default_value.shape.assert_is_compatible_with(values.shape[1:])
            default_value.set_shape(values.shape[1:])
            starts = arrays.expand_dims(self.row_splits[:-1], 1)
            limits = arrays.expand_dims(self.row_splits[1:], 1)
            columns = arrays.expand_dims(constants.range_(0, longest), 0)
            with_default = joining.concat([values, joining.stack([default_value])], axis=0)
            places = starts + columns
            is_value = places < limits
            otherwise = constants.fill(joining.stack([rows, longest]), count)
            return indexing.gather(with_default, comparison.where(is_value, places, otherwise))

    @classmethod
    def from_sparse(cls, st_input: Any, name: str | None = None, row_splits_dtype: Any = dtypes.int64) -> RaggedTensor:
        """The rows of a sparse matrix whose values stand at the beginning of their rows, without gaps."""
        dtype = as_dtype(row_splits_dtype)
        if not isinstance(st_input, SparseTensor):
            raise TypeError(f"Expected SparseTensor, got {type(st_input).__name__}")
        with name_scope(name, "RaggedFromSparse", [st_input]):
            by_shape, by_indices = st_input.dense_shape.dims, st_input.indices.dims
            ranks = (None if by_shape is None else by_shape[0], None if by_indices is None else by_indices[1])
            if 2 not in ranks:
                raise ValueError("rank(st_input) must be 2")
            with control_dependencies(_without_gaps(st_input.indices)):
                ids = casts.cast(st_input.indices[:, 0], dtype)
                rows = casts.cast(st_input.dense_shape[0], dtype)
                return cls.from_value_rowids(st_input.values, ids, rows, validate=False)

    def to_sparse(self, name: str | None = None) -> SparseTensor:
        """The values with their places."""
        with name_scope(name, "RaggedToSparse", [self]):
            nested = list(self.nested_row_splits)
            return SparseTensor(*apply(ragged.RAGGED_TENSOR_TO_SPARSE, nested, self.flat_values, name=name))

    def __repr__(self) -> str:
        if self._is_eager:
            return f"<tf.RaggedTensor {self.to_list()}>"
        return f"tf.RaggedTensor(values={self._values}, row_splits={self._row_splits})"

    @property
    def _is_eager(self) -> bool:
        """Whether the values are there, and need no run."""
        return all(hasattr(x, "numpy") for x in _parts(self))

    def value_now(self) -> Any:
        """The ``RaggedTensorValue`` of values that are there."""
        value: Any = self.flat_values.numpy()  # type: ignore[attr-defined]
        for splits in reversed(self.nested_row_splits):
            value = RaggedTensorValue(value, splits.numpy())  # type: ignore[attr-defined]
        return value

    def to_list(self) -> list[Any]:
        """The rows as lists; in a graph run the tensor, and ask the ``RaggedTensorValue``."""
        if self._is_eager:
            return self.value_now().to_list()
        raise ValueError(
            "RaggedTensor.to_list() is only supported in eager mode; in graph mode, evaluate the RaggedTensor first "
            "and then use RaggedTensorValue.to_list()."
        )

    def __getitem__(self, key: Any) -> Any:
        from retrograd.ragged.slicing import ragged_tensor_getitem

        return ragged_tensor_getitem(self, key)

    def _as_graph_element(self) -> Tensor:
        return self.flat_values

    @property
    def op(self) -> Any:
        """The op that computes the values."""
        return self.flat_values.op

    @property
    def graph(self) -> Any:
        return self.flat_values.graph

    @property
    def _type_spec(self) -> RaggedTensorSpec:
        return RaggedTensorSpec(self.shape, self.dtype, self.ragged_rank, self._row_splits.dtype)

    def _shape_invariant_to_type_spec(self, shape: Any) -> RaggedTensorSpec:
        return RaggedTensorSpec(shape, self.dtype, self.ragged_rank, self.row_splits.dtype)

    def consumers(self) -> list[Any]:
        """The ops that read a part of it."""
        return self._consumers()


def _lengths_without(tensor: Tensor, padding: Any, columns: Tensor, dtype: DType) -> Tensor:
    """How long each row is without the padding at its end."""
    padding = as_tensor(padding, name="padding", dtype=tensor.dtype)
    padding.shape.assert_is_compatible_with(tensor.shape[2:])
    equal = comparison.equal(padding, tensor)
    rank = arrays.rank(tensor)
    axes = constants.range_(2, rank)
    is_padding = cond(rank > 2, lambda: reductions.reduce_all(equal, axis=axes), lambda: equal)
    is_padding.set_shape(TensorShape([None, None]))
    is_padding.set_shape(tensor.shape[:2])
    is_value = casts.cast(comparison.logical_not(is_padding), dtype)
    ends = is_value * arrays.expand_dims(constants.range_(1, columns + 1), 0)
    return reductions.reduce_max(ends, axis=1)


def _without_gaps(indices: Tensor) -> list[Any]:
    before, last = indices[:, :-1], indices[:, -1]
    changes = reductions.reduce_any(comparison.not_equal(before[1:], before[:-1]), axis=1)
    fits = comparison.where(changes, comparison.equal(last[1:], 0), comparison.equal(last[1:], last[:-1] + 1))
    first = reductions.reduce_all(comparison.equal(last[:1], 0))
    all_fit = comparison.logical_and(first, reductions.reduce_all(fits))
    return [asserts.Assert(all_fit, ["SparseTensor is not right-ragged", "SparseTensor.indices =", indices])]


class RaggedTensorType:
    """The dtype and ragged rank of ragged tensors, as ``tf.map_fn`` takes them."""

    def __init__(self, dtype: Any, ragged_rank: int, row_splits_dtype: Any = dtypes.int64) -> None:
        self._dtype, self._ragged_rank, self._row_splits_dtype = dtype, ragged_rank, as_dtype(row_splits_dtype)

    @property
    def dtype(self) -> Any:
        return self._dtype

    @property
    def ragged_rank(self) -> int:
        return self._ragged_rank

    @property
    def row_splits_dtype(self) -> Any:
        return self._row_splits_dtype


class RaggedTensorSpec(BatchableTypeSpec):
    """The shape, dtype and ragged rank of a ragged tensor, and the dtype of its splits.

    Raises:
      ValueError: neither the rank nor ``ragged_rank`` is known, or they do not fit together.
    """

    def __init__(
        self, shape: Any = None, dtype: Any = dtypes.float32, ragged_rank: Any = None,
        row_splits_dtype: Any = dtypes.int64,
    ) -> None:  # fmt: skip
        self._shape, self._dtype = TensorShape(shape), as_dtype(dtype)
        self._row_splits_dtype = as_dtype(row_splits_dtype)
        rank = self._shape.ndims
        if ragged_rank is None:
            if rank is None:
                raise ValueError("Must specify ragged_rank or a shape with a known rank.")
            ragged_rank = rank - 1
        if not isinstance(ragged_rank, int):
            raise TypeError("ragged_rank must be an int")
        if rank is not None and ragged_rank >= rank:
            raise ValueError("ragged_rank must be less than rank.")
        self._ragged_rank = ragged_rank

    @property
    def value_type(self) -> Any:
        return RaggedTensor if self._ragged_rank > 0 else Tensor

    def _serialize(self) -> Any:
        return self._shape, self._dtype, self._ragged_rank, self._row_splits_dtype

    @property
    def _component_specs(self) -> list[TensorSpec]:
        if self._ragged_rank == 0:
            return [TensorSpec(self._shape, self._dtype)]
        flat = TensorShape([None]).concatenate(self._shape[self._ragged_rank + 1 :])
        rows = dimension_at_index(self._shape, 0)
        outer = TensorSpec([None if rows.value is None else rows.value + 1], self._row_splits_dtype)
        inner = TensorSpec([None], self._row_splits_dtype)
        return [TensorSpec(flat, self._dtype), outer, *[inner] * (self._ragged_rank - 1)]

    def _to_components(self, value: Any) -> list[Any]:
        return [value.flat_values, *value.nested_row_splits] if is_ragged(value) else [value]

    def _from_components(self, components: Any) -> Any:
        result, *nested = components
        if all(isinstance(t, np.ndarray) for t in components):
            for splits in reversed(nested):
                result = RaggedTensorValue(result, splits)
            return result
        for splits in reversed(nested):
            result = RaggedTensor(as_tensor(result) if not is_ragged(result) else result, splits, internal=True)
        return result

    def _batch(self, batch_size: int | None) -> RaggedTensorSpec:
        shape = TensorShape([batch_size]).concatenate(self._shape)
        return RaggedTensorSpec(shape, self._dtype, self._ragged_rank + 1, self._row_splits_dtype)

    def _unbatch(self) -> RaggedTensorSpec:
        return RaggedTensorSpec(self._shape[1:], self._dtype, self._ragged_rank - 1, self._row_splits_dtype)

    # in an element of a dataset it is one variant

    @property
    def _flat_tensor_specs(self) -> list[TensorSpec]:
        return [TensorSpec(None, dtypes.variant)]

    def _to_tensor_list(self, value: Any) -> list[Any]:
        self._check_rank(value)
        return [_to_variant(value, batched_input=False)]

    def _to_batched_tensor_list(self, value: Any) -> list[Any]:
        self._check_rank(value)
        if not is_ragged(value):
            raise ValueError("_to_batched_tensor_list doesn't support ragged_rank=0 yet")
        return [_to_variant(value, batched_input=True)]

    def _check_rank(self, value: Any) -> None:
        rank = value.ragged_rank if is_ragged(value) else 0
        if rank != self._ragged_rank:
            raise ValueError(f"Ragged rank of value ({rank}) does not match ragged rank of type ({self._ragged_rank})")

    def _from_compatible_tensor_list(self, tensor_list: Sequence[Any]) -> Any:
        if self._ragged_rank <= 0:
            raise ValueError(f"ragged_rank must be non-negative; got {self._ragged_rank}.")
        result = _from_variant(tensor_list[0], self._dtype, self._ragged_rank, self._row_splits_dtype)
        if self._shape.ndims is not None:
            rows = dimension_at_index(self._shape, 0).value
            if rows is not None:
                result.row_splits.set_shape([rows + 1])
            result.flat_values.set_shape(TensorShape([None]).concatenate(self._shape[1 + self._ragged_rank :]))
        return result

    def _to_legacy_output_classes(self) -> Any:
        return self

    def _to_legacy_output_types(self) -> DType:
        return self._dtype

    def _to_legacy_output_shapes(self) -> TensorShape:
        return self._shape

    @classmethod
    def from_value(cls, value: Any) -> RaggedTensorSpec:
        """The spec of a ``RaggedTensorValue``."""
        return cls(value.shape, value.values.dtype, value.ragged_rank, value.row_splits.dtype)


def _to_variant(value: Any, batched_input: bool) -> Tensor:
    """A ragged tensor, or a tensor, as one variant; ``batched_input``: each row as one."""
    nested = list(value.nested_row_splits) if is_ragged(value) else []
    with name_scope("RaggedToVariant"):
        values = value.flat_values if nested else value
        attrs: dict[str, Any] = {} if nested else {"Tsplits": dtypes.int64}
        encoded: Tensor = apply(ragged.TO_VARIANT, nested, values, batched_input=batched_input, **attrs)
        return encoded


def _from_variant(variant: Tensor, dtype: Any, output_ragged_rank: int, row_splits_dtype: Any) -> RaggedTensor:
    """The ragged tensor that variants make: one, or the parts of a batch."""
    with name_scope("RaggedFromVariant"):
        *nested, result = apply(
            ragged.FROM_VARIANT, variant, input_ragged_rank=-1, output_ragged_rank=output_ragged_rank, Tvalues=dtype,
            Tsplits=row_splits_dtype,
        )  # fmt: skip
    for splits in reversed(nested):
        result = RaggedTensor(result, splits, internal=True)
    return result


# -- in a run ------------------------------------------------------------------------------------


def _parts(x: Any) -> tuple[Any, ...]:
    return (*x.nested_row_splits, x.flat_values)


def _fetched(x: RaggedTensor) -> tuple[Any, Any]:
    def join(components: Sequence[Any]) -> Any:
        *nested, value = components
        for splits in reversed(nested):
            value = RaggedTensorValue(value, splits)
        return value

    return list(_parts(x)), join


def _fed(x: RaggedTensor, value: Any) -> Any:
    return zip(_parts(x), _parts(value), strict=True)


register_session_run_conversion_functions(RaggedTensor, _fetched, _fed, _parts)
