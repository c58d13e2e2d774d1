"""``TensorArraySpec``: a ``TensorArray`` as a part of what datasets and functions give."""

from __future__ import annotations

from typing import Any

from retrograd.flow.tensor_array import TensorArray
from retrograd.graph import dtypes
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.shapes import TensorShape
from retrograd.graph.specs import TensorSpec, TypeSpec, register_type_spec_from_value_converter
from retrograd.graph.tensor import Tensor
from retrograd.ops.list_stacks import tensor_list_from_tensor, tensor_list_stack
from retrograd.ops.tensor_lists import tensor_list_length


class TensorArraySpec(TypeSpec):
    """The type of a ``TensorArray``: between functions it is a list of its elements, which have one shape.

    Args:
      element_shape: what is known of an element's shape.
      dynamic_size: whether a write behind the end makes it longer.
      infer_shape: whether all elements must have one shape.
    """

    def __init__(
        self, element_shape: Any = None, dtype: Any = dtypes.float32, dynamic_size: bool | None = False,
        infer_shape: bool = True,
    ) -> None:  # fmt: skip
        self._element_shape = TensorShape(element_shape)
        self._dtype = as_dtype(dtype)
        self._dynamic_size = dynamic_size
        self._infer_shape = infer_shape

    @staticmethod
    def from_value(value: TensorArray) -> TensorArraySpec:
        """The spec of a ``TensorArray``."""
        return TensorArraySpec(value.element_shape, value.dtype, value.dynamic_size, value._infer_shape)

    @staticmethod
    def from_legacy(dtype: Any, shape: TensorShape) -> TensorArraySpec:
        """The spec that a dtype and a shape with two numbers in front of it describe."""
        if shape.rank is None:
            return TensorArraySpec(None, dtype)
        dynamic_size, infer_shape, *dims = shape.as_list()
        known = [None if n is None else bool(n) for n in (dynamic_size, infer_shape)]
        return TensorArraySpec(dims, dtype, *known)  # type: ignore[arg-type]

    @property
    def value_type(self) -> Any:
        return TensorArray

    def _serialize(self) -> Any:
        return (self._element_shape, self._dtype, self._dynamic_size, self._infer_shape)

    def is_compatible_with(self, other: Any) -> bool:
        """Whether a value of the one type can be one of the other."""
        spec = other if isinstance(other, TypeSpec) else TensorArraySpec.from_value(other)
        return (
            isinstance(spec, TensorArraySpec)
            and self._dtype.is_compatible_with(spec._dtype)
            and self._element_shape.is_compatible_with(spec._element_shape)
            and bool(self._dynamic_size) == bool(spec._dynamic_size)
        )

    def most_specific_compatible_type(self, other: Any) -> TensorArraySpec:
        """The narrowest spec that both are compatible with.

        Raises:
          ValueError: there is none.
        """
        if not self.is_compatible_with(other):
            raise ValueError("Types are not compatible")
        shape = self._element_shape.most_specific_compatible_shape(other._element_shape)
        infer = self._infer_shape and other._infer_shape
        return TensorArraySpec(shape, self._dtype, self._dynamic_size, infer)

    @property
    def _component_specs(self) -> Any:
        return [TensorSpec([], dtypes.variant)]

    def _to_components(self, value: TensorArray) -> list[Tensor]:
        return [tensor_list_from_tensor(value.stack(), self._element_shape)]

    def _from_components(self, components: Any) -> TensorArray:
        (elements,) = components
        array = TensorArray(
            self._dtype, size=tensor_list_length(elements), dynamic_size=self._dynamic_size,
            infer_shape=self._infer_shape, element_shape=self._element_shape, clear_after_read=False,
        )  # fmt: skip
        return array.unstack(tensor_list_stack(elements, self._dtype, element_shape=self._element_shape))

    def _to_tensor_list(self, value: Any) -> list[Any]:
        return self._to_components(value)

    @property
    def _flat_tensor_specs(self) -> list[Any]:
        return self._component_specs  # type: ignore[no-any-return]

    def _from_compatible_tensor_list(self, tensor_list: Any) -> Any:
        return self._from_components(tensor_list)

    def _to_legacy_output_types(self) -> Any:
        return self._dtype

    def _to_legacy_output_shapes(self) -> Any:
        numbers = [None if x is None else int(x) for x in (self._dynamic_size, self._infer_shape)]
        return TensorShape(numbers).concatenate(self._element_shape)


register_type_spec_from_value_converter(TensorArray, TensorArraySpec.from_value, allow_subclass=True)
