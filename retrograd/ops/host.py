"""Python functions as ops: ``tf.py_func``."""

from __future__ import annotations

import itertools
import traceback
from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

import numpy as np

from retrograd.graph import errors
from retrograd.graph.apply import apply_op
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, Effect, define, not_differentiable
from retrograd.graph.dtypes import DType, as_dtype, type_word
from retrograd.graph.stack import default_graph
from retrograd.graph.values import bytes_of


class _Function:
    """A user's function under its token; it lives as long as the graphs that call it."""

    def __init__(self, call: Callable[..., Any]) -> None:
        self.call = call
        self.token = f"pyfunc_{next(_numbers)}"
        _functions[self.token] = self


_numbers = itertools.count()
_functions: WeakValueDictionary[str, _Function] = WeakValueDictionary()

# How an exception of the user's function is reported; anything else is an UnknownError.
_CLASSES: tuple[tuple[type[Exception], type[errors.OpError]], ...] = (
    (ValueError, errors.InvalidArgumentError),
    (TypeError, errors.InvalidArgumentError),
    (StopIteration, errors.OutOfRangeError),
    (MemoryError, errors.ResourceExhaustedError),
    (NotImplementedError, errors.UnimplementedError),
)


def _call(
    xp: Any, memory: dict[str, Any], inputs: list[Any], *, token: str, Tin: list[DType], Tout: list[DType]
) -> list[Any]:
    function = _functions.get(token)
    op = getattr(memory, "op", None)
    is_of_file = op is not None and op in op.graph.notes.get("read from a file", ())  # where a token means nothing
    if function is None or is_of_file:
        raise errors.InvalidArgumentError(None, None, f"ValueError: callback {token} is not found")
    try:
        results = function.call(*[_argument(x) for x in inputs])
        values = _values(results)
    except Exception as error:
        raise error_of_user(error) from error
    if len(values) != len(Tout):
        raise errors.InvalidArgumentError(
            None, None, f"{token} returns {len(values)} values, but expects to see {len(Tout)} values."
        )
    for i, (value, dtype) in enumerate(zip(values, Tout, strict=True)):
        _check_dtype(value, dtype, i, token)
    return values


def error_of_user(error: Exception) -> errors.OpError:
    """How a run reports what a user's function raised."""
    kind: Any = next((k for types, k in _CLASSES if isinstance(error, types)), errors.UnknownError)
    reported: errors.OpError = kind(None, None, f"{type(error).__name__}: {error}\n{_trace(error)}")
    return reported


def _trace(error: Exception) -> str:
    """Where the function raised, as Python prints it."""
    assert error.__traceback__ is not None
    frames = traceback.format_tb(error.__traceback__.tb_next)
    return "".join(["Traceback (most recent call last):\n", *frames, *traceback.format_exception_only(error)])


def _argument(x: Any) -> Any:
    """An input as the function gets it: its own to change; a scalar is a NumPy scalar, a string ``bytes``."""
    return np.array(x)[()] if not isinstance(x, bytes) else x


def _values(results: Any) -> list[np.ndarray]:
    """What the function returned as arrays: nothing for None, one for each item of a list or tuple."""
    if results is None:
        return []
    return [_array(r) for r in (results if isinstance(results, list | tuple) else [results])]


def _array(result: Any) -> np.ndarray:
    array = np.asarray(result, order="C")
    if array.dtype.kind in "US":
        return bytes_of(array)
    if array.dtype == object:
        try:
            return bytes_of(array)
        except TypeError:
            return array
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _check_dtype(value: np.ndarray, dtype: DType, i: int, token: str) -> None:
    if value.dtype == object and not all(isinstance(v, bytes) for v in value.ravel()):
        kind: Any = next(type(v).__name__ for v in value.ravel() if not isinstance(v, bytes))
        raise errors.InternalError(None, None, f"Unsupported object type {kind}")
    try:
        found = as_dtype(value.dtype)
    except TypeError:
        words = "data type" if value.dtype.fields else f"type: {value.dtype}"
        raise errors.InternalError(None, None, f"Unsupported numpy {words}") from None
    if found != dtype:
        raise errors.InvalidArgumentError(
            None, None, f"{i}-th value returned by {token} is {type_word(found)}, but expects {type_word(dtype)}"
        )


_TYPES = {"token": REQUIRED, "Tin": REQUIRED, "Tout": REQUIRED}

PY_FUNC = define(
    "PyFunc", "input: *Tin", "output: *Tout", attrs=_TYPES, kernel=_call, effect=Effect.HOST,
    gradient=not_differentiable,
)  # fmt: skip


def _call_stateless(
    xp: Any, memory: dict[str, Any], inputs: list[Any], *, token: str, Tin: list[DType], Tout: list[DType]
) -> list[Any]:
    """A function of nothing that keeps no state is called once in a session."""
    if inputs:
        return _call(xp, memory, inputs, token=token, Tin=Tin, Tout=Tout)
    if "results" not in memory:
        memory["results"] = _call(xp, memory, inputs, token=token, Tin=Tin, Tout=Tout)
    results: list[Any] = memory["results"]
    return results


PY_FUNC_STATELESS = define(
    "PyFuncStateless", "input: *Tin", "output: *Tout", attrs=_TYPES, kernel=_call_stateless, effect=Effect.HOST,
    gradient=not_differentiable,
)  # fmt: skip


def py_func(func: Callable[..., Any], inp: Any, Tout: Any, stateful: bool = True, name: str | None = None) -> Any:
    """``func`` of the tensors ``inp``, called with NumPy values in every run.

    ``func`` returns one value of dtype ``Tout``, or if that is a list, as many values of those dtypes.
    No derivative flows, unless ``gradient_override_map({"PyFunc": ...})`` gives one.

    Raises:
      OpError: ``func`` raises. A ``ValueError`` or ``TypeError`` becomes an ``InvalidArgumentError``,
        ``StopIteration`` an ``OutOfRangeError``, anything without a kin an ``UnknownError``.
    """
    if not callable(func):
        raise ValueError(f"Expected func to be callable, got func of type {type(func)}")
    single = not isinstance(Tout, list | tuple)
    types = [as_dtype(t) for t in ([Tout] if single else Tout)]
    graph = default_graph()
    if graph.is_eager:
        return _called_now(func, inp, types, single)
    function = _Function(func)
    graph.notes.setdefault("python functions", []).append(function)
    definition = PY_FUNC if stateful else PY_FUNC_STATELESS
    op = apply_op(definition, inp, token=function.token, Tout=types, name=name)
    return op.outputs[0] if single else list(op.outputs) or (op if stateful else [])


def _called_now(func: Callable[..., Any], inp: Any, types: list[DType], single: bool) -> Any:
    """The function where ops run at once: called as it is, its exceptions are its own."""
    values = _values(func(*[_argument(as_tensor(x).value_now) for x in inp]))  # type: ignore[attr-defined]
    if len(values) != len(types):
        raise errors.InvalidArgumentError(
            None, None, f"pyfunc returns {len(values)} values, but expects to see {len(types)} values."
        )
    results = [as_tensor(value, dtype) for value, dtype in zip(values, types, strict=True)]
    return results[0] if single else results


def numpy_function(func: Callable[..., Any], inp: Any, Tout: Any, name: str | None = None) -> Any:
    """``func`` of the tensors ``inp``, called with NumPy values in every run."""
    return py_func(func, inp, Tout, stateful=True, name=name)
