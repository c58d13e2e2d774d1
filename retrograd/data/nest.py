"""Nested structures of datasets: dicts, tuples, named tuples; a list is a value, which becomes a tensor."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from retrograd.graph.nest import difference
from retrograd.graph.sparse import SparseTensorValue


def is_sequence(value: Any) -> bool:
    """Whether ``value`` is a structure and no leaf."""
    if isinstance(value, SparseTensorValue):
        return False
    return isinstance(value, Mapping | tuple) or _is_attrs(value)


def _is_attrs(value: Any) -> bool:
    return hasattr(type(value), "__attrs_attrs__")


def _items(structure: Any) -> list[Any]:
    if isinstance(structure, Mapping):
        return [structure[key] for key in sorted(structure)]
    if _is_attrs(structure):
        return [getattr(structure, a.name) for a in type(structure).__attrs_attrs__]
    return list(structure)


def flatten(structure: Any) -> list[Any]:
    """The leaves of a structure, those of dicts in the order of their keys."""
    if not is_sequence(structure):
        return [structure]
    return [leaf for item in _items(structure) for leaf in flatten(item)]


def pack_sequence_as(structure: Any, flat_sequence: Any) -> Any:
    """Leaves in the form of ``structure``.

    Raises:
      TypeError, ValueError: there are not as many as it has.
    """
    if not isinstance(flat_sequence, list | tuple):
        raise TypeError("flat_sequence must be a sequence")
    count = len(flatten(structure))
    if count != len(flat_sequence):
        if not is_sequence(structure):
            raise ValueError(f"Structure is a scalar but len(flat_sequence) == {len(flat_sequence)} > 1")
        raise ValueError(
            f"Could not pack sequence. Structure had {count} elements, but flat_sequence had {len(flat_sequence)} "
            f"elements.  Structure: {structure}, flat_sequence: {flat_sequence}."
        )
    return _packed(structure, iter(flat_sequence))


def _packed(structure: Any, leaves: Iterator[Any]) -> Any:
    if not is_sequence(structure):
        return next(leaves)
    return _like(structure, [_packed(item, leaves) for item in _items(structure)])


def _like(structure: Any, items: list[Any]) -> Any:
    if isinstance(structure, Mapping):
        by_key = dict(zip(sorted(structure), items, strict=True))
        ordered = [(key, by_key[key]) for key in structure]
        return type(structure)(ordered)  # type: ignore[call-arg]
    if hasattr(structure, "_fields"):
        return type(structure)(*items)
    if _is_attrs(structure):
        return type(structure)(*items)
    return type(structure)(items) if type(structure) is tuple else tuple(items)


def map_structure(func: Callable[..., Any], *structures: Any, **check_types: bool) -> Any:
    """``func`` of the leaves of structures of one form; with ``check_types=False`` their types may differ.

    Raises:
      TypeError: ``func`` cannot be called.
      ValueError: there are no structures, or they are not of one form.
    """
    if not callable(func):
        raise TypeError(f"func must be callable, got: {func}")
    if not structures:
        raise ValueError("Must provide at least one structure")
    if check_types.keys() - {"check_types"}:
        raise ValueError("Only valid keyword argument is check_types")
    for other in structures[1:]:
        assert_same_structure(structures[0], other, check_types.get("check_types", True))
    return pack_sequence_as(structures[0], [func(*x) for x in zip(*map(flatten, structures), strict=True)])


def assert_same_structure(nest1: Any, nest2: Any, check_types: bool = True) -> None:
    """Raises ``ValueError`` or ``TypeError`` if two structures differ in form."""
    error = difference(nest1, nest2, check_types, is_sequence)
    if error is not None:
        raise error


def flatten_up_to(shallow_tree: Any, input_tree: Any) -> list[Any]:
    """The parts of ``input_tree`` where ``shallow_tree`` has leaves.

    Raises:
      TypeError, ValueError: the one does not have the form of the other.
    """
    assert_shallow_structure(shallow_tree, input_tree)
    if not is_sequence(shallow_tree):
        return [input_tree]
    return [
        leaf
        for a, b in zip(_items(shallow_tree), _items_like(shallow_tree, input_tree), strict=True)
        for leaf in flatten_up_to(a, b)
    ]


def _items_like(shallow: Any, tree: Any) -> list[Any]:
    return [tree[key] for key in sorted(shallow)] if isinstance(shallow, Mapping) else _items(tree)


def assert_shallow_structure(shallow_tree: Any, input_tree: Any, check_types: bool = True) -> None:
    """Raises ``TypeError`` or ``ValueError`` unless ``input_tree`` has the form of ``shallow_tree``, or goes deeper."""
    if not is_sequence(shallow_tree):
        return
    if not is_sequence(input_tree):
        raise TypeError(
            f"If shallow structure is a sequence, input must also be a sequence. Input has type: {type(input_tree)}."
        )
    if check_types and type(shallow_tree) is not type(input_tree):
        raise TypeError(
            "The two structures don't have the same sequence type. Input structure has type "
            f"{type(input_tree)}, while shallow structure has type {type(shallow_tree)}."
        )
    if len(input_tree) != len(shallow_tree):
        raise ValueError(
            "The two structures don't have the same sequence length. Input structure has length "
            f"{len(input_tree)}, while shallow structure has length {len(shallow_tree)}."
        )
    if isinstance(shallow_tree, Mapping) and set(input_tree) != set(shallow_tree):
        raise ValueError(
            f"The two structures don't have the same keys. Input structure has keys {list(input_tree)}, while shallow "
            f"structure has keys {list(shallow_tree)}."
        )
    for a, b in zip(_items(shallow_tree), _items_like(shallow_tree, input_tree), strict=True):
        assert_shallow_structure(a, b, check_types)


def map_structure_up_to(shallow_tree: Any, func: Callable[..., Any], *inputs: Any) -> Any:
    """``func`` of the parts of the inputs where ``shallow_tree`` has leaves."""
    if not inputs:
        raise ValueError("Argument `inputs` is empty. Cannot map over no sequences.")
    parts = [flatten_up_to(shallow_tree, tree) for tree in inputs]
    return pack_sequence_as(shallow_tree, [func(*x) for x in zip(*parts, strict=True)])
