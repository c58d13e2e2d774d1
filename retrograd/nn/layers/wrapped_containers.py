"""What a list or a dict becomes when it is made an attribute of an object that is saved with what it holds.

The wrapper and what it wraps have the same elements, whichever of them a program changes. Checkpoints name elements by
their places, so a change that moves what they follow, or that goes past the wrapper, is told when the object is saved.
"""

from __future__ import annotations

import collections
import collections.abc
import copy
import functools
import operator
from collections.abc import Iterable, Iterator
from typing import Any, Self

from retrograd.eager import deferred
from retrograd.graph.untracked import NoDependency, leave_unsaved, unsaved_names
from retrograd.nn.layers.containers import WRAPPERS, Container, List, is_trackable, joined, wrapped
from retrograd.nn.layers.held_weights import OWN_LISTS, OfWeights

_LEFT_ALONE = (
    "\n\nIf you don't need this {kind} checkpointed, wrap it in a tf.contrib.checkpoint.NoDependency object; it will "
    "be automatically un-wrapped and subsequently ignored."
)


class ListWrapper(List, collections.abc.MutableSequence[Any], list[Any]):  # type: ignore[misc, metaclass]
    """A list whose elements are saved by their places; the list that it is itself, as C sees it, stays empty.

    >>> ListWrapper([1, {"a": []}])
    ListWrapper([1, DictWrapper({'a': ListWrapper([])})])
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, wrapped_list: Any = ()) -> None:
        self._storage = wrapped_list if type(wrapped_list) is list else list(wrapped_list)
        self._followed: dict[str, Any] = {}
        self._non_append_mutation = self._external_modification = False
        for i, value in enumerate(self._storage):
            self._storage[i] = self._follow(value, i)
        self._seen()

    def _follow(self, value: Any, place: int) -> Any:
        left_alone, value = isinstance(value, NoDependency), joined(value)
        if not left_alone and is_trackable(value):
            self._followed[str(place)] = value
        return value

    def _seen(self) -> None:
        """That the elements are these is the wrapper's own doing."""
        self._snapshot = list(self._storage)

    def _dirty(self) -> bool:
        if not self._same(self._snapshot):
            self._external_modification = True
        return self._external_modification or self._non_append_mutation

    def _same(self, before: list[Any]) -> bool:
        return len(before) == len(self._storage) and all(map(operator.is_, before, self._storage))

    def _held(self) -> Iterable[Any]:
        return self._storage

    def _checkpoint_children(self) -> list[tuple[str, Any]]:
        """The elements that checkpoints follow.

        Raises:
          ValueError: elements were moved or taken away, or the list was changed past the wrapper.
        """
        if not self._dirty():
            return list(self._followed.items())
        said = f"Unable to save the object {self} (a list wrapper constructed to track trackable TensorFlow objects). "
        if self._non_append_mutation:
            said += (
                "A list element was replaced (__setitem__, __setslice__), deleted (__delitem__, __delslice__), or "
                "moved (sort). In order to support restoration on object creation, tracking is exclusively for "
                "append-only data structures."
            )
        else:
            said += (
                f"The wrapped list was modified outside the wrapper (its final value was {self._storage}, its value "
                "when a checkpoint dependency was added was None), which breaks restoration on object creation."
            )
        raise ValueError(said + _LEFT_ALONE.format(kind="list"))

    # -- changes -------------------------------------------------------------------------------

    def append(self, value: Any) -> None:
        """Put an element behind the last."""
        self._dirty()
        self._storage.append(self._follow(value, len(self._storage)))
        self._seen()
        deferred.variables_made()

    def extend(self, values: Iterable[Any]) -> None:
        """Put elements behind the last."""
        for value in list(values):
            self.append(value)

    def __setitem__(self, key: Any, value: Any) -> None:
        self._dirty()
        if isinstance(key, slice):
            before = list(self._storage)
            self._storage[key] = [wrapped(x) for x in value]
            kept = zip(before, self._storage, strict=False)
            if any(is_trackable(x) and x is not y for x, y in kept) or any(
                map(is_trackable, before[len(self._storage) :])
            ):
                self._non_append_mutation = True
            self._followed = {str(i): self._follow(x, i) for i, x in enumerate(self._storage) if is_trackable(x)}
        else:
            place = operator.index(key)
            place += len(self._storage) if place < 0 else 0
            old = self._storage[place]
            self._storage[place] = new = self._follow(value, place)
            if is_trackable(old) and old is not new:
                self._non_append_mutation = True
        self._seen()
        deferred.variables_made()

    def __delitem__(self, key: Any) -> None:
        self._dirty()
        self._non_append_mutation = True
        del self._storage[key]
        self._seen()

    def insert(self, index: int, value: Any) -> None:
        """Put an element before another."""
        self._dirty()
        self._non_append_mutation = True
        self._storage.insert(index, wrapped(value))
        self._seen()

    def sort(self, *, key: Any = None, reverse: bool = False) -> None:
        """Put the elements in order."""
        self._dirty()
        self._non_append_mutation = True
        self._storage.sort(key=key, reverse=reverse)
        self._seen()

    def __imul__(self, n: int) -> Self:
        if n <= 0:
            self._storage.clear()
        else:
            self.extend(self._storage * (n - 1))
        return self

    clear = collections.abc.MutableSequence.clear
    pop = collections.abc.MutableSequence.pop
    remove = collections.abc.MutableSequence.remove
    reverse = collections.abc.MutableSequence.reverse

    # -- as a list -----------------------------------------------------------------------------

    def __iter__(self) -> Iterator[Any]:
        return iter(self._storage)

    def __reversed__(self) -> Iterator[Any]:
        return reversed(self._storage)

    def __contains__(self, value: Any) -> bool:
        return value in self._storage

    def count(self, value: Any) -> int:
        """How many elements are equal to ``value``."""
        return self._storage.count(value)

    def index(self, value: Any, *where: Any) -> int:
        """The place of the first element that is equal to ``value``."""
        return self._storage.index(value, *where)

    def __eq__(self, other: object) -> bool:
        return self._storage == _plain(other)

    def __ne__(self, other: object) -> bool:
        return self._storage != _plain(other)

    def __lt__(self, other: Any) -> bool:
        return self._storage < _plain(other)

    def __le__(self, other: Any) -> bool:
        return self._storage <= _plain(other)

    def __gt__(self, other: Any) -> bool:
        return self._storage > _plain(other)

    def __ge__(self, other: Any) -> bool:
        return self._storage >= _plain(other)

    def __repr__(self) -> str:
        return f"ListWrapper({self._storage!r})"

    def __sizeof__(self) -> int:
        return object.__sizeof__(self) + self._storage.__sizeof__()

    def __copy__(self) -> ListWrapper:
        return self._copied(copy.copy(self._storage))

    def __deepcopy__(self, memo: dict[int, Any]) -> ListWrapper:
        return self._copied(copy.deepcopy(self._storage, memo))

    def copy(self) -> ListWrapper:
        """Another list of the same elements."""
        return self.__copy__()

    def _copied(self, storage: list[Any]) -> ListWrapper:
        """The same around other elements; what cannot be saved has copies that cannot."""
        self._dirty()
        result = type(self)(storage)
        result._non_append_mutation = self._non_append_mutation
        result._external_modification = self._external_modification
        return result

    def __reduce_ex__(self, protocol: Any) -> Any:
        return type(self), (self._storage,)


