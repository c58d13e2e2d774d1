"""``CompositeTensor``: the base of whatever is made of several tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from retrograd.graph.operation import Operation


class CompositeTensor:
    """A value made of tensors; its ``_type_spec`` takes it apart and puts it together again."""

    @property
    def _type_spec(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._type_spec()")

    def _to_components(self) -> Any:
        return self._type_spec._to_components(self)

    def _component_metadata(self) -> Any:
        return self._type_spec

    @staticmethod
    def _from_components(components: Any, metadata: Any) -> Any:
        return metadata._from_components(components)

    def _shape_invariant_to_type_spec(self, shape: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__}._shape_invariant_to_type_spec")

    @property
    def _is_graph_tensor(self) -> bool:
        from retrograd.graph.nest import flatten

        return any(hasattr(t, "graph") for t in flatten(self._to_components(), expand_composites=True))

    def _consumers(self) -> list[Operation]:
        from retrograd.graph.nest import flatten

        parts = flatten(self._to_components())
        return list(dict.fromkeys(op for t in parts if getattr(t, "graph", None) is not None for op in t.consumers()))


def replace_composites_with_components(structure: Any) -> Any:
    """``structure`` with each composite tensor in it replaced by its parts."""
    from retrograd.graph.nest import is_nested, map_structure

    if isinstance(structure, CompositeTensor):
        return replace_composites_with_components(structure._to_components())
    return map_structure(replace_composites_with_components, structure) if is_nested(structure) else structure
