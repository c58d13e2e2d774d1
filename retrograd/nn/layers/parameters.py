"""Parameters that a class shows, and takes by their places, though the classes that it stands on share them out."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from inspect import Parameter
from typing import Any, NoReturn, TypeVar

Kind = TypeVar("Kind", bound=type)


def taking(*required: str, with_others: bool = True, **defaults: Any) -> Callable[[Kind], Kind]:
    """A decorator that gives the ``__init__`` of a class these parameters, in this order.

    The class's own ``__init__``, or the one that it inherits, gets them all by name, with the defaults that are
    shown. ``with_others``: it takes other keyword arguments too.

    Raises:
      TypeError: as Python does, where a call does not fit.

    >>> @taking("units", activation=None)
    ... class Layer:
    ...     def __init__(self, **kwargs):
    ...         self.given = kwargs
    >>> inspect.signature(Layer)
    <Signature (units, activation=None, **kwargs)>
    >>> Layer(3, "relu", name="a").given
    {'units': 3, 'activation': 'relu', 'name': 'a'}
    """
    shown = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in ("self", *required)]
    shown += [Parameter(k, Parameter.POSITIONAL_OR_KEYWORD, default=v) for k, v in defaults.items()]
    names = [p.name for p in shown[1:]]
    if with_others:
        shown.append(Parameter("kwargs", Parameter.VAR_KEYWORD))
    signature = inspect.Signature(shown)

    def decorated(kind: Kind) -> Kind:
        begin = kind.__init__  # type: ignore[misc]

        def __init__(self: Any, *args: Any, **kwargs: Any) -> None:
            placed = dict(zip(names, args, strict=False))
            if len(args) > len(names) or placed.keys() & kwargs.keys() or not kwargs.keys() >= {*required} - {*placed}:
                _refuse(names, required, args, kwargs)
            if not with_others and not kwargs.keys() <= {*names}:
                unknown = next(k for k in kwargs if k not in names)
                raise TypeError(f"__init__() got an unexpected keyword argument '{unknown}'")
            begin(self, **{**defaults, **placed, **kwargs})

        __init__.__signature__ = signature  # type: ignore[attr-defined]
        __init__.__doc__, __init__.__module__ = begin.__doc__, kind.__module__
        __init__.__qualname__ = f"{kind.__qualname__}.__init__"
        kind.__init__ = __init__  # type: ignore[misc]
        if hasattr(kind, "__signature__"):  # what a base says that it takes
            kind.__signature__ = signature.replace(parameters=[*signature.parameters.values()][1:])
        return kind

    return decorated


def _refuse(names: list[str], required: tuple[str, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> NoReturn:
    """Say why a call does not fit."""
    if len(args) > len(names):
        most, least = len(names) + 1, len(required) + 1
        takes = f"from {least} to {most}" if least < most else f"{most}"
        raise TypeError(f"__init__() takes {takes} positional arguments but {len(args) + 1} were given")
    for name in names[: len(args)]:
        if name in kwargs:
            raise TypeError(f"__init__() got multiple values for argument '{name}'")
    missing = [f"'{name}'" for name in required[len(args) :] if name not in kwargs]
    listed = " and ".join([", ".join(missing[:-1]), missing[-1]] if len(missing) > 1 else missing)
    plural = "s" if len(missing) > 1 else ""
    raise TypeError(f"__init__() missing {len(missing)} required positional argument{plural}: {listed}")
