"""What kind of ragged tensor a value is: shape, dtype, ragged rank; and as one variant, in elements of datasets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.shapes import TensorShape, dimension_at_index
from retrograd.graph.specs import BatchableTypeSpec, TensorSpec
from retrograd.graph.tensor import Tensor
from retrograd.ragged.tensor import RaggedTensor, is_ragged
from retrograd.ragged.values import RaggedTensorValue
from retrograd.ragged.variants import from_variant, to_variant


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
        return [to_variant(value, batched_input=False)]

    def _to_batched_tensor_list(self, value: Any) -> list[Any]:
        self._check_rank(value)
        if not is_ragged(value):
            raise ValueError("_to_batched_tensor_list doesn't support ragged_rank=0 yet")
        return [to_variant(value, batched_input=True)]

    def _check_rank(self, value: Any) -> None:
        rank = value.ragged_rank if is_ragged(value) else 0
        if rank != self._ragged_rank:
            raise ValueError(f"Ragged rank of value ({rank}) does not match ragged rank of type ({self._ragged_rank})")

    def _from_compatible_tensor_list(self, tensor_list: Sequence[Any]) -> Any:
        if self._ragged_rank <= 0:
            raise ValueError(f"ragged_rank must be non-negative; got {self._ragged_rank}.")
        result = from_variant(tensor_list[0], self._dtype, self._ragged_rank, row_splits_dtype=self._row_splits_dtype)
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
