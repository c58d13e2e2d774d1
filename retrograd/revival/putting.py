"""Puts names into modules and types, and takes them away again."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

undo: list[Callable[[], object]] = []
_RETROGRAD = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIBRARIES = (_RETROGRAD + os.sep, os.path.dirname(os.__file__) + os.sep)


def put(owner: Any, **names: Any) -> None:
    """Give ``owner`` those of the ``names`` that it lacks."""
    for name, value in names.items():
        if name not in vars(owner):
            setattr(owner, name, value)
            undo.append(lambda name=name: delattr(owner, name))  # type: ignore[misc]


def put_on_type(owner: type, *, instead: bool = False, **names: Any) -> None:
    """`put` for a type that is written in C, whose attributes CPython lets nobody set.

    ``instead``: in the place of what is there.
    """
    for name, value in names.items():
        before = vars(owner).get(name)
        if (instead or before is None) and _set(owner, name, value):
            undo.append(lambda name=name, before=before: _set(owner, name, before))  # type: ignore[misc]


_IMMUTABLE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE


def _set(owner: Any, name: str, value: Any) -> bool:
    """Set an attribute, or delete it (None), while the type does not say that it is immutable."""
    if sys.implementation.name != "cpython":
        return False
    import ctypes

    # the flags are one of a type's first words (the 22nd, in most builds of Python), and to be read as __flags__
    words = (ctypes.c_size_t * 24).from_address(id(owner))
    places = [i for i, word in enumerate(words) if word == owner.__flags__]
    if len(places) != 1:
        return False
    words[places[0]] &= ~_IMMUTABLE
    try:
        setattr(owner, name, value) if value is not None else delattr(owner, name)
    finally:
        words[places[0]] |= _IMMUTABLE
    return True


def otherwise(owner: Any, name: str, other: Callable[..., Callable[[], Any] | None]) -> None:
    """Where ``owner.name(...)`` raises in the program's own lines and ``other(error, ...)`` knows a way, go that."""
    import functools

    first = getattr(owner, name)

    @functools.wraps(first)
    def either(*args: Any, **kwargs: Any) -> Any:
        try:
            return first(*args, **kwargs)
        except (TypeError, ValueError, OverflowError, NotImplementedError) as error:
            frame: Any = sys._getframe(1)
            if frame.f_code.co_filename == __file__:  # a function of ``by_attribute``
                frame = frame.f_back
            caller = frame.f_code.co_filename
            way = None if caller.startswith(LIBRARIES) else other(first, str(error), *args, **kwargs)
            if way is None:
                raise
        return way()

    setattr(owner, name, either)
    undo.append(lambda: setattr(owner, name, first))


def by_attribute(owner: Any, name: str) -> None:
    """Let ``owner.name(x)``, which gives ``x.name`` where there is one, do so in less time than it takes by itself."""
    from operator import attrgetter

    read = attrgetter(name)

    def quick(first: Any) -> Any:
        def found(*args: Any, **kwargs: Any) -> Any:
            if len(args) == 1 and not kwargs:
                try:
                    return read(args[0])
                except AttributeError:
                    pass
            return first(*args, **kwargs)

        return found

    replace(owner, name, quick)


def by_places(function: Any) -> Any:
    """``function``, whose named arguments may follow the others without their names."""
    import functools
    import inspect

    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None or not code.co_kwonlyargcount or code.co_flags & inspect.CO_VARARGS:
        return function
    places = code.co_argcount
    named = code.co_varnames[places : places + code.co_kwonlyargcount]

    @functools.wraps(function)
    def either(*args: Any, **kwargs: Any) -> Any:
        more = dict(zip(named, args[places:], strict=False))
        if not more or len(args) - places > len(named) or kwargs.keys() & more.keys():
            return function(*args, **kwargs)
        return function(*args[:places], **more, **kwargs)

    return either


def replace(owner: Any, name: str, made: Callable[[Any], Any]) -> None:
    """Put ``made(what is there)`` in the place of ``owner.name``, where there is one."""
    import functools

    first = vars(owner).get(name, getattr(owner, name, None))
    if first is None:
        return
    new = made(first)
    if new is not first:
        inherited = name not in vars(owner)
        setattr(owner, name, functools.wraps(first)(new) if callable(first) else new)
        undo.append(lambda: delattr(owner, name) if inherited else setattr(owner, name, first))


def renamed(owner: Any, *functions: str, **names: str | None) -> None:
    """Let ``functions`` of ``owner`` take arguments by old names: ``old="new"``, or None for one that means nothing."""

    def taking(first: Any) -> Any:
        def either(*args: Any, **kwargs: Any) -> Any:
            for old in names.keys() & kwargs.keys():
                value, new = kwargs.pop(old), names[old]
                if new is not None:
                    kwargs[new] = value
            return first(*args, **kwargs)

        return either

    for function in functions:
        replace(owner, function, taking)
