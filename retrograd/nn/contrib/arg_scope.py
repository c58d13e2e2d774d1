"""Scopes of arguments: defaults that functions take inside of a block."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Scope = dict[str, dict[str, Any]]
_scopes: list[Scope] = [{}]  # of the program, whatever graph is built
_arguments: dict[str, tuple[str, ...]] = {}  # of each decorated function, those that have a default


def current_arg_scope() -> Scope:
    """The arguments that the current block gives, by function."""
    return _scopes[-1]


def arg_scope_func_key(op: Any) -> str:
    """What stands for a function in a scope."""
    key: str = getattr(op, "_key_op", str(op))
    return key


def has_arg_scope(func: Any) -> bool:
    """Whether ``func`` takes arguments from scopes."""
    return arg_scope_func_key(func) in _arguments


def arg_scoped_arguments(func: Any) -> tuple[str, ...]:
    """The arguments that scopes may give to ``func``."""
    return _arguments[arg_scope_func_key(func)]


def add_arg_scope(func: Callable[..., Any]) -> Callable[..., Any]:
    """Let ``func`` take arguments from the scopes that it is called in; those of the call come first."""
    key = arg_scope_func_key(func)

    @functools.wraps(func)
    def scoped(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **{**current_arg_scope().get(key, {}), **kwargs})

    parameters = inspect.signature(func).parameters.values()
    _arguments[key] = tuple(p.name for p in parameters if p.default is not p.empty)
    setattr(scoped, "_key_op", key)  # noqa: B010
    return scoped


@contextmanager
def arg_scope(list_ops_or_scope: Any, **kwargs: Any) -> Iterator[Scope]:
    """Give the functions of a list these arguments inside of the block, or go back to a scope that was opened before.

    Raises:
      TypeError: it is neither a list nor a scope.
      ValueError: a function takes no arguments from scopes, or a scope comes with arguments.
    """
    if isinstance(list_ops_or_scope, dict):
        if kwargs:
            raise ValueError("When attempting to re-use a scope by suppling a dictionary, kwargs must be empty.")
        scope = dict(list_ops_or_scope)
    elif isinstance(list_ops_or_scope, list | tuple):
        scope = dict(current_arg_scope())
        for op in list_ops_or_scope:
            if not has_arg_scope(op):
                name = (getattr(op, "__module__", ""), getattr(op, "__name__", op))
                raise ValueError("%s is not decorated with @add_arg_scope", name)
            key = arg_scope_func_key(op)
            scope[key] = {**scope.get(key, {}), **kwargs}
    else:
        raise TypeError("list_ops_or_scope must either be a list/tuple or reused scope (i.e. dict)")
    _scopes.append(scope)
    try:
        yield scope
    finally:
        _scopes.pop()
