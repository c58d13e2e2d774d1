"""Derivatives of Python functions: by their arguments, or by the variables that they read."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from retrograd.derivatives.tape import GradientTape
from retrograd.grad.checker import jacobians_at, jacobians_of
from retrograd.graph import nest
from retrograd.graph.convert import as_tensor
from retrograd.graph.stack import default_graph
from retrograd.ops import arrays


def implicit_value_and_gradients(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the arguments of ``f`` that gives ``f``, and pairs: its derivative by a variable, the variable.

    The variables are the trainable ones that ``f`` reads, in the order in which they were made.

    >>> from retrograd.eager.context import eager_mode
    >>> from retrograd.state.variables import Variable
    >>> with eager_mode():
    ...     w = Variable(3.0)
    ...     value, [(dw, variable)] = implicit_value_and_gradients(lambda x: w * x)(2.0)
    ...     print(value.numpy(), dw.numpy(), variable is w)
    6.0 2.0 True
    """

    @functools.wraps(f)
    def value_and_gradients(*args: Any, **kwargs: Any) -> Any:
        with GradientTape() as tape:
            ys = f(*args, **kwargs)
            if ys is None:
                raise _gives_nothing(f)
        variables = sorted(tape.watched_variables(), key=_age)
        if not variables:
            raise ValueError("No trainable variables were accessed while the function was being computed.")
        return ys, list(zip(tape.gradient(ys, variables), variables, strict=True))

    return value_and_gradients


def implicit_gradients(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of the arguments of ``f`` that gives pairs: the derivative of ``f`` by a variable, the variable."""

    @functools.wraps(f)
    def gradients(*args: Any, **kwargs: Any) -> Any:
        return implicit_value_and_gradients(f)(*args, **kwargs)[1]

    return gradients


def make_vjp(f: Callable[..., Any], params: Any = None, persistent: bool = True) -> Callable[..., Any]:
    """A function of the arguments of ``f`` that gives ``f``, and what maps the gradient of ``f`` to theirs.

    Args:
      params: names or positions of the arguments; by default all.
      persistent: whether the map may be called more than once.
    """

    def value_and_vjp(*args: Any, **kwargs: Any) -> Any:
        places = _positions(f, params, args)
        if kwargs:
            raise ValueError("Functions to be differentiated cannot receive keyword arguments.")
        given = [as_tensor(x) if i in places else x for i, x in enumerate(args)]
        seen: set[int] = set()
        for i in places:  # each is an argument of its own, whatever was passed twice
            if id(given[i]) in seen:
                given[i] = arrays.identity(given[i])
            seen.add(id(given[i]))
        with GradientTape(persistent=persistent) as tape:
            for i in places:
                tape.watch(given[i])
            ys = f(*given)
            if ys is None:
                raise _gives_nothing(f)
            flat = [as_tensor(y) for y in nest.flatten(ys)]
            flat = [arrays.identity(y) if any(y is x for x in given) else y for y in flat]
            ys = nest.pack_sequence_as(ys, flat)

        def pulled_back(dy: Any = None) -> list[Any]:
            dys = None if dy is None else [as_tensor(x) for x in nest.flatten(dy)]
            dxs: list[Any] = tape.gradient(flat, [given[i] for i in places], dys)
            return dxs

        return ys, pulled_back

    return value_and_vjp


def value_and_gradients_function(f: Callable[..., Any], params: Any = None) -> Callable[..., Any]:
    """A function of the arguments of ``f`` that gives ``f`` and its derivatives by ``params``.

    Its keyword ``dy`` is the gradient of ``f``, ones by default.

    >>> from retrograd.eager.context import eager_mode
    >>> with eager_mode():
    ...     value, (dx, dy) = value_and_gradients_function(lambda x, y: x * x * y)(3.0, 2.0)
    ...     print(value.numpy(), dx.numpy(), dy.numpy())
    18.0 12.0 9.0
    """

    @functools.wraps(f)
    def value_and_gradients(*args: Any, **kwargs: Any) -> Any:
        dy = kwargs.pop("dy", None)
        ys, pulled_back = make_vjp(f, params)(*args, **kwargs)
        return ys, pulled_back(dy)

    return value_and_gradients


def gradients_function(f: Callable[..., Any], params: Any = None) -> Callable[..., Any]:
    """A function of the arguments of ``f`` that gives its derivatives by ``params``."""

    @functools.wraps(f)
    def gradients(*args: Any, **kwargs: Any) -> Any:
        return value_and_gradients_function(f, params)(*args, **kwargs)[1]

    return gradients


def theoretical_and_numerical(f: Callable[..., Any], x: Sequence[Any], delta: float = 1e-3) -> tuple[Any, Any]:
    """``compute_gradient`` of TensorFlow 2: ``jacobians_of``, where ops run at once by a tape.

    Raises:
      ValueError: ``x`` is no list.
    """
    if not default_graph().is_eager or not isinstance(x, list | tuple):
        return jacobians_of(f, x, delta)
    tensors: list[Any] = [as_tensor(v) for v in x]
    _, vjp = make_vjp(f, range(len(tensors)))(*tensors)

    def pulled_back(dy: Any) -> list[Any]:
        found: list[Any] = [None if dx is None else as_tensor(dx) for dx in vjp(as_tensor(dy))]
        return [None if dx is None else dx.numpy() for dx in found]

    def function(at: Sequence[Any]) -> Any:
        return f(*[as_tensor(v) for v in at]).numpy()

    return jacobians_at([np.array(t.numpy()) for t in tensors], function, pulled_back, delta)


def _positions(f: Callable[..., Any], params: Any, args: Sequence[Any]) -> list[int]:
    """Which of the arguments are meant by ``params``."""
    try:
        names = inspect.getfullargspec(f).args
    except TypeError:
        names = []
    if params is None:
        return list(range(len(names) or len(args)))
    if all(isinstance(p, str) for p in params):
        return [names.index(p) for p in params]
    if all(isinstance(p, int) for p in params):
        return list(params)
    raise ValueError(f"params must be all strings or all integers; got {params}.")


def _gives_nothing(f: Callable[..., Any]) -> ValueError:
    name = getattr(f, "__name__", type(f).__name__)
    return ValueError(
        f"Cannot differentiate a function that returns None; did you forget to return a value from {name}?"
    )


def _age(variable: Any) -> int:
    """What sorts variables by when they were made."""
    unique = getattr(variable, "_unique_id", None)
    return int(unique.rpartition("_")[2]) if unique else variable.op.index
