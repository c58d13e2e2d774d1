"""Attributes of an object that neither checkpoints nor layers follow."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

_NAMES = "_untracked"


def untracked_names(value: Any) -> set[str]:
    """The names of the attributes of ``value`` that are not followed, its own included."""
    names: set[str] = vars(value).get(_NAMES, set())
    return names


def leave_untracked(value: Any, *names: str) -> None:
    """Let attributes of ``value`` not be followed."""
    if names:
        vars(value).setdefault(_NAMES, {_NAMES}).update(names)


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
