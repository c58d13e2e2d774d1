"""Sets and dictionaries of objects that count as equal only to themselves: lists, arrays, whatever has no hash."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Iterator, MutableMapping, MutableSet
from typing import Any

from retrograd.graph.tensor import Reference


class StandIn:
    """A hashable stand-in for an object, equal only to stand-ins for the same object."""

    def __init__(self, wrapped: Any) -> None:
        self._wrapped = wrapped

    @property
    def unwrapped(self) -> Any:
        """The object."""
        return self._wrapped

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StandIn | Reference):
            raise TypeError("Cannot compare wrapped object with unwrapped object")
        return self._wrapped is other._wrapped

    def __hash__(self) -> int:
        return id(self._wrapped)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} wrapping {self._wrapped!r}>"


class WeakStandIn(StandIn):
    """A stand-in that does not keep its object: without it, it stands for None."""

    def __init__(self, wrapped: Any) -> None:
        super().__init__(weakref.ref(wrapped))  # the same one as long as the object lives

    @property
    def unwrapped(self) -> Any:
        """The object, or None when it is gone."""
        return self._wrapped()


StandIn.__name__ = "_ObjectIdentityWrapper"
WeakStandIn.__name__ = "_WeakObjectIdentityWrapper"


def _those_alive(self: Any) -> Iterator[Any]:
    """What a weak collection still has; the others go."""
    for key in list(self._storage):
        found = key.unwrapped
        if found is not None:
            yield found
        elif isinstance(self._storage, dict):
            del self._storage[key]
        else:
            self._storage.discard(key)


def _how_many_alive(self: Any) -> int:
    return sum(1 for _ in self)


class ObjectIdentityDictionary(MutableMapping[Any, Any]):
    """A dictionary whose keys are objects, each equal only to itself."""

    _stand_in: type[StandIn] = StandIn

    def __init__(self) -> None:
        self._storage: dict[StandIn, Any] = {}

    def __getitem__(self, key: Any) -> Any:
        return self._storage[self._stand_in(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self._storage[self._stand_in(key)] = value

    def __delitem__(self, key: Any) -> None:
        del self._storage[self._stand_in(key)]

    def __len__(self) -> int:
        return len(self._storage)

    def __iter__(self) -> Iterator[Any]:
        return (key.unwrapped for key in list(self._storage))

    def __repr__(self) -> str:
        return f"ObjectIdentityDictionary({self._storage!r})"


class ObjectIdentityWeakKeyDictionary(ObjectIdentityDictionary):
    """A dictionary whose keys are objects, each equal only to itself; keys that nobody else holds go."""

    _stand_in = WeakStandIn
    __iter__ = _those_alive
    __len__ = _how_many_alive


class ObjectIdentitySet(MutableSet[Any]):
    """A set of objects, each equal only to itself."""

    _stand_in: type[StandIn] = StandIn

    def __init__(self, items: Iterable[Any] = ()) -> None:
        self._storage = {self._stand_in(item) for item in items}

    def __contains__(self, item: object) -> bool:
        return self._stand_in(item) in self._storage

    def add(self, value: Any) -> None:
        """Take in an object."""
        self._storage.add(self._stand_in(value))

    def discard(self, value: Any) -> None:
        """Let go of an object, if it is there."""
        self._storage.discard(self._stand_in(value))

    def update(self, items: Iterable[Any]) -> None:
        """Take in objects."""
        self._storage.update(self._stand_in(item) for item in items)

    def intersection(self, items: Iterable[Any]) -> set[StandIn]:
        """Stand-ins for the objects that are also among ``items``."""
        return self._storage.intersection({self._stand_in(item) for item in items})

    def difference(self, items: Iterable[Any]) -> ObjectIdentitySet:
        """The set of the objects that are not among ``items``."""
        rest = ObjectIdentitySet()
        rest._storage = self._storage.difference({self._stand_in(item) for item in items})
        return rest

    def __len__(self) -> int:
        return len(self._storage)

    def __iter__(self) -> Iterator[Any]:
        return (key.unwrapped for key in list(self._storage))


class ObjectIdentityWeakSet(ObjectIdentitySet):
    """A set of objects, each equal only to itself; those that nobody else holds go."""

    _stand_in = WeakStandIn
    __iter__ = _those_alive
    __len__ = _how_many_alive
