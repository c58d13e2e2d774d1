"""Decorators that remember what they decorate: ``tensorflow.python.util.tf_decorator``, which libraries call."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple


class TFDecorator:
    """What a decorator was called, and the function that it decorates; stands for that function."""

    def __init__(
        self, decorator_name: str, target: Callable[..., Any], decorator_doc: str = "", decorator_argspec: Any = None
    ) -> None:
        self.decorated_target = target
        self.decorator_name = decorator_name
        self.decorator_doc = decorator_doc
        self.decorator_argspec = decorator_argspec
        for name in ("__name__", "__qualname__"):
            if hasattr(target, name):
                setattr(self, name, getattr(target, name))
        self.__doc__ = decorator_doc or getattr(target, "__doc__", None) or ""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.decorated_target(*args, **kwargs)


def make_decorator(
    target: Callable[..., Any],
    decorator_func: Callable[..., Any],
    decorator_name: str | None = None,
    decorator_doc: str = "",
    decorator_argspec: Any = None,
) -> Callable[..., Any]:
    """``decorator_func`` itself, which takes over the name and the text of ``target`` and remembers it.

    >>> def shout(word): return word.upper()
    >>> make_decorator(shout, lambda *args: shout(*args) + "!")("ah")
    'AH!'
    """
    func: Any = decorator_func
    decorator = TFDecorator(decorator_name or func.__name__, target, decorator_doc, decorator_argspec)
    func._tf_decorator = decorator
    func.__name__ = getattr(target, "__name__", func.__name__)
    func.__module__ = getattr(target, "__module__", func.__module__)
    func.__doc__ = decorator.__doc__
    func.__wrapped__ = target
    return decorator_func


def unwrap(maybe_tf_decorator: Any) -> tuple[list[TFDecorator], Any]:
    """The decorators around a function, the outermost first, and the function that they decorate."""
    decorators: list[TFDecorator] = []
    while True:
        found = maybe_tf_decorator if isinstance(maybe_tf_decorator, TFDecorator) else None
        found = found or getattr(maybe_tf_decorator, "_tf_decorator", None)
        if found is None:
            return decorators, maybe_tf_decorator
        decorators.append(found)
        maybe_tf_decorator = found.decorated_target


def rewrap(decorator_func: Any, previous_target: Any, new_target: Any) -> Any:
    """The decorated function, with ``new_target`` in the place of ``previous_target`` or of the innermost function.

    A function without decorators is ``new_target``.
    """
    inner, cur = None, decorator_func
    while (found := getattr(cur, "_tf_decorator", None)) is not None:
        inner, cur = cur, found.decorated_target
        if cur is previous_target:
            break
    if inner is None:
        return new_target
    inner._tf_decorator.decorated_target = new_target
    getattr(inner, "__func__", inner).__wrapped__ = new_target
    return decorator_func


class ArgSpec(NamedTuple):
    """The arguments of a function, without the keyword-only ones."""

    args: list[str]
    varargs: str | None
    keywords: str | None
    defaults: tuple[Any, ...] | None


def getfullargspec(func: object) -> inspect.FullArgSpec:
    """The arguments of a function, or those that its decorators say it has; of ours without their types.

    Libraries compare what this says of TensorFlow's functions, which have no types, with their own functions.
    """
    decorators, target = unwrap(func)
    for said in decorators:
        if said.decorator_argspec is not None:
            found: inspect.FullArgSpec = said.decorator_argspec
            return found
    if not (getattr(target, "__module__", None) or "").startswith("retrograd."):
        return inspect.getfullargspec(target)
    return inspect.getfullargspec(inspect.unwrap(target))._replace(annotations={})


def getargspec(obj: Any) -> ArgSpec:
    """The arguments of a function, which Python's own ``inspect`` no longer gives in this form.

    >>> getargspec(lambda x, *, axis=0: x)
    ArgSpec(args=['x'], varargs=None, keywords=None, defaults=None)
    """
    return ArgSpec(*getfullargspec(obj)[:4])
