"""Containers that checkpoints follow: what holds layers and variables, and lists the weights of all.

Source: TensorFlow 1.15.5, ``python/training/tracking/data_structures.py``: names, messages, what is followed.
"""

from __future__ import annotations

import collections.abc
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from retrograd.eager import deferred
from retrograd.graph.untracked import TrackableReference
from retrograd.nn.layers.held_weights import OfWeights, has_weights
from retrograd.state.variables import VariableV2


class UntrackableError(ValueError):
    """A value is put where checkpoints follow every value, and is nothing that they follow."""


UntrackableError.__name__ = UntrackableError.__qualname__ = "_UntrackableError"


class Container:
    """What is saved with the values in it, under the names that they have there."""

    _is_trackable = True

    def _held(self) -> Iterable[Any]:
        """The values whose layers and variables are this one's."""
        raise NotImplementedError

    def _checkpoint_children(self) -> list[tuple[str, Any]]:
        """The values that checkpoints follow, under their names."""
        raise NotImplementedError

    @property
    def _checkpoint_dependencies(self) -> list[TrackableReference]:
        return [TrackableReference(*pair) for pair in self._checkpoint_children()]

    def _maybe_initialize_trackable(self) -> None:
        """Nothing: what it holds is followed from the first on."""

    def _lookup_dependency(self, name: str) -> Any:
        return dict(self._checkpoint_children()).get(name)

    @property
    def _holders(self) -> list[Any]:
        """What has weights in it: layers, containers, templates."""
        return [x for x in self._held() if has_weights(x)]

    @property
    def layers(self) -> list[Any]:
        """The layers in it, in containers too."""
        return layers_of(self._holders)

    @property
    def trainable(self) -> bool:
        """Whether what it holds is to be trained."""
        return bool(vars(self).get("_self_trainable", True))

    @trainable.setter
    def trainable(self, value: bool) -> None:
        vars(self)["_self_trainable"] = value

    def _gathered(self, kind: str) -> list[Any]:
        return [v for holder in self._holders for v in getattr(holder, kind, ())]

    def _own(self, *, trainable: bool) -> list[Any]:
        return [v for v in self._held() if isinstance(v, VariableV2) and bool(v.trainable) == trainable]

    @property
    def trainable_weights(self) -> list[Any]:
        """The trainable variables."""
        return [*self._gathered("trainable_weights"), *self._own(trainable=True)] if self.trainable else []

    @property
    def non_trainable_weights(self) -> list[Any]:
        """The other variables."""
        others = [*self._gathered("non_trainable_weights"), *self._own(trainable=False)]
        if self.trainable:
            return others
        return [*self._gathered("trainable_weights"), *self._own(trainable=True), *others]

    @property
    def weights(self) -> list[Any]:
        """All variables."""
        return self.trainable_weights + self.non_trainable_weights

    trainable_variables = trainable_weights
    non_trainable_variables = non_trainable_weights
    variables = weights

    @property
    def updates(self) -> list[Any]:
        """The updates of the layers in it."""
        return self._gathered("updates")

    @property
    def losses(self) -> list[Any]:
        """The losses of the layers in it."""
        return self._gathered("losses")


def layers_of(values: Iterable[Any]) -> list[Any]:
    """The layers among layers and containers, and those in the containers; each once."""
    found: dict[int, Any] = {}
    for x in values:
        for layer in layers_of(x._holders) if isinstance(x, Container) else [x]:
            if isinstance(layer, OfWeights):
                found.setdefault(id(layer), layer)
    return list(found.values())


def is_trackable(value: Any) -> bool:
    """Whether checkpoints follow a value."""
    return hasattr(type(value), "_is_trackable") or hasattr(type(value), "_checkpoint_children")


WRAPPERS: dict[type, Callable[[Any], Any]] = {}  # what a program assigns, and what that becomes


