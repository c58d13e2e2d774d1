"""Finding an object by what Keras accepts in its place: a name, a configuration, or the object itself."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from retrograd.graph.errors import nearest, taught

custom_objects: dict[str, Any] = {}  # the user's own classes and functions, by name


class CustomObjectScope:
    """Names mean these objects inside of the block."""

    def __init__(self, *args: Any) -> None:
        self._added = args
        self._before: dict[str, Any] = {}

    def __enter__(self) -> CustomObjectScope:
        self._before = dict(custom_objects)
        for objects in self._added:
            custom_objects.update(objects or {})
        return self

    def __exit__(self, *args: Any, **kwargs: Any) -> None:
        custom_objects.clear()
        custom_objects.update(self._before)


def custom_object_scope(*args: Any) -> CustomObjectScope:
    """Names mean these objects inside of the block."""
    return CustomObjectScope(*args)


def made_from(kind: Any, config: Any, objects: Any = None) -> Any:
    """The instance of a class with this configuration; its names may mean the user's own ``objects`` too."""
    if "custom_objects" in inspect.signature(kind.from_config).parameters:
        return kind.from_config(config, custom_objects={**custom_objects, **(objects or {})})
    with custom_object_scope(objects):
        return kind.from_config(config)


def found(identifier: Any, table: Mapping[str, Any], kind: str) -> Any:
    """The entry of ``table`` that a name or a ``{"class_name": ..., "config": ...}`` means; a class is instantiated.

    Raises:
      ValueError: there is no such name.
    """
    if isinstance(identifier, Mapping):
        name, config = identifier["class_name"], identifier.get("config", {})
    else:
        name, config = str(identifier), None
    entry = custom_objects.get(name, table.get(name))
    if entry is None:
        error = ValueError(
            f"Unknown {kind}:{' ' if kind == 'constraint' or isinstance(identifier, Mapping) else ''}{name}"
        )
        near = nearest(name, table)
        meant = [entry for entry in table if name and name in entry] or ([near] if near else list(table))
        raise taught(error, fix=f"one of {', '.join(map(repr, meant))}")
    if config is not None and hasattr(entry, "from_config"):
        return made_from(entry, config)
    return entry if config is None else entry(**config)


def named(name: str, table: Mapping[str, Any], kind: str) -> Any:
    """What a name alone means: one made without arguments, or a function that the program gave the name to.

    Raises:
      ValueError: there is no such name.
    """
    entry = found(name, table, kind)
    return entry if entry is custom_objects.get(name) and not isinstance(entry, type) else entry()


def described(instance: Any) -> Any:
    """The configuration of an object, or the name of a function."""
    if instance is None:
        return None
    if hasattr(instance, "get_config"):
        return {"class_name": type(instance).__name__, "config": instance.get_config()}
    if hasattr(instance, "__name__"):
        return instance.__name__
    raise ValueError("Cannot serialize", instance)
