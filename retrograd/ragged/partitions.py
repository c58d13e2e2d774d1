"""Ragged tensors from rows that are given in several forms."""

from __future__ import annotations

from functools import partial, reduce
from typing import Any, Self

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, casts, checks, constants, joining, reductions, scans, shape_checks, uniqueness
from retrograd.ops.control import with_dependencies
from retrograd.ragged.splits import INDEX


def _rows(tensor: Any, out_type: DType = dtypes.int32) -> Tensor:
    if isinstance(tensor, OfRows):
        return tensor.nrows(out_type=out_type)
    return arrays.shape(tensor, out_type=out_type)[0]


def _in_order(x: Any, message: str) -> Any:
    return checks.assert_non_negative(x[1:] - x[:-1], message=message)


def _is_zero(x: Any, message: str) -> Any:
    return checks.assert_equal(x, constants.constant(0, dtype=x.dtype), message=message)


def _check_flag(validate: Any) -> None:
    if not isinstance(validate, bool):
        raise TypeError("validate must have type bool")


class OfRows:
    """Rows of different lengths, made of values and where each row ends, begins, how long it is, or what is in it."""

    _values: Any
    _row_splits: Tensor

    @property
    def shape(self) -> TensorShape:
        """The shape, as far as it is known."""
        raise NotImplementedError

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
        if not isinstance(values, OfRows | Tensor):
            raise TypeError(f"values must be a Tensor or RaggedTensor, got {values!r}")
        if row_splits.dtype not in INDEX:
            raise ValueError("Row-partitioning argument must be int32 or int64")
        row_splits.shape.assert_has_rank(1)
        values.shape.with_rank_at_least(1)
        row_splits.set_shape([None])
        assert not isinstance(values, OfRows) or row_splits.dtype == values._row_splits.dtype
        self._values, self._row_splits = values, row_splits
        for cached in (cached_row_lengths, cached_value_rowids, cached_nrows):
            if cached is not None and not isinstance(cached, Tensor):
                raise TypeError("Cached value must be a Tensor or None.")
            if cached is not None and cached.dtype not in INDEX:
                raise TypeError("Cached value must be int32 or int64.")
        self._cached_row_lengths = cached_row_lengths
        self._cached_value_rowids = cached_value_rowids
        self._cached_nrows = cached_nrows

    def nrows(self, out_type: Any = None, name: str | None = None) -> Tensor:
        """The number of rows."""
        out_type = self._row_splits.dtype if out_type is None else as_dtype(out_type)
        if self._cached_nrows is not None:
            return casts.cast(self._cached_nrows, out_type)
        with name_scope(name, "RaggedNRows", [self]):
            return arrays.shape(self._row_splits, out_type=out_type)[0] - 1

    # -- from rows given in several forms --------------------------------------------------------

    @classmethod
    def _converted(cls, values: Any, partition: Any, name: str) -> tuple[Any, Tensor]:
        if isinstance(values, OfRows):
            if not isinstance(partition, Tensor):
                return values, as_tensor(partition, values._row_splits.dtype, name=name)
            if partition.dtype not in INDEX:
                raise ValueError(f"{name} must have dtype int32 or int64")
            if values._row_splits.dtype != partition.dtype:
                raise ValueError(
                    f"dtype mismatch: {name} ({partition.dtype}) vs values.row_splits ({values._row_splits.dtype})"
                )
            return values, partition
        values = as_tensor(values, name="values")
        if isinstance(partition, np.ndarray) and partition.dtype == np.int32:
            partition = as_tensor(partition, name=name)
        else:
            partition = as_tensor(partition, preferred_dtype=dtypes.int64, name=name)
        if partition.dtype not in INDEX:
            raise ValueError(f"{name} must have dtype int32 or int64")
        return values, partition

    @staticmethod
    def _checked(values: Any, partition: Tensor, conditions: list[Any]) -> Tensor:
        if not isinstance(values, OfRows):
            conditions = [*conditions, shape_checks.assert_rank_at_least(values, 1)]
        return with_dependencies(conditions, partition)

    @classmethod
    def from_value_rowids(
        cls, values: Any, value_rowids: Any, nrows: Any = None, name: str | None = None, validate: bool = True
    ) -> Self:
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
    def from_row_splits(cls, values: Any, row_splits: Any, name: str | None = None, validate: bool = True) -> Self:
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
    def from_row_lengths(cls, values: Any, row_lengths: Any, name: str | None = None, validate: bool = True) -> Self:
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
    def from_row_starts(cls, values: Any, row_starts: Any, name: str | None = None, validate: bool = True) -> Self:
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
    def from_row_limits(cls, values: Any, row_limits: Any, name: str | None = None, validate: bool = True) -> Self:
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
            return reduce(partial(cls.from_row_splits, validate=validate), reversed(nested_row_splits), flat_values)

    @classmethod
    def from_nested_row_lengths(
        cls, flat_values: Any, nested_row_lengths: Any, name: str | None = None, validate: bool = True
    ) -> Any:
        """``from_row_lengths`` for each of several lists, the innermost last."""
        _check_flag(validate)
        if isinstance(nested_row_lengths, Tensor):
            raise TypeError("nested_row_lengths must be a list of Tensors")
        with name_scope(name, "RaggedFromNestedRowlengths", [flat_values, *nested_row_lengths]):
            return reduce(partial(cls.from_row_lengths, validate=validate), reversed(nested_row_lengths), flat_values)