def wrapped(value: Any) -> Any:
    """A plain list or dict with its wrapper around it, what ``NoDependency`` holds, or ``value`` itself."""
    wrapper = WRAPPERS.get(type(value))
    return value if wrapper is None else wrapper(value)


def joined(value: Any) -> Any:
    """``wrapped``, of a value that a container takes in: a layer of ``tf.layers`` makes resource variables there."""
    layer: Any = value
    if isinstance(value, OfWeights) and hasattr(value, "_use_resource_variables"):
        layer._use_resource_variables = True
    return wrapped(value)


def checked(value: Any) -> Any:
    """That checkpoints can follow a value; a list or dict is wrapped.

    Raises:
      ValueError: they cannot.
    """
    value = joined(value)
    if not is_trackable(value):
        raise UntrackableError(
            f"Only trackable objects (such as Layers or Optimizers) may be stored in a List object. Got {value}, which "
            "does not inherit from Trackable."
        )
    return value


class List(Container, collections.abc.Sequence[Any]):
    """A list of what checkpoints follow, under the numbers of the places; elements are only added.

    >>> len(List([List(), List()]))
    2

    Raises:
      ValueError: an element is nothing that they follow.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        given: list[Any] = list(*args, **kwargs)
        self._storage = [checked(x) for x in given]

    def _held(self) -> Iterable[Any]:
        return self._storage

    def _checkpoint_children(self) -> list[tuple[str, Any]]:
        return [(str(i), x) for i, x in enumerate(self._storage)]

    def append(self, value: Any) -> None:
        """Put an element behind the last."""
        self._storage.append(checked(value))
        deferred.variables_made()

    def extend(self, values: Iterable[Any]) -> None:
        """Put elements behind the last."""
        for value in values:
            self.append(value)

    def __getitem__(self, index: Any) -> Any:
        return self._storage[index]

    def __len__(self) -> int:
        return len(self._storage)

    def __add__(self, other: Any) -> List:
        return type(self)(self._storage + list(other))

    def __radd__(self, other: Any) -> List:
        return type(self)(list(other) + self._storage)

    def __iadd__(self, other: Any) -> List:
        self.extend(other)
        return self

    def __mul__(self, n: int) -> List:
        return type(self)(self._storage * n)

    __rmul__ = __mul__

    def __imul__(self, n: int) -> List:
        if n <= 0:
            raise ValueError(f"List only supports append, multiplying in place by {n} removes elements.")
        self.extend(self._storage * (n - 1))
        return self

    def __eq__(self, other: object) -> bool:
        return self._storage == (other._storage if isinstance(other, List) else other)

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"List({self._storage!r})"

    def copy(self) -> List:
        """Another list of the same elements."""
        return type(self)(self._storage)


class Mapping(Container, collections.abc.Mapping[str, Any]):
    """A dict of what checkpoints follow, under its keys; a key is set once.

    Raises:
      TypeError: a key is no text.
      ValueError: a key is set again, or a value is nothing that they follow.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._storage: dict[str, Any] = {}
        self.update(*args, **kwargs)

    def _held(self) -> Iterable[Any]:
        return [self._storage[key] for key in sorted(self._storage)]

    def _checkpoint_children(self) -> list[tuple[str, Any]]:
        return list(self._storage.items())

    def __setitem__(self, key: str, value: Any) -> None:
        if not isinstance(key, str):
            raise TypeError(f"Mapping accepts only string keys, but got a key {key!r}.")
        value = checked(value)
        if self._storage.setdefault(key, value) is not value:
            raise ValueError(
                f"Mappings are an append-only data structure. Tried to overwrite the key '{key}' with value {value}, "
                f"but it already contains {self._storage[key]}"
            )
        deferred.variables_made()

    def update(self, *args: Any, **kwargs: Any) -> None:
        """Set several keys."""
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def __getitem__(self, key: str) -> Any:
        return self._storage[key]

    def __len__(self) -> int:
        return len(self._storage)

    def __iter__(self) -> Iterator[str]:
        return iter(self._storage)

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"Mapping({self._storage!r})"
