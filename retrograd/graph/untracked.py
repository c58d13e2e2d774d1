"""Under which names an object holds others: attributes that nobody follows, names that are said."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

_NAMES = "_untracked"
_HELD = "_held_under_names"
_UNSAVED = "_unsaved"


class TrackableReference(NamedTuple):
    """What an object holds, and the name under which it does."""

    name: str
    ref: Any


class NoDependency:
    """A value on its way into an attribute that checkpoints do not follow."""

    def __init__(self, value: Any) -> None:
        self.value = value


def untracked_names(value: Any) -> set[str]:
    """The names of the attributes of ``value`` that are not followed, its own included."""
    names: set[str] = vars(value).get(_NAMES, set())
    return names


def leave_untracked(value: Any, *names: str) -> None:
    """Let attributes of ``value`` not be followed."""
    if names:
        vars(value).setdefault(_NAMES, {_NAMES}).update(names)


def unsaved_names(value: Any) -> set[str]:
    """The names of the attributes of ``value`` that checkpoints do not follow, those that nothing follows included."""
    unsaved: set[str] = vars(value).get(_UNSAVED, set())
    return untracked_names(value) | unsaved


def leave_unsaved(value: Any, name: str) -> None:
    """Let checkpoints not follow an attribute of ``value``; a layer in it is one of its layers all the same."""
    leave_untracked(value, _UNSAVED)
    vars(value).setdefault(_UNSAVED, set()).add(name)


def held(value: Any) -> dict[str, Any]:
    """What ``value`` said that it holds, by the names under which checkpoints have it."""
    names: dict[str, Any] = vars(value).get(_HELD, {})
    return names


def hold(value: Any, item: Any, name: str, overwrite: bool = False) -> Any:
    """Save ``item`` with ``value``, under a name; the result is ``item``.

    Raises:
      ValueError: another has the name, and is not to be replaced.
    """
    if held(value).get(name, item) is not item and not overwrite:
        raise name_taken(name)
    leave_untracked(value, _HELD)
    vars(value).setdefault(_HELD, {})[name] = item
    return item


def name_taken(name: str) -> ValueError:
    """The error for a second object of a name."""
    return ValueError(
        f"Called Trackable._track_trackable() with name='{name}', but a Trackable with this name is already "
        "declared as a dependency. Names must be unique (or overwrite=True)."
    )


@contextmanager
def no_automatic_dependency_tracking_scope(obj: Any) -> Iterator[None]:
    """Leave untracked what the block sets of ``obj``."""
    before = dict(vars(obj))
    try:
        yield
    finally:
        leave_untracked(obj, *(n for n, x in vars(obj).items() if n not in before or before[n] is not x))


def no_automatic_dependency_tracking(method: Callable[..., Any]) -> Callable[..., Any]:
    """``method``, leaving untracked what it sets of its object."""

    @functools.wraps(method)
    def untracking(self: Any, *args: Any, **kwargs: Any) -> Any:
        with no_automatic_dependency_tracking_scope(self):
            return method(self, *args, **kwargs)

    return untracking
