"""Elements that may be missing: ``Optional``, and the next element of an iterator as one."""

from __future__ import annotations

from typing import Any

from retrograd.data import structures
from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.scopes import name_scope
from retrograd.graph.specs import TensorSpec, register_type_spec_from_value_converter
from retrograd.graph.tensor import Tensor
from retrograd.ops import iterators as ops


class Optional:
    """An element, or none."""

    def __init__(self, variant: Tensor, element_spec: Any) -> None:
        self._variant_tensor = variant
        self._element_spec = element_spec

    @staticmethod
    def from_value(value: Any) -> Optional:
        """The element ``value``."""
        with name_scope("optional") as scope, name_scope("value"):
            element = structures.normalized(value)
            spec = structures.spec_of(element)
            tensors = structures.tensors_of(spec, element)
        return Optional(apply(ops.OPTIONAL_FROM_VALUE, tensors, name=scope), spec)

    @staticmethod
    def none_from_structure(value_structure: Any) -> Optional:
        """No element of this structure."""
        return Optional(apply(ops.OPTIONAL_NONE), value_structure)

    @property
    def value_structure(self) -> Any:
        """The structure of the element."""
        return self._element_spec

    def has_value(self, name: str | None = None) -> Tensor:
        """Whether there is an element."""
        return apply(ops.OPTIONAL_HAS_VALUE, self._variant_tensor, name=name)

    def get_value(self, name: str | None = None) -> Any:
        """The element; a run raises ``InvalidArgumentError`` if there is none."""
        spec = self._element_spec
        with name_scope(name, "OptionalGetValue", [self._variant_tensor]) as scope:
            tensors = apply(
                ops.OPTIONAL_GET_VALUE, self._variant_tensor, name=scope, output_types=structures.flat_types(spec),
                output_shapes=structures.flat_shapes(spec),
            )  # fmt: skip
        return structures.element_of(spec, tensors)


class OptionalSpec(structures.WholeSpec):
    """An element that may be missing, as a part of an element or of what a function gives."""

    def __init__(self, value_structure: Any) -> None:
        self._value_structure = value_structure

    @property
    def value_type(self) -> Any:
        return Optional

    def _serialize(self) -> Any:
        return (self._value_structure,)

    @property
    def _component_specs(self) -> Any:
        return [TensorSpec((), dtypes.variant)]

    def _to_components(self, value: Any) -> Any:
        return [value._variant_tensor]

    def _from_components(self, components: Any) -> Any:
        return Optional(components[0], self._value_structure)

    def _to_tensor_list(self, value: Any) -> list[Any]:
        return self._to_components(value)  # type: ignore[no-any-return]

    @property
    def _flat_tensor_specs(self) -> list[Any]:
        return self._component_specs  # type: ignore[no-any-return]

    def _from_compatible_tensor_list(self, tensor_list: Any) -> Any:
        return self._from_components(tensor_list)

    @staticmethod
    def from_value(value: Optional) -> OptionalSpec:
        """The spec of an ``Optional``."""
        return OptionalSpec(value.value_structure)


register_type_spec_from_value_converter(Optional, OptionalSpec.from_value, allow_subclass=True)


def get_next_as_optional(iterator: Any) -> Optional:
    """The next element of ``iterator``, or none at its end; each run takes another."""
    spec = iterator.element_spec
    variant = apply(
        ops.GET_NEXT_AS_OPTIONAL, iterator._iterator_resource, output_types=structures.flat_types(spec),
        output_shapes=structures.flat_shapes(spec),
    )  # fmt: skip
    return Optional(variant, spec)