def _plain(value: Any) -> Any:
    return value._storage if isinstance(value, ListWrapper) else value


class DictWrapper(Container):
    """A dict whose values are saved by their keys: it stands before the dict, and says that it is of its class."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, wrapped_dict: Any = (), **kwargs: Any) -> None:
        is_plain = isinstance(wrapped_dict, dict) and not isinstance(wrapped_dict, DictWrapper) and not kwargs
        self._wrapped = wrapped_dict if is_plain else dict(wrapped_dict, **kwargs)
        self._followed: dict[str, Any] = {}
        self._non_string_key = self._external_modification = False
        for key, value in list(self._wrapped.items()):
            self._wrapped[key] = self._follow(key, value)
        self._seen()

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return type(self._wrapped)

    @property
    def __wrapped__(self) -> Any:
        return self._wrapped

    def _follow(self, key: Any, value: Any) -> Any:
        left_alone, value = isinstance(value, NoDependency), joined(value)
        if not left_alone and is_trackable(value):
            if isinstance(key, str):
                self._followed[key] = value
            else:
                self._non_string_key = True
        return value

    def _seen(self) -> None:
        """That the values are these is the wrapper's own doing."""
        self._snapshot = list(self._wrapped.items())

    def _dirty(self) -> bool:
        now = list(self._wrapped.items())
        same = len(now) == len(self._snapshot) and all(
            key == other and value is x for (key, value), (other, x) in zip(now, self._snapshot, strict=True)
        )
        if not same:
            self._external_modification = True
        return self._external_modification or self._non_string_key

    def _held(self) -> Iterable[Any]:
        """The values in the order of their keys, where these have one."""
        try:
            return [self._wrapped[key] for key in sorted(self._wrapped)]
        except TypeError:
            return list(self._wrapped.values())

    def _checkpoint_children(self) -> list[tuple[str, Any]]:
        """The values that checkpoints follow.

        Raises:
          ValueError: one has a key that is no text, or the dict was changed past the wrapper.
        """
        if not self._dirty():
            return list(self._followed.items())
        said = f"Unable to save the object {self} (a dictionary wrapper constructed automatically on attribute "
        if self._non_string_key:
            said += (
                "assignment). The wrapped dictionary contains a non-string key which maps to a trackable object or "
                "mutable data structure."
            )
        else:
            said += (
                "assignment). The wrapped dictionary was modified outside the wrapper (its final value was "
                f"{self}, its value when a checkpoint dependency was added was None), which breaks restoration on "
                "object creation."
            )
        raise ValueError(said + _LEFT_ALONE.format(kind="dictionary"))

    # -- changes -------------------------------------------------------------------------------

    def __setitem__(self, key: Any, value: Any) -> None:
        self._dirty()
        self._wrapped[key] = self._follow(key, value)
        self._seen()
        deferred.variables_made()

    def __delitem__(self, key: Any) -> None:
        self._dirty()
        del self._wrapped[key]
        self._seen()

    def update(self, *args: Any, **kwargs: Any) -> None:
        """Set several keys."""
        for key, value in dict(*args, **kwargs).items():
            self[key] = value

    def __ior__(self, other: Any) -> Self:
        self.update(other)
        return self

    # -- as the dict ---------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        if name == "_wrapped":  # while it is being made
            raise AttributeError(name)
        return getattr(self._wrapped, name)

    def __getitem__(self, key: Any) -> Any:
        return self._wrapped[key]

    def __len__(self) -> int:
        return len(self._wrapped)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._wrapped)

    def __reversed__(self) -> Iterator[Any]:
        return reversed(self._wrapped)

    def __contains__(self, key: Any) -> bool:
        return key in self._wrapped

    def __eq__(self, other: object) -> bool:
        return bool(self._wrapped == (other._wrapped if isinstance(other, DictWrapper) else other))

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __or__(self, other: Any) -> Any:
        return self._wrapped | (other._wrapped if isinstance(other, DictWrapper) else other)

    def __ror__(self, other: Any) -> Any:
        return other | self._wrapped

    def __repr__(self) -> str:
        return f"DictWrapper({self._wrapped!r})"

    def __str__(self) -> str:
        return str(self._wrapped)

    def __format__(self, spec: str) -> str:
        return format(self._wrapped, spec)

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *dir(self._wrapped)})

    def copy(self) -> DictWrapper:
        """Another dict of the same values."""
        return self.__copy__()

    def __copy__(self) -> DictWrapper:
        return self._copied(copy.copy(self._wrapped))

    def __deepcopy__(self, memo: dict[int, Any]) -> DictWrapper:
        return self._copied(copy.deepcopy(self._wrapped, memo))

    def _copied(self, held: Any) -> DictWrapper:
        """The same around other values; what cannot be saved has copies that cannot."""
        self._dirty()
        result = DictWrapper(held)
        result._non_string_key, result._external_modification = self._non_string_key, self._external_modification
        return result

    def __reduce_ex__(self, protocol: Any) -> Any:
        return type(self._wrapped), (list(self._wrapped.items()),)


