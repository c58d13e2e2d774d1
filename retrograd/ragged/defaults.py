"""Ragged tensors where places without a value get another one: as dense tensors, and where indices lead nowhere."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arrays,
    casts,
    checks,
    comparison,
    constants,
    indexing,
    joining,
    ragged_dense,
    reductions,
    repeating,
)  # fmt: skip
from retrograd.ragged.rows import concat, gather, is_ragged
from retrograd.ragged.tensor import (
    RaggedTensor,
    convert_to_tensor_or_ragged_tensor,
    match_row_splits_dtypes,
)


def ragged_to_dense(rt_input: RaggedTensor, default_value: Any = None, shape: Any = None) -> Tensor:
    """The rows as long as the longest, or of the given ``shape``: what is missing is ``default_value``, or zero.

    Args:
      shape: a size for each dimension, None where the longest row decides.
    """
    kinds, partitions, ragged = [], [], rt_input
    while is_ragged(ragged):
        if ragged._cached_value_rowids is None:
            kinds.append("ROW_SPLITS")
            partitions.append(ragged.row_splits)
        else:
            if not kinds:
                kinds.append("FIRST_DIM_SIZE")
                partitions.append(ragged.nrows())
            kinds.append("VALUE_ROWIDS")
            partitions.append(ragged.value_rowids())
        ragged = ragged.values
    values = rt_input.flat_values
    otherwise = constants.zeros((), values.dtype) if default_value is None else default_value
    sizes = _sizes(shape, partitions[0].dtype)
    dense: Tensor = apply(
        ragged_dense.RAGGED_TENSOR_TO_TENSOR, sizes, values, otherwise, partitions, row_partition_types=kinds
    )
    return dense


def _sizes(shape: Any, dtype: Any) -> Tensor:
    """A shape as the op takes it: -1 for what is not known."""
    if isinstance(shape, Tensor):
        return shape if shape.dtype in (dtypes.int32, dtypes.int64) else casts.cast(shape, dtype)
    if shape is None or (isinstance(shape, TensorShape) and shape.ndims is None):
        return constants.constant(-1, dtype=dtype)
    sizes = shape.as_list() if isinstance(shape, TensorShape) else shape
    return constants.constant([-1 if n is None else n for n in sizes], dtype=dtype)


def batch_gather_with_default(params: Any, indices: Any, default_value: Any = "", name: str | None = None) -> Any:
    """``batch_gather`` that gives ``default_value`` for indices that lead nowhere.

    Args:
      default_value: a number, or a vector as long as the innermost dimension. Where it stands for rows of different
        lengths it is a row of one.

    Raises:
      ValueError: a rank is unknown, ``params`` has fewer dimensions than ``indices``, or the default does not fit.
    """
    with name_scope(name, "RaggedBatchGatherWithDefault"):
        params = convert_to_tensor_or_ragged_tensor(params, name="params")
        indices = convert_to_tensor_or_ragged_tensor(indices, name="indices")
        default = as_tensor(default_value, name="default_value")
        params, indices = match_row_splits_dtypes(params, indices)
        if default.rank not in (0, 1):
            raise ValueError('"default_value" must be a scalar or vector')
        for what, x in (("Indices", indices), ("Params", params)):
            if x.shape.ndims is None:
                raise ValueError(f"{what} must have a known rank.")
        if params.shape.ndims < indices.shape.ndims:
            raise ValueError(f"Params must have at least rank {indices.shape.ndims}, got {params.shape.ndims}")
        if is_ragged(params):
            inner, behind = params.flat_values.shape[1:], params.shape.ndims - indices.shape.ndims
            default.shape.assert_is_compatible_with(inner[max(0, inner.ndims - behind) :])
        return _found_or(casts.cast(default, params.dtype), params, indices)


def _found_or(default: Tensor, params: Any, indices: Any) -> Any:
    if not is_ragged(params) and not is_ragged(indices):
        return _of_dense(default, params, indices)
    if indices.shape.ndims == 1:
        count = casts.cast(params.nrows(), indices.dtype)
        return _gathered(default, params, indices, 0, count, count)
    if is_ragged(indices) and not is_ragged(params):
        rank = indices.ragged_rank
        params = RaggedTensor.from_tensor(params, ragged_rank=rank, row_splits_dtype=indices.row_splits.dtype)
    if indices.shape.ndims > 2:
        if not is_ragged(indices):
            raise ValueError("batch shape from indices does not match params shape")
        with control_dependencies([checks.assert_equal(params.row_splits, indices.row_splits)]):
            return indices.with_values(_found_or(default, params.values, indices.values))
    starts = casts.cast(params.row_starts(), indices.dtype)
    counts = casts.cast(params.row_lengths(), indices.dtype)
    end = casts.cast(params.row_splits[-1], indices.dtype)
    if not is_ragged(indices):
        starts, counts = arrays.expand_dims(starts, 1), arrays.expand_dims(counts, 1)
        return _gathered(default, params.values, indices, starts, counts, end)
    times = indices.row_lengths()
    starts, counts = (repeating.repeat_with_axis(x, times, axis=0) for x in (starts, counts))
    return indices.with_values(_gathered(default, params.values, indices.values, starts, counts, end))


def _of_dense(default: Tensor, params: Tensor, indices: Tensor) -> Any:
    """All batch dimensions as one: the rows of a batch follow those of the batch before."""
    outer = len(indices.shape) - 1
    shape = arrays.shape(params, out_type=indices.dtype)
    rows, count = reductions.reduce_prod(shape[:outer]), shape[outer]
    flat = arrays.reshape(params, joining.concat([[rows * count], shape[outer + 1 :]], 0))
    ones = constants.ones([1], dtype=indices.dtype)
    starts = arrays.reshape(constants.range_(rows) * count, joining.concat([shape[:outer], ones], 0))
    return _gathered(default, flat, indices, starts, count, rows * count)


def _gathered(default: Tensor, values: Any, indices: Any, starts: Any, counts: Any, end: Any) -> Any:
    """``values`` at ``indices`` behind ``starts``; the default, put at their end, where an index is no count's."""
    inside = comparison.logical_and(indices >= 0, indices < counts)
    places = comparison.where(inside, indices + starts, constants.zeros_like(indices) + end)
    rows = [values, _one_row(default, values)]
    if is_ragged(values) or is_ragged(places):
        return gather(concat(rows, axis=0), places)
    return indexing.gather(joining.concat(rows, 0), places)


def _one_row(default: Tensor, values: Any) -> Any:
    """The default as a row of ``values``; rows of different lengths get length 1."""
    if not is_ragged(values):
        return arrays.expand_dims(repeating.broadcast_to(default, arrays.shape(values)[1:]), 0)
    row: Any = arrays.expand_dims(default, 0)
    for _ in range(values.ragged_rank):
        row = RaggedTensor.from_row_splits(row, constants.constant([0, 1], values.row_splits.dtype), validate=False)
    return row
