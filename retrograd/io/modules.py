"""``tf.Module``: an object whose variables are found through its attributes."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from typing import Any

from retrograd.graph import nest
from retrograd.graph.scopes import name_scope
from retrograd.io.tracking import AutoTrackable
from retrograd.state.variables import Variable

_NEW_WORD = re.compile(r"((?<=[a-z0-9])[A-Z]|(?!^)[A-Z](?=[a-z]))")


def camel_to_snake(value: str) -> str:
    """The name of a class as that of a scope."""
    return _NEW_WORD.sub(r"_\1", value).lower()


class Module(AutoTrackable):
    """An object that has a name, a name scope, and the variables and modules among its attributes.

    Raises:
      ValueError: the name is no identifier.
    """

    # attributes that are not searched: those of the tracking for checkpoints
    _TF_MODULE_IGNORED_PROPERTIES = frozenset(
        ("_self_unconditional_checkpoint_dependencies", "_self_unconditional_dependency_names")
    )

    def __init__(self, name: str | None = None) -> None:
        if name is None:
            name = camel_to_snake(type(self).__name__)
        elif not re.fullmatch("[a-zA-Z_][a-zA-Z0-9_]*", name):
            raise ValueError(
                f"{name!r} is not a valid module name. Module names must be valid Python identifiers (e.g. a valid "
                "class name)."
            )
        self._name = name
        with name_scope(name) as scope:
            self._scope_name = scope

    @property
    def name(self) -> str:
        """The name that it was made with."""
        return self._name

    @property
    def name_scope(self) -> AbstractContextManager[Any]:
        """The scope of its ops."""
        return name_scope(self._scope_name)

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables of the module, then those of the modules in it."""
        return tuple(self._flatten(predicate=lambda each: isinstance(each, Variable)))

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """Those that are trained."""
        return tuple(self._flatten(predicate=lambda each: isinstance(each, Variable) and each.trainable))

    @property
    def submodules(self) -> tuple[Any, ...]:
        """The modules in it, at any depth."""
        return tuple(self._flatten(predicate=lambda each: isinstance(each, Module)))

    def _flatten(
        self,
        recursive: bool = True,
        predicate: Callable[[Any], bool] = lambda _: True,
        attribute_traversal_key: Callable[[str], Any] | None = None,
        with_path: bool = False,
    ) -> Iterator[Any]:
        """What its attributes hold, by their names or by a key of these, each once; perhaps behind its path."""
        for path, leaf in _found(self, (), recursive, predicate, attribute_traversal_key, {id(self)}):
            yield (path, leaf) if with_path else leaf

    @classmethod
    def with_name_scope(cls, method: Callable[..., Any]) -> Callable[..., Any]:
        """A method whose ops are in the module's scope."""

        @functools.wraps(method)
        def within(self: Module, *args: Any, **kwargs: Any) -> Any:
            with self.name_scope:
                return method(self, *args, **kwargs)

        return within


def _found(
    module: Module,
    at: tuple[Any, ...],
    recursive: bool,
    predicate: Callable[[Any], bool],
    order: Callable[[str], Any] | None,
    seen: set[int],
) -> Iterator[tuple[tuple[Any, ...], Any]]:
    inner = []
    for key in sorted(vars(module), key=order):
        if key in module._TF_MODULE_IGNORED_PROPERTIES:
            continue
        for path, leaf in nest.flatten_with_tuple_paths(vars(module)[key]):
            if id(leaf) not in seen:
                seen.add(id(leaf))
                if predicate(leaf):
                    yield (*at, key, *path), leaf
                if isinstance(leaf, Module):
                    inner.append(((*at, key, *path), leaf))
    for path, each in inner if recursive else ():
        yield from _found(each, path, recursive, predicate, order, seen)
