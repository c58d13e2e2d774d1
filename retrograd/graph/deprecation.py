"""Decorators that log, once, that a function or an argument is on its way out."""

from __future__ import annotations

import contextlib
import functools
import inspect
import os
from collections.abc import Callable, Iterator
from typing import Any

from retrograd.graph import log
from retrograd.graph.source import user_frames

_PRINT_DEPRECATION_WARNINGS = True
_warned: set[Any] = set()


def _warn(key: Any, warn_once: bool, text: str) -> None:
    if _PRINT_DEPRECATION_WARNINGS and key not in _warned:
        if warn_once:
            _warned.add(key)
        log.warning(text)


def _caller() -> str:
    """The file and line of the program that calls."""
    for code, line in user_frames():
        return f"{os.path.basename(code.co_filename)}:{line}"
    return "a program"


def _removal(date: str | None) -> str:
    return "in a future version" if date is None else f"after {date}"


def deprecated(date: str | None, instructions: str, warn_once: bool = True) -> Callable[..., Any]:
    """Log at a call that the function is deprecated and what to use instead."""

    def decorator(func: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(func)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            _warn(
                func, warn_once,
                f"{func.__name__} (from {func.__module__}) is deprecated and will be removed {_removal(date)}.\n"
                f"Instructions for updating:\n{instructions}",
            )  # fmt: skip
            return func(*args, **kwargs)

        return decorated

    return decorator


def deprecated_alias(deprecated_name: str, name: str, func_or_class: Any, warn_once: bool = True) -> Any:
    """A function or class under a name that is deprecated, which logs so when it is used."""

    def tell() -> None:
        _warn(
            deprecated_name, warn_once,
            f"From {_caller()}: The name {deprecated_name} is deprecated. Please use {name} instead.\n",
        )  # fmt: skip

    if isinstance(func_or_class, type):

        class Alias(func_or_class):  # type: ignore[misc]
            def __init__(self, *args: Any, **kwargs: Any) -> None:
                tell()
                super().__init__(*args, **kwargs)

        return functools.update_wrapper(Alias, func_or_class, updated=())

    @functools.wraps(func_or_class)
    def alias(*args: Any, **kwargs: Any) -> Any:
        tell()
        return func_or_class(*args, **kwargs)

    return alias


def deprecated_args(
    date: str | None, instructions: str, *deprecated_arg_names_or_tuples: Any, warn_once: bool = True
) -> Callable[..., Any]:
    """Log at a call that gives one of the arguments; a tuple is a name and a value that may be given silently."""
    given = deprecated_arg_names_or_tuples
    quiet: dict[str, Any] = dict(a if isinstance(a, tuple) else (a, inspect.Parameter.empty) for a in given)

    def found(signature: inspect.Signature, args: Any, kwargs: Any) -> Iterator[tuple[str, str]]:
        given = signature.bind_partial(*args, **kwargs).arguments
        for name, silent in quiet.items():
            if name in given and given[name] is not silent:
                yield name, name

    return _telling_of(found, date, instructions, warn_once)


def deprecated_arg_values(
    date: str | None, instructions: str, warn_once: bool = True, **deprecated_kwargs: Any
) -> Callable[..., Any]:
    """Log at a call in which an argument has the value that is given here.

    Raises:
      ValueError: no value is given.
    """
    if not deprecated_kwargs:
        raise ValueError("Specify which argument values are deprecated.")

    def found(signature: inspect.Signature, args: Any, kwargs: Any) -> Iterator[tuple[str, str]]:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        for name, value in deprecated_kwargs.items():
            if name in bound.arguments and bound.arguments[name] == value:
                yield name, f"{name}={value}"

    return _telling_of(found, date, instructions, warn_once)


def _telling_of(
    found: Callable[[inspect.Signature, Any, Any], Iterator[tuple[str, str]]], date: str | None, instructions: str,
    warn_once: bool,
) -> Callable[..., Any]:  # fmt: skip
    """A decorator that logs at a call the arguments that are ``found`` in it: each one's name, and how it is shown."""

    def decorator(func: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(func)

        @functools.wraps(func)
        def decorated(*args: Any, **kwargs: Any) -> Any:
            for name, shown in found(signature, args, kwargs):
                _warn(
                    (func, name), warn_once,
                    f"calling {func.__name__} (from {func.__module__}) with {shown} is deprecated and will be "
                    f"removed {_removal(date)}.\nInstructions for updating:\n{instructions}",
                )  # fmt: skip
            return func(*args, **kwargs)

        return decorated

    return decorator


def experimental(func: Callable[..., Any]) -> Callable[..., Any]:
    """``func``, which says at each call that it may change."""

    @functools.wraps(func)
    def decorated(*args: Any, **kwargs: Any) -> Any:
        text = f"{func.__qualname__} (from {func.__module__}) is experimental and may change or be removed at any time"
        log.warning(f"{text}, and without warning.")
        return func(*args, **kwargs)

    notice = "(experimental)\n\nTHIS FUNCTION IS EXPERIMENTAL. It may change or be removed at any time, and without "
    notice += "warning."
    lines = (func.__doc__ or "EXPERIMENTAL FUNCTION").splitlines()
    decorated.__doc__ = "\n".join([f"{lines[0]} {notice}", *lines[1:]])
    return decorated


def deprecated_argument_lookup(new_name: str, new_value: Any, old_name: str, old_value: Any) -> Any:
    """The value of an argument that may be given under its old name.

    Raises:
      ValueError: both are given.
    """
    if old_value is None:
        return new_value
    if new_value is not None:
        raise ValueError(f"Cannot specify both '{old_name}' and '{new_name}'")
    return old_value


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Log no deprecations in the block."""
    global _PRINT_DEPRECATION_WARNINGS
    before, _PRINT_DEPRECATION_WARNINGS = _PRINT_DEPRECATION_WARNINGS, False
    try:
        yield
    finally:
        _PRINT_DEPRECATION_WARNINGS = before
