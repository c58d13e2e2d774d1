"""Rows of ragged tensors picked, joined, repeated and cut."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import DType
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape, dimension_value
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arrays,
    asserts,
    casts,
    checks,
    comparison,
    constants,
    indexing,
    joining,
    permuting,
    ragged,
    reductions,
    repeating,
    scans,
    sorting,
)
from retrograd.ops.control import with_dependencies
from retrograd.ragged.making import map_flat_values
from retrograd.ragged.reducing import reduce_sum
from retrograd.ragged.splits import (
    convert_to_int_tensor,
    lengths_to_splits,
    positive_axis,
    repeat_ranges,
    row_splits_to_segment_ids,
    same_splits,
)
from retrograd.ragged.tensor import RaggedTensor, convert_to_tensor_or_ragged_tensor, is_ragged, match_row_splits_dtypes

# -- picking -----------------------------------------------------------------------------------


def gather(
    params: Any, indices: Any, validate_indices: Any = None, axis: Any = 0, batch_dims: Any = 0, name: str | None = None
) -> Any:
    """The rows of ``params`` that ``indices`` name."""
    del validate_indices
    if not isinstance(axis, int) or axis != 0:
        raise ValueError("axis != 0 is not supported for ragged gather yet.")
    if not isinstance(batch_dims, int) or batch_dims != 0:
        raise ValueError("batch_dims != 0 is not supported for ragged gather yet.")
    with name_scope(name, "RaggedGather", [params, indices]):
        params = convert_to_tensor_or_ragged_tensor(params, name="params")
        indices = convert_to_tensor_or_ragged_tensor(indices, name="indices")
        params, indices = match_row_splits_dtypes(params, indices)
        if is_ragged(indices):
            return indices.with_values(gather(params, indices.values))
        if not is_ragged(params):
            return indexing.gather(params, indices)
        if indices.shape.ndims is None:
            raise ValueError("indices.shape.ndims must be known statically")
        nested = list(params.nested_row_splits)
        rank = indices.shape.ndims + len(nested) - 1
        *splits, values = apply(
            ragged.RAGGED_GATHER, nested, params.flat_values, indices, OUTPUT_RAGGED_RANK=rank
        )  # fmt: skip
        return RaggedTensor.from_nested_row_splits(values, splits, validate=False)


def gather_nd(params: Any, indices: Any, batch_dims: Any = 0, name: str | None = None) -> Any:
    """The parts of ``params`` that the vectors along the last axis of ``indices`` name."""
    if not isinstance(batch_dims, int) or batch_dims != 0:
        raise ValueError("batch_dims != 0 is not supported for ragged gather yet.")
    if not (is_ragged(params) or is_ragged(indices)):
        return indexing.gather_nd(params, indices, name)
    with name_scope(name, "RaggedGatherNd", [params, indices]):
        params = convert_to_tensor_or_ragged_tensor(params, name="params")
        indices = convert_to_tensor_or_ragged_tensor(indices, name="indices")
        params, indices = match_row_splits_dtypes(params, indices)
        rank = indices.shape.ndims
        if rank is None:
            raise ValueError("indices.rank be statically known.")
        if rank == 0:
            raise ValueError("indices.rank must be at least 1.")
        if is_ragged(indices) and rank == indices.ragged_rank + 1:
            raise ValueError("The innermost dimension of indices may not be ragged")
        size = dimension_value(indices.shape[-1])
        if size is None:
            raise ValueError("indices.shape[-1] must be statically known.")
        if rank > 2:
            is_dense = not is_ragged(indices)
            if is_dense:
                dtype = params.row_splits.dtype
                indices = RaggedTensor.from_tensor(indices, ragged_rank=rank - 2, row_splits_dtype=dtype)
            result = indices.with_flat_values(gather_nd(params, indices.flat_values))
            is_one = is_dense and is_ragged(result) and result.ragged_rank == rank - 2
            return result.to_tensor() if is_one else result
        if size == 0:
            params_rank = params.ragged_rank + arrays.rank(params.flat_values)
            for _ in range(rank - 1):
                params = expand_dims(params, axis=0)
            ones = constants.ones([params_rank], dtypes.int32)
            return tile(params, joining.concat([arrays.shape(indices)[:-1], ones], axis=0))
        if size == 1:
            return gather(params, arrays.reshape(indices, [-1]))
        indices = casts.cast(indices, params.row_splits.dtype)
        places = indexing.gather(params.row_splits, indices[..., 0])
        places += indices[..., 1]
        params = params.values
        for dim in range(2, size):
            if not is_ragged(params):
                places = joining.concat([arrays.expand_dims(places, axis=1), indices[..., dim:]], axis=1)
                return indexing.gather_nd(params, places)
            places = indexing.gather(params.row_starts(), places)
            places += indices[..., dim]
            params = params.values
        return gather(params, places)


def batch_gather(params: Any, indices: Any, name: str | None = None) -> Any:
    """Of each row of ``params`` the elements that the same row of ``indices`` names."""
    if not (is_ragged(params) or is_ragged(indices)):
        return indexing.batch_gather(params, indices, name)
    with name_scope(name, "RaggedBatchGather", [params, indices]):
        params = convert_to_tensor_or_ragged_tensor(params, name="params")
        indices = convert_to_tensor_or_ragged_tensor(indices, name="indices")
        params, indices = match_row_splits_dtypes(params, indices)
        rank = indices.shape.ndims
        message = "batch shape from indices does not match params shape"
        if rank is None:
            raise ValueError("batch_gather does not allow indices with unknown shape.")
        if rank == 0:
            raise ValueError("indices.rank must be at least 1.")
        if not is_ragged(indices):
            if rank == 1:
                return gather(params, indices)
            if rank > 2:
                raise ValueError(message)
            starts = arrays.expand_dims(params.row_starts(), 1)
            return gather(params.values, casts.cast(indices, starts.dtype) + starts)
        if rank > 2:
            if not is_ragged(params):
                raise ValueError(message)
            with control_dependencies([checks.assert_equal(params.row_splits, indices.row_splits)]):
                inner = batch_gather(params.values, indices.values)
                return RaggedTensor.from_row_splits(inner, indices.row_splits, validate=False)
        if not is_ragged(params):
            if params.shape.ndims is not None and params.shape.ndims < 2:
                raise ValueError(message)
            params = RaggedTensor.from_tensor(params, ragged_rank=1, row_splits_dtype=indices.row_splits.dtype)
        counts = indices.row_lengths()
        starts = repeating.repeat_with_axis(params.row_starts(), counts, axis=0)
        places = casts.cast(indices.values, starts.dtype) + starts
        return RaggedTensor.from_row_splits(gather(params.values, places), indices.row_splits, validate=False)


def boolean_mask(data: Any, mask: Any, name: str | None = None) -> Any:
    """The elements of ``data`` where ``mask`` holds, in their rows."""
    with name_scope(name, "RaggedMask", [data, mask]):
        data = convert_to_tensor_or_ragged_tensor(data, name="data")
        mask = convert_to_tensor_or_ragged_tensor(mask, dtypes.bool, name="mask")
        dtype, (data, mask) = match_row_splits_dtypes(data, mask, return_dtype=True)
        rank = mask.shape.ndims
        if rank is None:
            raise ValueError("mask.shape.ndims must be known statically.")
        if rank == 0:
            raise ValueError("mask cannot be scalar.")
        if is_ragged(mask):
            return _where_ragged(data, mask, dtype)
        if is_ragged(data) and rank == 1:
            lengths = indexing.boolean_mask(data.row_lengths(), mask)
            splits = lengths_to_splits(lengths)
            of_values = indexing.gather(mask, row_splits_to_segment_ids(data.row_splits))
            return RaggedTensor.from_row_splits(boolean_mask(data.values, of_values), splits, validate=False)
        if is_ragged(data):
            depth = min(data.ragged_rank, rank - 1)
            mask = RaggedTensor.from_tensor(mask, ragged_rank=depth, row_splits_dtype=data.row_splits.dtype)
            return boolean_mask(data, mask)
        values: Any = indexing.boolean_mask(data, mask)
        if rank < 2:
            return values
        lengths = arrays.reshape(reductions.count_nonzero(mask, axis=-1, dtype=dtype), [-1])
        values = RaggedTensor.from_row_lengths(values, lengths, validate=False)
        if rank > 2:
            shape = arrays.shape(mask, out_type=dtype)
            counts = scans.cumprod(shape) + 1
            for dim in range(rank - 3, -1, -1):
                size = shape[dim + 1]
                splits = constants.range_(counts[dim]) * size
                values = RaggedTensor.from_row_splits(values, splits, validate=False)
        return values


def _where_ragged(data: Any, mask: Any, dtype: DType) -> Any:
    if not is_ragged(data):
        data = RaggedTensor.from_tensor(data, ragged_rank=mask.ragged_rank, row_splits_dtype=mask.row_splits.dtype)
    both = [mask.nested_row_splits, data.nested_row_splits[: mask.ragged_rank]]
    with control_dependencies(same_splits(both)):
        splits = []
        while is_ragged(mask):
            if mask.shape.ndims > 2:
                splits.append(mask.row_splits)
            else:
                ones = map_flat_values(casts.cast, mask, dtype=dtype)
                splits.append(lengths_to_splits(reduce_sum(ones, axis=1)))
            mask, data = mask.values, data.values
        return RaggedTensor.from_nested_row_splits(boolean_mask(data, mask), splits, validate=False)


def where(condition: Any, x: Any = None, y: Any = None, name: str | None = None) -> Any:
    """Of ``x`` where ``condition`` holds, else of ``y``; without them, the places where it holds."""
    if (x is None) != (y is None):
        raise ValueError("x and y must be either both None or both non-None")
    with name_scope("RaggedWhere", name, [condition, x, y]):
        condition = convert_to_tensor_or_ragged_tensor(condition, name="condition")
        if x is None:
            return _places(condition)
        x = convert_to_tensor_or_ragged_tensor(x, name="x")
        y = convert_to_tensor_or_ragged_tensor(y, name="y")
        condition, x, y = match_row_splits_dtypes(condition, x, y)
        are_ragged = [is_ragged(t) for t in (condition, x, y)]
        if not any(are_ragged):
            return comparison.where(condition, x, y)
        if all(are_ragged):
            return map_flat_values(comparison.where, condition, x, y)
        if are_ragged[0]:
            raise ValueError("Input shapes do not match.")
        condition.shape.assert_has_rank(1)
        both = concat([x, y], axis=0)
        counts = [_count(t, both.row_splits.dtype) for t in (x, y)]
        indices = comparison.where(
            condition, constants.range_(counts[0]), counts[0] + constants.range_(counts[1])
        )  # fmt: skip
        return gather(both, indices)


def _count(x: Any, out_type: DType) -> Tensor:
    return x.nrows(out_type=out_type) if is_ragged(x) else arrays.shape(x, out_type=out_type)[0]


def _places(condition: Any) -> Tensor:
    if not is_ragged(condition):
        return comparison.where(condition)
    inner = _places(condition.values)
    condition = condition.with_row_splits_dtype(inner.dtype)
    first = inner[:, 0]
    rows = indexing.gather(condition.value_rowids(), first)
    starts = indexing.gather(condition.row_splits, rows)
    columns = first - starts
    return joining.concat([arrays.expand_dims(rows, 1), arrays.expand_dims(columns, 1), inner[:, 1:]], axis=1)


# -- joining -----------------------------------------------------------------------------------


def concat(values: Any, axis: Any, name: str | None = None) -> Any:
    """Ragged tensors and tensors joined along ``axis``."""
    values = values if isinstance(values, list | tuple) else [values]
    with name_scope(name, "RaggedConcat", values):
        return _joined(values, axis, stacks=False)


def stack(values: Any, axis: Any = 0, name: str | None = None) -> Any:
    """Ragged tensors and tensors joined along a new ``axis``."""
    values = values if isinstance(values, list | tuple) else [values]
    with name_scope(name, "RaggedConcat", values):
        return _joined(values, axis, stacks=True)


def _joined(inputs: Any, axis: Any, stacks: bool) -> Any:
    if not inputs:
        raise ValueError("rt_inputs may not be empty.")
    inputs = [convert_to_tensor_or_ragged_tensor(x, name="rt_input") for x in inputs]
    dtype, inputs = match_row_splits_dtypes(*inputs, return_dtype=True)
    if len(inputs) == 1:
        return expand_dims(inputs[0], axis=axis) if stacks else inputs[0]
    rank: Any = None
    for x in inputs:
        if rank is None:
            rank = x.shape.ndims
        else:
            x.shape.assert_has_rank(rank)
    out_rank = rank + 1 if stacks and rank is not None else rank
    axis = positive_axis(axis, out_rank)
    if not any(map(is_ragged, inputs)) and rank is not None and axis in (out_rank - 1, rank - 1):
        return (joining.stack if stacks else joining.concat)(list(inputs), axis)
    rows = [x if is_ragged(x) else RaggedTensor.from_tensor(x, ragged_rank=1, row_splits_dtype=dtype) for x in inputs]
    depth = max(1, *(x.ragged_rank for x in rows))
    rows = [_deepened(x, depth, dtype) for x in rows]
    if axis == 0:
        return _below(rows, stacks)
    if axis == 1:
        return _beside(rows, stacks)
    splits = [[x.row_splits] for x in rows]
    values = [x.values for x in rows]
    with control_dependencies(same_splits(splits)):
        return RaggedTensor.from_row_splits(_joined(values, axis - 1, stacks), splits[0][0], validate=False)


def _deepened(x: Any, ragged_rank: int, dtype: DType) -> Any:
    """``x`` with at least this ragged rank."""
    if ragged_rank > 0:
        if not is_ragged(x):
            x = RaggedTensor.from_tensor(x, row_splits_dtype=dtype)
        if x.ragged_rank < ragged_rank:
            x = x.with_values(_deepened(x.values, ragged_rank - 1, dtype))
    return x


def _below(rows: list[Any], stacks: bool) -> Any:
    flat = joining.concat([x.flat_values for x in rows], axis=0)
    nested = [x.nested_row_splits for x in rows]
    splits = [_continued([own[dim] for own in nested]) for dim in range(rows[0].ragged_rank)]
    if stacks:
        counts = joining.stack([x.nrows() for x in rows])
        splits.insert(0, lengths_to_splits(counts))
    return RaggedTensor.from_nested_row_splits(flat, splits, validate=False)


def _continued(splits_list: list[Any]) -> Tensor:
    """Splits one after the other, each counted from the end of the last."""
    pieces = [splits_list[0]]
    offset = splits_list[0][-1]
    for splits in splits_list[1:]:
        pieces.append(splits[1:] + offset)
        offset += splits[-1]
    return joining.concat(pieces, axis=0)


def _beside(rows: list[Any], stacks: bool) -> Any:
    """Row i of each, one after the other."""
    count = len(rows)
    height = rows[0].nrows()
    message = "Input tensors have incompatible shapes."
    same = [checks.assert_equal(x.nrows(), height, message=message) for x in rows[1:]]
    with control_dependencies(same):
        joined = _below(rows, stacks=False)
        numbers = arrays.reshape(constants.range_(height * count), [count, -1])
        order = arrays.reshape(permuting.transpose(numbers), [-1])
        mixed = gather(joined, order)
        if stacks:
            splits = constants.range_(0, height * count + 1, count)
            values = mixed
        else:
            splits = mixed.row_splits[::count]
            values = mixed.values
        for x in rows:
            if x.shape[0] is not None:
                splits.set_shape(TensorShape(x.shape[0] + 1))
        return RaggedTensor.from_row_splits(values, splits, validate=False)


def stack_dynamic_partitions(data: Any, partitions: Any, num_partitions: Any, name: str | None = None) -> Any:
    """The elements of ``data`` in a row for each of their ``partitions``."""
    with name_scope(name, "SegmentStack", [data, partitions, num_partitions]):
        data = convert_to_tensor_or_ragged_tensor(data, name="data")
        dtype = data.row_splits.dtype if is_ragged(data) else None
        partitions = convert_to_tensor_or_ragged_tensor(partitions, name="partitions", preferred_dtype=dtype)
        num_partitions = as_tensor(num_partitions, name="num_partitions", preferred_dtype=partitions.dtype)
        if dtype is not None:
            partitions = _cast(partitions, dtype)
        num_partitions = casts.cast(num_partitions, partitions.dtype)
        rank = partitions.shape.ndims
        if rank is None:
            raise ValueError("partitions must have known rank.")
        num_partitions.shape.assert_has_rank(0)
        partitions.shape.assert_is_compatible_with(data.shape[:rank])
        if rank == 0:
            values = stack([data]) if is_ragged(data) else joining.stack([data])
            ids = joining.stack([partitions])
            return RaggedTensor.from_value_rowids(values, ids, num_partitions, validate=False)
        if rank == 1:
            order = sorting.argsort(partitions, stable=True)
            ids = indexing.gather(partitions, order)
            values = gather(data, order) if is_ragged(data) else indexing.gather(data, order)
            message = "partitions must be less than num_partitions"
            with control_dependencies([checks.assert_less(ids[-1:], num_partitions, message=message)]):
                return RaggedTensor.from_value_rowids(values, ids, num_partitions, validate=False)
        if not is_ragged(data):
            data = RaggedTensor.from_tensor(data, row_splits_dtype=partitions.dtype, ragged_rank=1)
        if not is_ragged(partitions):
            depth = max(data.ragged_rank, rank - 1)
            partitions = RaggedTensor.from_tensor(partitions, row_splits_dtype=partitions.dtype, ragged_rank=depth)
        message = "data and partitions have incompatible ragged shapes"
        with control_dependencies([checks.assert_equal(data.row_splits, partitions.row_splits, message=message)]):
            return stack_dynamic_partitions(data.values, partitions.values, num_partitions)


def _cast(x: Any, dtype: Any) -> Any:
    return x.with_flat_values(casts.cast(x.flat_values, dtype)) if is_ragged(x) else casts.cast(x, dtype)


# -- repeating ---------------------------------------------------------------------------------


def tile(input: Any, multiples: Any, name: str | None = None) -> Any:
    """``input`` as often along each axis as ``multiples`` says."""
    with name_scope(name, "RaggedTile", [input, multiples]):
        input = convert_to_tensor_or_ragged_tensor(input, name="input")
        if not is_ragged(input):
            return repeating.tile(input, multiples, name)
        multiples = convert_to_int_tensor(multiples, "multiples", input.row_splits.dtype)
        multiples.shape.assert_has_rank(1)
        known = constant_value(multiples)
        values = _tiled_values(input, multiples, known)
        return RaggedTensor.from_nested_row_splits(values, _tiled_splits(input, multiples, known), validate=False)


def _tiled_values(x: Any, multiples: Tensor, known: Any) -> Tensor:
    depth, nested = x.ragged_rank, x.nested_row_splits
    places = constants.range_(nested[-1][-1])
    before = None
    for axis in range(depth, 0, -1):
        splits = nested[axis - 1]
        if before is not None:
            splits = indexing.gather(before * multiples[axis + 1], splits)
        if known is None or known[axis] != 1:
            places = repeat_ranges(places, splits, multiples[axis])
        before = splits
    values = indexing.gather(x.flat_values, places)
    return repeating.tile(values, joining.concat([multiples[:1], multiples[depth + 1 :]], axis=0))


def _tiled_splits(x: Any, multiples: Tensor, known: Any) -> list[Tensor]:
    depth, nested = x.ragged_rank, x.nested_row_splits
    projected = [{i: nested[i]} for i in range(depth)]  # where the rows of an axis end on the axes below
    for source in range(depth):
        for target in range(source + 1, depth - 1):
            projected[source][target] = indexing.gather(nested[target], projected[source][target - 1])
    found = []
    for axis in range(depth):
        lengths = nested[axis][1:] - nested[axis][:-1]
        lengths = lengths * multiples[axis + 1]
        repeats: Any = 1
        for d in range(axis - 1, -1, -1):
            if known is None or known[d + 1] != 1:
                splits = projected[d][axis - 1] * repeats
                lengths = repeat_ranges(lengths, splits, multiples[d + 1])
            repeats *= multiples[d + 1]
        found.append(lengths_to_splits(repeating.tile(lengths, multiples[:1])))
    return found


# -- axes --------------------------------------------------------------------------------------


def expand_dims(input: Any, axis: Any, name: str | None = None) -> Any:
    """``input`` with a new axis of size 1."""
    with name_scope(name, "RaggedExpandDims", [input]):
        input = convert_to_tensor_or_ragged_tensor(input, name="input")
        if not is_ragged(input):
            return arrays.expand_dims(input, axis)
        rank = input.shape.ndims
        axis = positive_axis(axis, None if rank is None else rank + 1)
        if axis == 0:
            splits = joining.stack([0, input.nrows()])
            return RaggedTensor.from_row_splits(input, splits, validate=False)
        if axis == 1:
            return RaggedTensor.from_row_splits(input, constants.range_(input.nrows() + 1), validate=False)
        return RaggedTensor.from_row_splits(expand_dims(input.values, axis - 1), input.row_splits, validate=False)


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Any:
    """``input`` without axes whose rows have one element each."""
    with name_scope(name, "RaggedSqueeze", [input]):
        input = convert_to_tensor_or_ragged_tensor(input)
        if isinstance(input, Tensor):
            return arrays.squeeze(input, axis, name)
        if axis is None:
            raise ValueError("Ragged.squeeze must have an axis argument.")
        if isinstance(axis, int):
            axis = [axis]
        elif not isinstance(axis, list | tuple) or not all(isinstance(d, int) for d in axis):
            raise TypeError("Axis must be a list or tuple of integers.")
        axes = [positive_axis(d, input.shape.ndims) for d in axis]
        dense = [d - input.ragged_rank for d in axes if d > input.ragged_rank]
        gone = [d for d in axes if d <= input.ragged_rank]
        one = constants.constant(1, dtype=input.row_splits.dtype)
        conditions = []
        for i, lengths in enumerate(input.nested_row_lengths()):
            if i + 1 in gone:
                fits = reductions.reduce_all(comparison.equal(lengths, one))
                conditions.append(asserts.Assert(fits, [f"the given axis (axis = {i + 1}) is not squeezable!"]))
        if 0 in gone:
            fits = comparison.equal(arrays.size(input.row_splits), constants.constant(2, dtype=dtypes.int32))
            conditions.append(asserts.Assert(fits, ["the given axis (axis = 0) is not squeezable!"]))
        result: Any = with_dependencies(conditions, input.flat_values)
        if dense:
            result = arrays.squeeze(result, dense)
        kept = [splits for i, splits in enumerate(input.nested_row_splits) if i + 1 not in gone]
        if kept and 0 in gone:
            kept.pop(0)
        result = RaggedTensor.from_nested_row_splits(result, kept)
        if set(range(input.ragged_rank + 1)) <= set(gone):
            result = arrays.squeeze(result, [0], name)
        return result


def size(input: Any, out_type: Any = dtypes.int32, name: str | None = None) -> Tensor:
    """The number of elements."""
    return arrays.size(input.flat_values if is_ragged(input) else input, out_type=out_type, name=name)


def rank(input: Any, name: str | None = None) -> Any:
    """The number of axes."""
    with name_scope(name, "RaggedRank", [input]) as name:
        if not is_ragged(input):
            return arrays.rank(input, name)
        return input.ragged_rank + arrays.rank(input.flat_values)


def ragged_one_hot(
    indices: Any, depth: Any, on_value: Any = None, off_value: Any = None, axis: Any = None, dtype: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """``tf.one_hot`` of the values."""
    with name_scope(name, "RaggedOneHot", [indices]):
        indices = convert_to_tensor_or_ragged_tensor(indices, name="indices")
        if axis is not None:
            axis = positive_axis(axis, indices.shape.ndims)
            if axis < indices.ragged_rank:
                raise ValueError("axis may not be less than indices.ragged_rank.")
        hot = indexing.one_hot(indices.flat_values, depth, on_value, off_value, axis, dtype, name)
        return indices.with_flat_values(hot)
