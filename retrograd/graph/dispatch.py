"""Functions of tensors that mean something else for objects of other types, such as linear operators."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def dispatched(function: F) -> F:
    """``function``; where it refuses its arguments and one is of a type that ``dispatch_for_types`` names, that."""
    meanings: list[tuple[tuple[type, ...], Callable[..., Any]]] = []

    @functools.wraps(function)
    def tried(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except (TypeError, ValueError):
            values = (*args, *kwargs.values())
            found = (otherwise for types, otherwise in meanings if any(isinstance(v, types) for v in values))
            otherwise = next(found, None)
            if otherwise is None:
                raise
        return otherwise(*args, **kwargs)

    tried.meanings = meanings  # type: ignore[attr-defined]
    return tried  # type: ignore[return-value]


def dispatch_for_types(function: Callable[..., Any], *types: type) -> Callable[[F], F]:
    """The decorated function is what ``function`` means where an argument is of one of ``types``."""

    def register(otherwise: F) -> F:
        function.meanings.append((types, otherwise))  # type: ignore[attr-defined]
        return otherwise

    return register
