"""What a run may be asked for: graph elements in any nesting of lists, tuples and dicts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from retrograd.graph.errors import keep_notes, taught
from retrograd.graph.graph import Graph
from retrograd.graph.operation import Operation
from retrograd.graph.tensor import Tensor
from retrograd.run.conversions import conversion_of

_ELEMENTS = frozenset((Tensor, Operation))

Rebuild = Callable[[Sequence[Any]], Any]  # from the values of the tensors, in order, to the user's structure


class Fetches:
    """A structure of fetches: the tensors and ops that it names, and how to give their values its form."""

    def __init__(self, graph: Graph, structure: Any) -> None:
        self.graph = graph
        self.places: dict[Tensor, int] = {}  # of the tensors among the values
        self.targets: dict[Operation, None] = {}
        self.is_fixed = True  # whether the same structure, asked for again, means the same
        self.rebuild = self._rebuild(structure)

    @property
    def tensors(self) -> list[Tensor]:
        return list(self.places)

    def _rebuild(self, fetch: Any) -> Rebuild:
        if fetch is None:
            raise _noted_none(fetch)
        if isinstance(fetch, list | tuple):
            return self._sequence(fetch)
        if isinstance(fetch, Mapping):
            return self._mapping(fetch)
        if hasattr(type(fetch), "__attrs_attrs__"):
            names = [a.name for a in type(fetch).__attrs_attrs__]
            parts = [self._rebuild(getattr(fetch, name)) for name in names]
            self.is_fixed = False
            return lambda values: type(fetch)(*[part(values) for part in parts])
        conversion = conversion_of(fetch)
        if conversion is None:
            return self._element(fetch)
        self.is_fixed &= conversion.is_fixed
        wanted, join = conversion.fetch(fetch)
        parts = [self._element(x) for x in wanted]
        return lambda values: join([part(values) for part in parts])

    def _sequence(self, fetch: Any) -> Rebuild:
        parts = [self._rebuild(item) for item in fetch]
        kind: Any = type(fetch)
        if hasattr(fetch, "_fields"):
            return lambda values: kind(*[part(values) for part in parts])
        if isinstance(fetch, list):
            return lambda values: [part(values) for part in parts]
        return lambda values: kind([part(values) for part in parts])

    def _mapping(self, fetch: Any) -> Rebuild:
        parts = {key: self._rebuild(item) for key, item in fetch.items()}
        kind = type(fetch)
        if kind is dict:
            return lambda values: {key: part(values) for key, part in parts.items()}

        def rebuilt(values: Sequence[Any]) -> Any:
            made = kind()
            for key, part in parts.items():
                made[key] = part(values)
            return made

        return rebuilt

    def _element(self, fetch: Any) -> Rebuild:
        try:
            element = self.graph.as_graph_element(fetch, allow_tensor=True, allow_operation=True)
        except TypeError as error:
            words = f"Fetch argument {fetch!r} has invalid type {type(fetch)!r}, must be a string or Tensor. ({error})"
            fix = f"call it:  {fetch.__name__}()" if callable(fetch) and hasattr(fetch, "__name__") else None
            raise (taught(TypeError(words), fix=fix) if fix else TypeError(words)) from None
        except (ValueError, KeyError) as error:
            wrong = ValueError(f"Fetch argument {fetch!r} cannot be interpreted as a Tensor. ({error})")
            raise keep_notes(wrong, error) from None
        if not self.graph.is_fetchable(element):
            raise ValueError(f"Operation {element.name!r} has been marked as not fetchable.")
        if isinstance(element, Operation):
            self.targets[element] = None
            return lambda values: None
        return itemgetter(self.places.setdefault(element, len(self.places)))


def _noted_none(fetch: Any) -> Exception:
    error = TypeError(f"Fetch argument {fetch!r} has invalid type {type(fetch)!r}")
    return taught(
        error,
        why="one of the fetches is None; tf.gradients gives None for an x that no y depends on,\n"
        "tf.summary.merge_all() where there is no summary",
        fix="[f for f in fetches if f is not None]\nor tf.gradients(..., unconnected_gradients='zero')",
    )


class FetchHandler:
    """What the session of TensorFlow 1.15 used inside, and programs that wrap a session use, too."""

    def __init__(self, graph: Graph, fetches: Any, feeds: Any, feed_handles: Any = None) -> None:
        with graph.as_default():
            self._found = Fetches(graph, fetches)

    def fetches(self) -> list[Tensor]:
        """The tensors whose values are wanted, each once."""
        return self._found.tensors

    def targets(self) -> list[Operation]:
        """The ops that are only to be run."""
        return list(self._found.targets)

    def build_results(self, session: Any, tensor_values: Sequence[Any]) -> Any:
        """The values of ``fetches()`` in the structure that was asked for."""
        return self._found.rebuild(tensor_values)


def structure_key(fetch: Any) -> Any:
    """A hashable key of a structure of fetches."""
    if type(fetch) in _ELEMENTS:
        return fetch
    if isinstance(fetch, list | tuple):
        return (type(fetch), *[item if type(item) in _ELEMENTS else structure_key(item) for item in fetch])
    if isinstance(fetch, Mapping):
        return (type(fetch), *[(key, structure_key(item)) for key, item in fetch.items()])
    return fetch
