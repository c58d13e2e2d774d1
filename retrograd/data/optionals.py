"""Elements that may be missing: ``Optional``, and the next element of an iterator as one."""

from __future__ import annotations

from typing import Any

from retrograd.data import structures
from retrograd.graph.apply import apply
from retrograd.graph.scopes import name_scope
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


def get_next_as_optional(iterator: Any) -> Optional:
    """The next element of ``iterator``, or none at its end; each run takes another."""
    spec = iterator.element_spec
    variant = apply(
        ops.GET_NEXT_AS_OPTIONAL, iterator._iterator_resource, output_types=structures.flat_types(spec),
        output_shapes=structures.flat_shapes(spec),
    )  # fmt: skip
    return Optional(variant, spec)
