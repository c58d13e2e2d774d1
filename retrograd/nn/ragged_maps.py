"""``map_fn`` over rows of different lengths."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph import dtypes, nest
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import SparseTensor
from retrograd.nn.functional import map_fn as map_tensors
from retrograd.ragged.rows import is_ragged
from retrograd.ragged.specs import RaggedTensorType
from retrograd.ragged.tensor import RaggedTensor, convert_to_tensor_or_ragged_tensor
from retrograd.ragged.variants import from_variant, to_variant


def map_fn(
    fn: Callable[..., Any],
    elems: Any,
    dtype: Any = None,
    parallel_iterations: int | None = None,
    back_prop: bool = True,
    swap_memory: bool = False,
    infer_shape: bool = True,
    name: str | None = None,
) -> Any:
    """``fn`` of each element along the first dimension, where elements and results may be ragged.

    Args:
      elems: a tensor or ragged tensor, or a structure of them with the same number of rows.
      dtype: the dtypes of what ``fn`` returns; ``RaggedTensorType(dtype, ragged_rank)`` where rows together are ragged.

    Raises:
      TypeError: ``fn`` cannot be called, or returns another structure.
      ValueError: a result is not of the declared ragged rank or dtype.
    """
    options: dict[str, Any] = {
        "parallel_iterations": parallel_iterations, "back_prop": back_prop, "swap_memory": swap_memory,
        "infer_shape": infer_shape, "name": name,
    }  # fmt: skip
    if not callable(fn) or isinstance(elems, SparseTensor):
        return map_tensors(fn, elems, dtype, **options)
    flat = [convert_to_tensor_or_ragged_tensor(x, name="elem") for x in nest.flatten(elems)]
    given = [x if is_ragged(x) else None for x in flat]
    declared = [x.dtype for x in flat] if dtype is None else nest.flatten(dtype)
    encoded = [x if rt is None else to_variant(rt, batched_input=True) for x, rt in zip(flat, given, strict=True)]
    carried = [dtypes.variant if isinstance(t, RaggedTensorType) else t for t in declared]

    def one(row: list[Any]) -> list[Any]:
        row = [x if rt is None else _row_of(rt, x) for x, rt in zip(row, given, strict=True)]
        result = fn(nest.pack_sequence_as(elems, row))
        nest.assert_same_structure(elems if dtype is None else dtype, result)
        return [_carried(y, t) for y, t in zip(nest.flatten(result), declared, strict=True)]

    results = map_tensors(one, encoded, carried, **options)
    decoded = [
        from_variant(y, t.dtype, t.ragged_rank, t.ragged_rank - 1, row_splits_dtype=t.row_splits_dtype)
        if isinstance(t, RaggedTensorType)
        else y
        for y, t in zip(results, declared, strict=True)
    ]
    return nest.pack_sequence_as(elems if dtype is None else dtype, decoded)


def _row_of(whole: RaggedTensor, row: Any) -> Any:
    found: Any = from_variant(row, whole.dtype, whole.ragged_rank - 1, row_splits_dtype=whole.row_splits.dtype)
    inner = TensorShape([None]).concatenate(whole.flat_values.shape[1:])
    (found if whole.ragged_rank == 1 else found.flat_values).set_shape(inner)
    return found


def _carried(y: Any, declared: Any) -> Any:
    """A result as the loop carries it: what is ragged as a variant."""
    if not isinstance(declared, RaggedTensorType):
        return y
    y = convert_to_tensor_or_ragged_tensor(y)
    rank = y.ragged_rank if is_ragged(y) else 0
    if declared.ragged_rank != rank + 1:
        raise ValueError(f"The declared ragged rank ({declared.ragged_rank}) mismatches the result ({rank + 1})")
    if declared.dtype != y.dtype:
        raise ValueError(f"The declared dtype ({declared.dtype}) mismatches the result ({y.dtype})")
    return to_variant(y.with_row_splits_dtype(declared.row_splits_dtype) if is_ragged(y) else y)
