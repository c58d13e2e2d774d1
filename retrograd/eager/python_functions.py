"""``tf.py_function``: a Python function whose ops run at once, as an op that has a derivative."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from retrograd.eager.graph import eager_graph
from retrograd.eager.tapes import Tape
from retrograd.eager.tensor import EagerTensor
from retrograd.graph import errors, stack
from retrograd.graph.apply import apply_op
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, Effect, define
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.operation import Operation
from retrograd.ops import constants
from retrograd.ops.host import error_of_user


class _Function:
    """A user's function under its token; it lives as long as the graphs that call it."""

    def __init__(self, call: Callable[..., Any]) -> None:
        self.call = call
        self.token = f"pyfunc_eager_{next(_numbers)}"
        _functions[self.token] = self


_numbers = itertools.count()
_functions: WeakValueDictionary[str, _Function] = WeakValueDictionary()


def _function_of(op: Operation | None, token: str) -> _Function:
    """The function of a token, which means nothing where a file says it.

    Raises:
      InvalidArgumentError: there is none.
    """
    function = _functions.get(token)
    if function is None or (op is not None and op in op.graph.notes.get("read from a file", ())):
        raise errors.InvalidArgumentError(None, None, f"ValueError: callback {token} is not found")
    return function


def _called(xp: Any, memory: Any, inputs: list[Any], *, token: str, Tin: list[DType], Tout: list[DType]) -> list[Any]:
    """The function of tensors that have the values of the inputs."""
    function = _function_of(getattr(memory, "op", None), token)
    with stack.graphs.pushed(eager_graph()):
        try:
            tensors = [EagerTensor(np.asarray(x), dtype) for x, dtype in zip(inputs, Tin, strict=True)]
            results = converted(function.call(*tensors), Tout)
        except Exception as error:
            raise error_of_user(error) from error
    _check_count(results, Tout, token)
    return [y.value_now for y in results]


def converted(results: Any, types: list[DType]) -> list[Any]:
    """What a function returned as tensors of ``types``, as many as there are of both.

    Raises:
      RuntimeError: it returned a variable.
    """
    if results is None or not types:
        return []
    listed = list(results) if isinstance(results, list | tuple) else [results]
    for y in listed:
        if hasattr(y, "handle") and hasattr(y, "read_value"):
            raise RuntimeError(
                "Attempting to return a variable from an eagerly executed py_func. Only numeric data structures like "
                "Tensors or NumPy arrays should be returned; to return the value of a variable, make sure to obtain "
                f"the Tensor backing it by calling `.read_value()` on the variable in question: {y}"
            )
    return [as_tensor(y, dtype) for y, dtype in zip(listed, types, strict=False)]


def _check_count(results: list[Any], types: list[DType], token: str) -> None:
    if len(results) != len(types):
        text = f"{token} returns {len(results)} values, but expects to see {len(types)} values."
        raise errors.InvalidArgumentError(None, None, text)


def _gradient(op: Operation, *dys: Any) -> list[Any]:
    """dx = dy * dy/dx of the function, which is called once more with a tape around it."""
    function = _function_of(op, op.attrs["token"])
    count, types = len(op.inputs), op.attrs["Tout"]
    given = [dy is not None for dy in dys]

    def pulled_back(*values: Any) -> list[Any]:
        xs, seeds = list(values[:count]), iter(values[count:])
        tape = Tape()
        with tape.recording():
            for x in xs:
                tape.watch(x)
            ys = converted(function.call(*xs), types)
        pairs = [(y, next(seeds)) for y, is_given in zip(ys, given, strict=True) if is_given]
        dxs = tape.gradient([y for y, _ in pairs], xs, [dy for _, dy in pairs])
        return [
            constants.zeros_like(x) if dx is None else as_tensor(dx)
            for x, dx in zip(xs, dxs, strict=True) if x.dtype.is_floating or x.dtype.is_complex
        ]  # fmt: skip

    moving = [x.dtype.is_floating or x.dtype.is_complex for x in op.inputs]
    wanted = [x.dtype.base_dtype for x, moves in zip(op.inputs, moving, strict=True) if moves]
    found = iter(_as_op(pulled_back, [*op.inputs, *(dy for dy in dys if dy is not None)], wanted, None).outputs)
    return [next(found) if moves else None for moves in moving]


EAGER_PY_FUNC = define(
    "EagerPyFunc", "input: *Tin", "output: *Tout",
    attrs={"token": REQUIRED, "Tin": REQUIRED, "Tout": REQUIRED, "is_async": False},
    kernel=_called, effect=Effect.HOST, gradient=_gradient,
)  # fmt: skip


def _as_op(call: Callable[..., Any], inputs: list[Any], types: list[DType], name: str | None) -> Operation:
    graph = stack.default_graph()
    function = _Function(call)
    graph.notes.setdefault("python functions", []).append(function)
    return apply_op(EAGER_PY_FUNC, inputs, token=function.token, Tout=types, name=name)


def py_function(func: Callable[..., Any], inp: Any, Tout: Any, name: str | None = None) -> Any:
    """``func`` of the tensors ``inp``, whose ops run at once in every run; its derivative is taken by a tape.

    ``func`` gets tensors that have their values, and returns one value of dtype ``Tout``, or as many as that lists;
    in a graph it is an op where that is none.

    Raises:
      OpError: ``func`` raises; see ``py_func``.
    """
    if not callable(func):
        raise ValueError(f"Expected func to be callable, got func of type {type(func)}")
    single = not isinstance(Tout, list | tuple)
    types = [as_dtype(t) for t in ([Tout] if single else Tout)]
    if stack.default_graph().is_eager:
        try:
            results = converted(func(*[as_tensor(x) for x in inp]), types)
        except Exception as error:
            raise error_of_user(error) from error
        _check_count(results, types, "py_function")
    else:
        op = _as_op(func, list(inp), types, name)
        if not types:
            return op
        results = list(op.outputs)
    return results[0] if single else results
