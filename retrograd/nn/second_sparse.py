"""``tf.compat.v2.sparse`` and ``strings`` where version 1 has other arguments.

Each is the function of the first version under other names or another order of arguments, and builds the same nodes.
"""

from __future__ import annotations

from typing import Any

from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import segments, sparse_arithmetic, sparse_joining, sparse_reductions, strings


def add(a: Any, b: Any, threshold: Any = 0) -> Any:
    """``a + b``, of which at least one is sparse; sums below ``threshold`` are dropped."""
    return sparse_arithmetic.sparse_add(a, b, threshold)


def concat(axis: Any, sp_inputs: Any, expand_nonconcat_dims: bool = False, name: str | None = None) -> SparseTensor:
    """Sparse tensors one after the other along ``axis``."""
    return sparse_joining.sparse_concat(axis, sp_inputs, name, expand_nonconcat_dims)


def split(sp_input: Any = None, num_split: Any = None, axis: Any = None, name: str | None = None) -> list[SparseTensor]:
    """A sparse tensor in ``num_split`` pieces along ``axis``."""
    return sparse_joining.sparse_split(sp_input=sp_input, num_split=num_split, axis=axis, name=name)


def reduce_max(
    sp_input: Any, axis: Any = None, keepdims: Any = None, output_is_sparse: bool = False, name: str | None = None
) -> Any:
    """The largest values over ``axis``, by default over every axis."""
    of_kind = sparse_reductions.sparse_reduce_max_sparse if output_is_sparse else sparse_reductions.sparse_reduce_max
    return of_kind(sp_input, axis, keepdims)


def reduce_sum(
    sp_input: Any, axis: Any = None, keepdims: Any = None, output_is_sparse: bool = False, name: str | None = None
) -> Any:
    """The sums over ``axis``, by default over every axis."""
    of_kind = sparse_reductions.sparse_reduce_sum_sparse if output_is_sparse else sparse_reductions.sparse_reduce_sum
    return of_kind(sp_input, axis, keepdims)


def segment_sum(data: Any, indices: Any, segment_ids: Any, num_segments: Any = None, name: str | None = None) -> Tensor:
    """The sums of the rows of ``data`` that ``indices`` name, by segment."""
    return segments.sparse_segment_sum(data, indices, segment_ids, name, num_segments)


def segment_mean(
    data: Any, indices: Any, segment_ids: Any, num_segments: Any = None, name: str | None = None
) -> Tensor:
    """The means of the rows of ``data`` that ``indices`` name, by segment."""
    return segments.sparse_segment_mean(data, indices, segment_ids, name, num_segments)


def segment_sqrt_n(
    data: Any, indices: Any, segment_ids: Any, num_segments: Any = None, name: str | None = None
) -> Tensor:
    """The sums of the rows of ``data`` that ``indices`` name over the roots of their numbers, by segment."""
    return segments.sparse_segment_sqrt_n(data, indices, segment_ids, name, num_segments)


def length(input: Any, unit: str = "BYTE", name: str | None = None) -> Tensor:
    """The lengths of texts in bytes, or in characters of UTF-8."""
    return strings.string_length(input, name, unit)
