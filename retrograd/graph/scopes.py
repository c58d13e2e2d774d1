"""The blocks that a program opens on the default graph: names, control dependencies, devices."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from typing import Any

from retrograd.graph.convert import graph_of
from retrograd.graph.source import is_called_by_user
from retrograd.graph.stack import default_graph
from retrograd.graph.text import as_text


class name_scope:
    """Put the names of the ops built in the block under ``name``, or ``default_name`` if it is None.

    With ``values``, the block builds into their graph.  Entering gives the scope's path with a
    ``/`` at its end, which as an op's name stands for the scope itself.

    Raises:
      ValueError: the values are of different graphs, or no name is given.
    """

    def __init__(self, name: str | None, default_name: str | None = None, values: Any = None) -> None:
        if not (default_name is None or isinstance(default_name, str)):
            raise TypeError(
                f"`default_name` type ({type(default_name)}) is not a string type. You likely meant to pass "
                "this into the `values` kwarg."
            )
        self._name = default_name if name is None else name
        self._given = name
        self._default_name = default_name
        self._values = values

    @property
    def name(self) -> str | None:
        return self._name

    def __enter__(self) -> str:
        if self._name is None and self._values is not None:
            raise ValueError(
                f"At least one of name ({self._given}) and default_name ({self._default_name}) must be provided."
            )
        current = default_graph()
        graph = graph_of(self._values) if self._values else current
        self._other_graph = None if graph is current else graph.as_default()
        if self._other_graph is not None:
            self._other_graph.__enter__()
        self._scopes = graph._scopes
        self._outer = self._scopes.name
        try:
            self._scopes.name = path = graph.scope_path(self._name)
        except BaseException as error:
            if self._other_graph is not None:
                self._other_graph.__exit__(type(error), error, error.__traceback__)
            raise
        if self._name and self._name[-1] == "/":
            return self._name
        return path + "/" if path else ""

    def __exit__(self, *error: Any) -> None:
        self._scopes.name = self._outer
        if self._other_graph is not None:
            self._other_graph.__exit__(*error)


class name_scope_v2:
    """Put the names of the ops built in the block under ``name``; one such object may be entered again and again."""

    def __init__(self, name: str) -> None:
        if name is None or not isinstance(name, str):
            raise ValueError("name for name_scope must be a string.")
        self._name = name
        self._entered: list[AbstractContextManager[str]] = []

    @property
    def name(self) -> str:
        return self._name

    def __enter__(self) -> str:
        block = default_graph().name_scope(self._name)
        self._entered.append(block)
        return block.__enter__()

    def __exit__(self, *error: Any) -> None:
        self._entered.pop().__exit__(*error)


def get_name_scope() -> str:
    """The path of the default graph's current scope."""
    return default_graph().get_name_scope()


_PREFIX = r"(\^|loc:@|^)"


def strip_name_scope(name: str, export_scope: str | None) -> str:
    """``name`` without ``export_scope/`` at its start, or after a ``^`` or ``loc:@``."""
    scope = (export_scope or "").removesuffix("/")
    return re.sub(f"{_PREFIX}{scope}/+(.*)", r"\1\2", as_text(name), count=1) if scope else name


def prepend_name_scope(name: str, import_scope: str | None) -> str:
    """``name`` with ``import_scope/`` before it, after a ``^`` or ``loc:@``."""
    scope = (import_scope or "").removesuffix("/")
    if not scope:
        return name
    for mark in ("^", "loc:@"):
        if as_text(name).startswith(mark):
            return f"{mark}{scope}/{as_text(name).removeprefix(mark)}"
    return f"{scope}/{as_text(name)}"


def op_scope(values: Any, name: str | None, default_name: str | None = None) -> name_scope:
    """The old order of ``name_scope``'s arguments."""
    return name_scope(name, default_name=default_name, values=values)


def control_dependencies(control_inputs: Any) -> AbstractContextManager[None]:
    """Ops built in the block run after ``control_inputs``; None lifts all such waits."""
    return default_graph().control_dependencies(control_inputs)


def device(device_name_or_function: Any) -> AbstractContextManager[None]:
    """Place ops built in the block on a device."""
    return default_graph().device(device_name_or_function)


def colocate_with(op: Any, ignore_existing: bool = False) -> AbstractContextManager[None]:
    """Place ops built in the block where ``op`` is."""
    return default_graph().colocate_with(op, ignore_existing)


def container(container_name: str) -> AbstractContextManager[str]:
    """Variables built in the block live in the resource container ``container_name``."""
    return default_graph().container(container_name)


def add_to_collection(name: Any, value: Any) -> None:
    """Append ``value`` to a collection of the default graph."""
    graph = default_graph()
    if graph.is_eager and is_called_by_user():
        graph = graph.symbolic
    graph.add_to_collection(name, value)


def add_to_collections(names: Any, value: Any) -> None:
    """Append ``value`` to several collections of the default graph."""
    default_graph().add_to_collections(names, value)


def get_collection(key: Any, scope: str | None = None) -> list[Any]:
    """A copy of a collection of the default graph, or of its items whose names match ``scope``."""
    return default_graph().get_collection(key, scope)


def get_collection_ref(key: Any) -> list[Any]:
    """A collection of the default graph itself."""
    return default_graph().get_collection_ref(key)


def get_all_collection_keys() -> list[Any]:
    """The names of the default graph's collections."""
    return default_graph().get_all_collection_keys()
