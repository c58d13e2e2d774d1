"""Indicators as sparse numbers of classes, the length of each row, and buckets: from ``tf.contrib.layers``."""

from __future__ import annotations

import numbers
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.nn.contrib.older_layers import as_ignored, dense_to_sparse_tensor
from retrograd.ops import arrays, casts, comparison, constants, joining, reductions, scans, segments


def indicators_to_sparse_ids(indicators: Any, ignore_value: Any = None, dtype: Any = dtypes.int64) -> SparseTensor:
    """For each row the places that are not ``ignore_value``, one behind the other.

    Raises:
      ValueError: ``dtype`` is of no integers.
    """
    if not dtype.is_integer:
        raise ValueError(f"Invalid dtype {dtype} not integer.")
    with name_scope(None, "indicators_to_sparse_ids", (indicators, ignore_value)):
        indicators = as_tensor(indicators, name="indicators")
        missing = comparison.equal(indicators, as_ignored(indicators.dtype, ignore_value), name="missing")
        zeros = constants.zeros_like(indicators, dtype=dtypes.int64, name="zeros")
        ones = constants.ones_like(indicators, dtype=dtypes.int64, name="ones")
        there = comparison.where(missing, zeros, ones, name="binary_indicators")
        counted = comparison.where(missing, zeros, scans.cumsum(there, axis=-1), "row_index_indicators")
        longest = arrays.reshape(reductions.reduce_max(counted), shape=(1,), name="result_last_dim")
        found = dense_to_sparse_tensor(counted, ignore_value=0)
        rows = found.indices[:, :-1]
        columns = arrays.reshape(found.values - 1, (-1, 1))
        indices = joining.concat((rows, columns), axis=1, name="indices")
        values = casts.cast(found.indices[:, -1], dtype=dtype, name="values")
        shape = joining.concat((found.dense_shape[0:-1], longest), axis=0, name="dense_shape")
        return SparseTensor(indices=indices, values=values, dense_shape=shape)


def sparse_row_envelope(sparse_input: Any, row_axis: int = 0, col_axis: int = 1, name: str | None = None) -> Tensor:
    """For each row one more than its last column that is there; 0 for an empty one.

    Raises:
      ValueError: the axes are no integers, or the same.
    """
    if not (isinstance(row_axis, numbers.Integral) and isinstance(col_axis, numbers.Integral)):
        raise ValueError("`row_axis` and `col_axis` must be integers.")
    if row_axis == col_axis:
        raise ValueError("Row and column can not be the same axis.")
    with name_scope(name, "sparse_row_envelope", [sparse_input]):
        rows, columns = sparse_input.indices[:, row_axis], sparse_input.indices[:, col_axis]
        count = casts.cast(sparse_input.dense_shape[row_axis], dtypes.int32)
        ends = segments.unsorted_segment_max(columns + 1, rows, count, name=name)
        zeros = constants.zeros_like(ends)
        return comparison.where(ends > zeros, ends, zeros)


def bucketize(input_tensor: Any, boundaries: Any, name: str | None = None) -> Tensor:
    """How many of ``boundaries``, which are sorted, each element has reached."""
    return comparison.bucketize(input_tensor, boundaries, name)
