"""Shapes of ragged tensors when they run, and broadcasting to them."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import dimension_value
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arrays,
    asserts,
    casts,
    comparison,
    constants,
    indexing,
    joining,
    reductions,
    repeating,
)
from retrograd.ragged.rows import tile
from retrograd.ragged.splits import convert_to_int_tensor, lengths_to_splits, repeat_ranges
from retrograd.ragged.tensor import RaggedTensor, convert_to_tensor_or_ragged_tensor, is_ragged


class RaggedTensorDynamicShape:
    """The sizes of the partitioned axes, a number or the lengths of all rows each, and those of the inner axes."""

    def __init__(self, partitioned_dim_sizes: Any, inner_dim_sizes: Any, dim_size_dtype: Any = None) -> None:
        assert isinstance(partitioned_dim_sizes, list | tuple)
        with name_scope(None, "RaggedTensorDynamicShape", (partitioned_dim_sizes, inner_dim_sizes)):
            sizes = tuple(
                as_tensor(size, name=f"partitioned_dimension_size_{i}") for i, size in enumerate(partitioned_dim_sizes)
            )
            inner = as_tensor(inner_dim_sizes, name="inner_dim_sizes")
            for axis, size in enumerate(sizes):
                if size.shape.ndims is None:
                    raise ValueError(f"rank of partitioned_dim_sizes[{axis}] is unknown")
                size.shape.with_rank_at_most(1)
            if sizes and sizes[0].shape.ndims == 1:
                raise ValueError("outermost partitioned dimension must be uniform")
            if sizes and sizes[-1].shape.ndims == 0:
                raise ValueError("innermost partitioned dimension must be ragged")
            inner.shape.assert_has_rank(1)
            if dim_size_dtype is None:
                found = {p.dtype for p in sizes if p.shape.ndims == 1}
                if len(found) > 1:
                    raise ValueError("partitioned_dim_sizes must have matching dtypes")
                dim_size_dtype = found.pop() if found else dtypes.int64
            self._partitioned_dim_sizes = tuple(casts.cast(p, dim_size_dtype) for p in sizes)
            self._inner_dim_sizes = casts.cast(inner, dim_size_dtype)

    def __repr__(self) -> str:
        return (
            f"RaggedTensorDynamicShape(partitioned_dim_sizes={self._partitioned_dim_sizes!r}, "
            f"inner_dim_sizes={self._inner_dim_sizes!r})"
        )

    @staticmethod
    def from_dim_sizes(dim_sizes: Any) -> RaggedTensorDynamicShape:
        """From a number, or the lengths of all rows, for each axis."""
        with name_scope(None, "RaggedTensorDynamicShapeFromDimensionSizes", [dim_sizes]):
            sizes = tuple(as_tensor(s, preferred_dtype=dtypes.int64, name="dim_sizes") for s in dim_sizes)
            inner = 0
            for axis, size in enumerate(sizes):
                if size.shape.ndims == 1:
                    inner = axis + 1
                elif size.shape.ndims != 0:
                    raise ValueError("Each dim_size must be a scalar or a vector")
            return RaggedTensorDynamicShape(sizes[:inner], sizes[inner:])

    @classmethod
    def from_tensor(cls, rt_input: Any, dim_size_dtype: Any = None) -> RaggedTensorDynamicShape:
        """The shape of a tensor or ragged tensor."""
        with name_scope(None, "RaggedTensorDynamicShapeFromTensor", [rt_input]):
            x = convert_to_tensor_or_ragged_tensor(rt_input)
            if not is_ragged(x):
                return cls([], arrays.shape(x))
            sizes = (x.nrows(), *x.nested_row_lengths())
            return RaggedTensorDynamicShape(sizes, arrays.shape(x.flat_values)[1:], dim_size_dtype)

    def dimension_size(self, axis: int) -> Tensor:
        """The size of an axis: a number, or the lengths of its rows."""
        if not isinstance(axis, int):
            raise TypeError("axis must be an integer")
        outer = len(self._partitioned_dim_sizes)
        return self._partitioned_dim_sizes[axis] if axis < outer else self._inner_dim_sizes[axis - outer]

    def is_ragged(self, axis: int) -> bool:
        """Whether the rows of an axis have different lengths."""
        if not isinstance(axis, int):
            raise TypeError("axis must be an integer")
        if axis < 0:
            raise ValueError("Negative axis values are not supported")
        if self.rank is not None and axis >= self.rank:
            raise ValueError(f"Expected axis={axis} < rank={self.rank}")
        sizes = self._partitioned_dim_sizes
        return 0 < axis < len(sizes) and sizes[axis].shape.ndims == 1

    @property
    def rank(self) -> int | None:
        """The number of axes."""
        inner = dimension_value(self._inner_dim_sizes.shape[0])
        return None if inner is None else len(self._partitioned_dim_sizes) + inner

    @property
    def partitioned_dim_sizes(self) -> tuple[Tensor, ...]:
        return self._partitioned_dim_sizes

    @property
    def inner_dim_sizes(self) -> Tensor:
        return self._inner_dim_sizes

    @property
    def num_partitioned_dimensions(self) -> int:
        return len(self._partitioned_dim_sizes)

    @property
    def num_inner_dimensions(self) -> Any:
        return dimension_value(self._inner_dim_sizes.shape[0])

    @property
    def dim_size_dtype(self) -> Any:
        return self._inner_dim_sizes.dtype

    def with_dim_size_dtype(self, dtype: Any) -> RaggedTensorDynamicShape:
        """The same with sizes of int32 or int64."""
        if dtype not in (dtypes.int32, dtypes.int64):
            raise ValueError("dtype must be int32 or int64")
        if self.dim_size_dtype == dtype:
            return self
        sizes = [casts.cast(p, dtype) for p in self._partitioned_dim_sizes]
        return RaggedTensorDynamicShape(sizes, casts.cast(self._inner_dim_sizes, dtype))

    # -- broadcasting ----------------------------------------------------------------------------

    def broadcast_to_rank(self, rank: int) -> RaggedTensorDynamicShape:
        """The shape with axes of size 1 before it."""
        if self.rank is None:
            raise ValueError("Unable to broadcast: self.rank is unknown")
        missing = rank - self.rank
        if missing < 0:
            raise ValueError(f"Unable to broadcast: rank={rank} must be greater than self.rank={self.rank}.")
        if missing == 0:
            return self
        if self._partitioned_dim_sizes:
            return RaggedTensorDynamicShape((1,) * missing + self._partitioned_dim_sizes, self._inner_dim_sizes)
        ones = constants.ones([missing], self.dim_size_dtype)
        return RaggedTensorDynamicShape([], joining.concat([ones, self.inner_dim_sizes], axis=0))

    def broadcast_dimension(self, axis: int, lengths: Any) -> RaggedTensorDynamicShape:
        """The shape with an axis of size 1 as long as ``lengths``; a run fails if it has another size."""
        lengths = convert_to_int_tensor(lengths, "lengths", self.dim_size_dtype)
        if lengths.shape.ndims is None:
            raise ValueError("lengths must have a known rank.")
        if lengths.shape.ndims > 1:
            raise ValueError("lengths must be a scalar or vector")
        is_scalar = lengths.shape.ndims == 0
        if self.is_ragged(axis):
            if is_scalar:
                fits = comparison.equal(lengths, 1)
            else:
                fits = reductions.reduce_all(comparison.equal(lengths, self.dimension_size(axis)))
        else:
            size = self.dimension_size(axis)
            if is_scalar:
                fits = comparison.equal(lengths, 1) | comparison.equal(size, 1) | comparison.equal(size, lengths)
            else:
                fits = comparison.equal(size, 1)
        told = ["Unable to broadcast: dimension size mismatch in dimension", axis, "lengths=", lengths, "dim_size="]
        check = asserts.Assert(fits, [*told, self.dimension_size(axis)], summarize=10)
        with control_dependencies([check]):
            if axis < self.num_partitioned_dimensions:
                if self.is_ragged(axis):
                    inner = arrays.identity(self.inner_dim_sizes)
                    return RaggedTensorDynamicShape(self._partitioned_dim_sizes, inner)
                return self._with_uniform_axis(axis, lengths)
            if is_scalar:
                return self._with_inner_size(axis, lengths)
            if axis == 0:
                raise ValueError("Unable to broadcast: outermost dimension must be uniform.")
            inner_axis = axis - self.num_partitioned_dimensions
            between = tuple(self._inner_dim_sizes[i] for i in range(inner_axis))
            sizes = (*self._partitioned_dim_sizes, *between, lengths)
            return RaggedTensorDynamicShape(sizes, self._inner_dim_sizes[inner_axis + 1 :])

    def num_slices_in_dimension(self, axis: int) -> Tensor:
        """How many parts there are down to ``axis``."""
        if axis < 0:
            return constants.constant(1, dtype=self.dim_size_dtype)
        if self.is_ragged(axis):
            return reductions.reduce_sum(self._partitioned_dim_sizes[axis])
        return self.dimension_size(axis) * self.num_slices_in_dimension(axis - 1)

    def _with_uniform_axis(self, axis: int, lengths: Tensor) -> RaggedTensorDynamicShape:
        size, sizes = self.dimension_size(axis), list(self._partitioned_dim_sizes[:axis])
        if lengths.shape.ndims == 0:
            lengths = comparison.where(comparison.equal(size, 1), lengths, size)
            repeats = comparison.where(comparison.equal(size, 1), lengths, 1)
            splits = joining.stack([0, self.num_slices_in_dimension(axis)])
        else:
            splits = constants.range_(arrays.size(lengths, out_type=self.dim_size_dtype) + 1)
            repeats = lengths
        sizes.append(lengths)
        for below in self._partitioned_dim_sizes[axis + 1 :]:
            if below.shape.ndims == 0:
                sizes.append(below)
                splits *= below
            else:
                sizes.append(repeat_ranges(below, splits, repeats))
                splits = indexing.gather(lengths_to_splits(below), splits)
        return RaggedTensorDynamicShape(sizes, self._inner_dim_sizes)

    def _with_inner_size(self, axis: int, length: Tensor) -> RaggedTensorDynamicShape:
        size, place = self.dimension_size(axis), axis - self.num_partitioned_dimensions
        parts = [
            self._inner_dim_sizes[:place],
            [comparison.where(comparison.equal(size, 1), length, size)],
            self._inner_dim_sizes[place + 1 :],
        ]
        return RaggedTensorDynamicShape(self._partitioned_dim_sizes, joining.concat(parts, axis=0))


def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> RaggedTensorDynamicShape:
    """The shape that two shapes broadcast to."""
    for name, shape in (("shape_x", shape_x), ("shape_y", shape_y)):
        if not isinstance(shape, RaggedTensorDynamicShape):
            raise TypeError(f"{name} must be a RaggedTensorDynamicShape")
    if shape_x.rank is None or shape_y.rank is None:
        raise ValueError("Unable to broadcast: unknown rank")
    rank = max(shape_x.rank, shape_y.rank)
    shape_x, shape_y = shape_x.broadcast_to_rank(rank), shape_y.broadcast_to_rank(rank)
    for axis in range(rank):
        shape_x = shape_x.broadcast_dimension(axis, shape_y.dimension_size(axis))
        shape_y = shape_y.broadcast_dimension(axis, shape_x.dimension_size(axis))
    return shape_x


def broadcast_to(rt_input: Any, shape: Any, broadcast_inner_dimensions: bool = True) -> Any:
    """``rt_input`` repeated so that it has ``shape``; its inner axes only if asked for."""
    if not isinstance(shape, RaggedTensorDynamicShape):
        raise TypeError("shape must be a RaggedTensorDynamicShape")
    x = convert_to_tensor_or_ragged_tensor(rt_input)
    if shape.num_partitioned_dimensions == 0:
        if is_ragged(x):
            raise ValueError("Incompatible with shape: ragged rank mismatch")
        return repeating.broadcast_to(x, shape.inner_dim_sizes) if broadcast_inner_dimensions else x
    return _repeated(x, shape, broadcast_inner_dimensions)


def _repeated(x: Any, shape: RaggedTensorDynamicShape, broadcast_inner_dimensions: bool) -> Any:
    if is_ragged(x) and x.row_splits.dtype != shape.dim_size_dtype:
        raise ValueError(
            "rt_input and dst_shape have different row_split dtypes; use RaggedTensor.with_row_splits_dtype() or "
            "RaggedTensorDynamicShape.with_dim_size_dtype() to convert to a compatible dtype."
        )
    if x.shape.ndims is None or shape.rank is None:
        raise ValueError("Unable to broadcast: unknown rank")
    if x.shape.ndims > shape.rank:
        raise ValueError("Incompatible with shape: rank mismatch")
    if is_ragged(x) and x.ragged_rank >= shape.num_partitioned_dimensions:
        raise ValueError("Incompatible with shape: ragged rank mismatch")
    source = RaggedTensorDynamicShape.from_tensor(x).broadcast_to_rank(shape.rank)
    dtype = shape.dim_size_dtype
    x = _with_rank(x, shape)
    if is_ragged(x):
        depth = x.flat_values.shape.ndims - 1 - shape.num_inner_dimensions
        if depth > 0:
            flat = RaggedTensor.from_tensor(x.flat_values, ragged_rank=depth, row_splits_dtype=dtype)
            x = x.with_flat_values(flat)
    else:
        x = RaggedTensor.from_tensor(x, ragged_rank=shape.num_partitioned_dimensions - 1, row_splits_dtype=dtype)
    multiples: list[Any] = [1] * shape.rank
    for axis in range(shape.num_partitioned_dimensions):
        if not source.is_ragged(axis) and not shape.is_ragged(axis):
            have, want = source.dimension_size(axis), shape.dimension_size(axis)
            if constant_value(have) in (1, None) and constant_value(want) != 1:
                multiples[axis] = comparison.where(comparison.equal(have, 1), want, 1)
    if not all(isinstance(v, int) and v == 1 for v in multiples):
        x = tile(x, joining.stack(multiples, axis=0))
    if broadcast_inner_dimensions:
        inner = joining.concat([[-1], shape.inner_dim_sizes], axis=0)
        x = x.with_flat_values(arrays.reshape(x.flat_values, inner))
    for axis in range(shape.num_partitioned_dimensions):
        if not source.is_ragged(axis) and shape.is_ragged(axis):
            x = _with_ragged_axis(x, axis, shape.dimension_size(axis), dtype)
    return x


def _with_rank(x: Any, shape: RaggedTensorDynamicShape) -> Any:
    rank: Any = shape.rank
    if rank <= x.shape.ndims:
        return x
    if x.shape.ndims < shape.num_inner_dimensions + 1:
        x = arrays.reshape(x, joining.concat([[-1], shape.inner_dim_sizes], axis=0))
    for _ in range(rank - x.shape.ndims):
        rows = x.nrows() if is_ragged(x) else arrays.shape(x, out_type=shape.dim_size_dtype)[0]
        x = RaggedTensor.from_row_lengths(x, [rows], validate=False)
    return x


def _with_ragged_axis(x: Any, axis: int, repeats: Any, dtype: Any) -> Any:
    """Row i of an axis of rows of size 1 repeated as often as ``repeats[i]``."""
    if not is_ragged(x):
        x = RaggedTensor.from_tensor(x, ragged_rank=1, row_splits_dtype=dtype)
    if axis > 1:
        return x.with_values(_with_ragged_axis(x.values, axis - 1, repeats, dtype))
    splits, lengths = x.nested_row_splits, x.nested_row_lengths()
    ends, found = splits[0], [repeats]
    for i in range(1, len(lengths)):
        found.append(repeat_ranges(lengths[i], ends, repeats))
        ends = indexing.gather(splits[i], ends)
    values = repeat_ranges(x.flat_values, ends, repeats)
    return RaggedTensor.from_nested_row_lengths(values, found, validate=False)
