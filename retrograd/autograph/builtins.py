"""Python's built-in functions, for tensors too."""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import TensorLike, is_tensor
from retrograd.ops import arithmetic, arrays, asserts, casts, constants, host, rounding, string_numbers, strings
from retrograd.ops.conditions import cond


def staged(x: Any) -> bool:
    """Whether ``x`` is a tensor whose value only a run knows."""
    return isinstance(x, TensorLike) and not default_graph().is_eager


def abs_(x: Any) -> Any:
    """The absolute value."""
    return rounding.abs_(x) if is_tensor(x) else abs(x)


def float_(x: Any = 0) -> Any:
    """``x`` as a 32-bit number, if it is a tensor."""
    return _number(x, dtypes.float32) if is_tensor(x) else float(x)


def int_(x: Any = 0, *base: Any) -> Any:
    """``x`` as a 32-bit integer, if it is a tensor.

    Raises:
      NotImplementedError: a tensor is to be read to another base than 10.
    """
    if not is_tensor(x):
        return int(x, *base)
    if base and base[0] != 10:
        raise NotImplementedError(f"base {base[0]} not supported for int")
    return _number(x, dtypes.int32)


def _number(x: Any, dtype: Any) -> Any:
    return string_numbers.string_to_number(x, dtype) if x.dtype == dtypes.string else casts.cast(x, dtype)


def len_(s: Any) -> Any:
    """The size of the first dimension, as a number if it is known while the graph is built.

    Raises:
      ValueError: ``s`` is a scalar.
    """
    if hasattr(type(s), "_with_flow"):  # a TensorArray
        return s.size()
    if not is_tensor(s):
        return len(s)
    if s.shape.ndims and s.shape.as_list()[0] is not None:
        return s.shape.as_list()[0]
    shape = arrays.shape(s)
    (rank,) = shape.shape.as_list()
    if rank == 0:
        raise ValueError(f"len requires a non-scalar tensor, got one of shape {shape}")
    if rank is not None:
        return arrays.shape(s)[0]
    actual = arrays.rank(s)

    def of_scalar() -> Any:
        message = strings.string_join(["len requires non-zero rank, got ", string_numbers.as_string(actual)])
        with control_dependencies([asserts.Assert(False, [message])]):
            return constants.constant(0, dtype=dtypes.int32)

    return cond(actual > 0, lambda: arrays.shape(s)[0], of_scalar)


def print_(*objects: Any, **kwargs: Any) -> Any:
    """Writes the values, when it is run if one of them is a tensor."""
    if not any(staged(each) for each in objects):
        return print(*objects, **kwargs)

    def written(*values: Any) -> int:
        given = iter(values)
        shown = [next(given) if is_tensor(each) else each for each in objects]
        print(*(v.decode() if isinstance(v, bytes) else v for v in shown), **({"flush": True} | kwargs))
        return 1

    return host.py_func(written, [each for each in objects if is_tensor(each)], dtypes.int64)


def range_(start_or_stop: Any, *stop_and_step: Any) -> Any:
    """Integers from ``start`` to ``stop``; none, where an op would complain."""
    if not any(map(staged, (start_or_stop, *stop_and_step))):
        return range(start_or_stop, *stop_and_step)
    if len(stop_and_step) > 1:
        return constants.range_(start_or_stop, *stop_and_step)
    if stop_and_step:
        return constants.range_(start_or_stop, arithmetic.maximum(start_or_stop, stop_and_step[0]))
    return constants.range_(arithmetic.maximum(start_or_stop, 0))


def enumerate_(s: Any, start: Any = 0) -> Any:
    """Elements with their numbers."""
    return s.enumerate(start) if _is_dataset(s) else enumerate(s, start)


def zip_(*iterables: Any, **kwargs: Any) -> Any:
    """Elements side by side."""
    if iterables and all(map(_is_dataset, iterables)):
        return type(iterables[0]).zip(iterables)
    return zip(*iterables, **kwargs)  # noqa: B905


def _is_dataset(x: Any) -> bool:
    return hasattr(type(x), "_looped")


OVERLOADS: dict[Any, Callable[..., Any]] = {
    getattr(builtins, f.__name__.rstrip("_")): f for f in (abs_, float_, int_, len_, print_, range_, enumerate_, zip_)
}