DictWrapper.__name__ = DictWrapper.__qualname__ = "_DictWrapper"
WRAPPERS.update({list: ListWrapper, dict: DictWrapper, collections.OrderedDict: DictWrapper})
WRAPPERS[NoDependency] = operator.attrgetter("value")

# -- attributes ----------------------------------------------------------------------------------


def assigned(owner: Any, name: str, value: Any) -> Any:
    """What ``owner`` is to have under a name when it is given ``value``."""
    if isinstance(value, NoDependency):
        leave_unsaved(owner, name)
        return value.value
    if name in unsaved_names(owner) or name in OWN_LISTS:
        return value
    if is_private(type(owner), name) and not _has_layers(value):
        return value
    return wrapped(value)


def _has_layers(value: Any) -> bool:
    return any(isinstance(x, OfWeights) for x in (value.values() if isinstance(value, dict) else value))


def is_private(kind: type, name: str) -> bool:
    """Whether a class of ours keeps something for itself under a name, on which no program relies."""
    return name.startswith("_") and any(name in _names_used(cls) for cls in kind.__mro__)


@functools.cache
def _names_used(cls: type) -> frozenset[str]:
    if not cls.__module__.startswith("retrograd."):
        return frozenset()
    codes = [getattr(f, "__code__", None) for f in vars(cls).values()]
    return frozenset(name for code in codes if code is not None for name in code.co_names)
