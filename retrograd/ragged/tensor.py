"""``RaggedTensor``: rows of different lengths as their values, one after the other, and where each row ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.composite import CompositeTensor
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape, dimension_at_index
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.specs import BatchableTypeSpec
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    asserts,
    casts,
    comparison,
    constants,
    grids,
    indexing,
    joining,
    ragged,
    reductions,
    repeating,
    scans,
)
from retrograd.ops.conditions import cond
from retrograd.ragged.partitions import OfRows
from retrograd.ragged.splits import INDEX, convert_to_int_tensor, positive_axis, row_splits_to_segment_ids
from retrograd.ragged.values import RaggedTensorValue
from retrograd.run.conversions import register_session_run_conversion_functions


def is_ragged(value: Any) -> bool:
    """Whether ``value`` is a ``RaggedTensor`` or ``RaggedTensorValue``."""
    return isinstance(value, RaggedTensor | RaggedTensorValue)


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


class RaggedTensor(OfRows, CompositeTensor):
    """Row i is ``values[row_splits[i] : row_splits[i + 1]]``; ``values`` is a tensor or ragged itself.

    Made by ``from_row_splits`` and its kin, by ``tf.ragged.constant``, or by ops on ragged tensors.
    """

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
        if dtype not in INDEX:
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
    def _type_spec(self) -> BatchableTypeSpec:
        return self._shape_invariant_to_type_spec(self.shape)

    def _shape_invariant_to_type_spec(self, shape: Any) -> BatchableTypeSpec:
        from retrograd.ragged.specs import RaggedTensorSpec  # which holds values of this class

        return RaggedTensorSpec(shape, self.dtype, self.ragged_rank, self._row_splits.dtype)

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
