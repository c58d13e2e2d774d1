"""Ragged tensors as variants, one for a tensor or one for each of its rows, as they lie in elements of datasets."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import DType
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import ragged
from retrograd.ragged.rows import is_ragged
from retrograd.ragged.tensor import RaggedTensor


def to_variant(value: Any, batched_input: bool = False, name: str | None = None) -> Tensor:
    """A ragged tensor, or a tensor, as one variant; ``batched_input``: each row as one."""
    nested = list(value.nested_row_splits) if is_ragged(value) else []
    with name_scope(name, "RaggedToVariant", [value, batched_input]):
        values = value.flat_values if nested else value
        attrs: dict[str, Any] = {} if nested else {"Tsplits": dtypes.int64}
        encoded: Tensor = apply(ragged.TO_VARIANT, nested, values, batched_input=batched_input, name=name, **attrs)
        return encoded


def from_variant(
    variant: Any, dtype: Any, output_ragged_rank: int, input_ragged_rank: int | None = None, name: str | None = None,
    row_splits_dtype: DType = dtypes.int64,
) -> RaggedTensor:  # fmt: skip
    """The ragged tensor that variants make: one, or the parts of a batch, whose axes become outer ones.

    Raises:
      ValueError: the ranks do not add up.
    """
    variant = as_tensor(variant, dtypes.variant, "variant")
    rank = variant.shape.ndims
    if rank is not None and input_ragged_rank is not None and output_ragged_rank != input_ragged_rank + rank:
        raise ValueError(
            "output_ragged_rank must be equal to input_ragged_rank +variant.shape.ndims, found variant.shape.ndims: "
            f"{rank}, input_ragged_rank: {input_ragged_rank}, output_ragged_rank: {output_ragged_rank}"
        )
    with name_scope(name, "RaggedFromVariant", [variant]):
        *nested, result = apply(
            ragged.FROM_VARIANT, variant, input_ragged_rank=-1 if input_ragged_rank is None else input_ragged_rank,
            output_ragged_rank=output_ragged_rank, Tvalues=dtype, Tsplits=row_splits_dtype, name=name,
        )  # fmt: skip
    for splits in reversed(nested):
        result = RaggedTensor(result, splits, internal=True)
    return result  # type: ignore[no-any-return]


RaggedTensor._to_variant = to_variant  # type: ignore[attr-defined]
RaggedTensor._from_variant = staticmethod(from_variant)  # type: ignore[attr-defined]
