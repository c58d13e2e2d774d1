"""Assertions about values and dtypes, decided while building where the values are known."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.stack import default_graph
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, asserts, comparison, conditions, control, reductions, rounding, slicing

# -- two tensors -------------------------------------------------------------------------------


def _fail_now(data: list[Any]) -> None:
    """The failure of an assertion whose values are known while building."""
    values = [constant_value(x) if isinstance(x, Tensor) else x for x in data]
    lines = [str(x if v is None else v) for x, v in zip(data, values, strict=True)]
    raise InvalidArgumentError(None, None, "\n".join(lines))


def _assert_all(
    default_name: str, sign: str, test: Callable[..., Tensor], static_test: Callable[..., Any], x: Any,
    y: Any, data: Any, summarize: int | None, message: str | None, name: str | None,
) -> Operation:  # fmt: skip
    """An op that fails unless ``test`` holds for every pair of elements."""
    with name_scope(name, default_name, [x, y]):
        x = as_tensor(x, name="x")
        y = as_tensor(y, name="y")
        given = data is not None
        if data is None:
            data = [
                f"Condition x {sign} y did not hold element-wise:",
                f"x ({x.name}) = ", x, f"y ({y.name}) = ", y,
            ]  # fmt: skip
        if message is not None:
            data = [message, *data]
        if default_graph().is_eager:
            _assert_now(sign, x, y, test(x, y), data if given else None, summarize, message)
            return control.no_op()
        condition = reductions.reduce_all(test(x, y))
        x_now, y_now = constant_value(x), constant_value(y)
        if x_now is not None and y_now is not None and not np.all(static_test(x_now, y_now)):
            _fail_now(data)
        return asserts.Assert(condition, data, summarize=summarize)


def _described(x: Tensor) -> str:
    """What a message calls a tensor: its name in graphs, what it is where ops run at once."""
    return f"shape={x.shape} dtype={x.dtype.name}" if default_graph().is_eager else x.name


def _shown(item: Any, count: int) -> str:
    """An item of a message where ops run at once: of a tensor its first elements."""
    value = constant_value(item) if isinstance(item, Tensor) else None
    if value is None or value.ndim == 0:
        return str(item if value is None else value)
    flat = value.ravel()
    return str([*map(str, flat[:count]), *(["..."] if count < flat.size else [])])


def _assert_now(sign: str, x: Any, y: Any, holds: Any, data: Any, summarize: int | None, message: str | None) -> None:
    """The assertion where ops run at once."""
    held = np.asarray(holds.numpy())
    if held.all():
        return
    count = 3 if summarize is None else int(1e9) if summarize < 0 else summarize
    if data is not None:
        data = data if message is None else [message, *data]
        raise InvalidArgumentError(None, None, "\n".join(_shown(item, count) for item in data))
    lines = [*([] if message is None else [message]), f"Condition x {sign} y did not hold."]
    x, y = x.numpy(), y.numpy()
    if count and x.shape == y.shape != ():
        wrong = np.argwhere(~held)[:count]
        lines.append(f"Indices of first {len(wrong)} different values:\n{wrong}")
        lines += [f"Corresponding {name} values:\n{v[~held][:count]}" for name, v in (("x", x), ("y", y))]
    if count:
        first = [(name, np.ravel(v)[:count]) for name, v in (("x", x), ("y", y))]
        lines += [f"First {v.size} elements of {name}:\n{v}" for name, v in first]
    raise InvalidArgumentError(None, None, "\n".join(lines))


def assert_equal(
    x: Any, y: Any, data: Any = None, summarize: int | None = None, message: str | None = None,
    name: str | None = None,
) -> Operation:  # fmt: skip
    """An op that fails unless ``x == y`` in every element.

    Raises:
      InvalidArgumentError: the values are known while building, and it does not hold.
    """
    with name_scope(name, "assert_equal", [x, y]):
        if x is y:
            return control.no_op()
    return _assert_all("assert_equal", "==", comparison.equal, np.equal, x, y, data, summarize, message, name)


def assert_none_equal(
    x: Any, y: Any, data: Any = None, summarize: int | None = None, message: str | None = None,
    name: str | None = None,
) -> Operation:  # fmt: skip
    """An op that fails unless ``x != y`` in every element."""
    return _assert_all(
        "assert_none_equal", "!=", comparison.not_equal, np.not_equal, x, y, data, summarize, message, name
    )


def assert_less(
    x: Any, y: Any, data: Any = None, summarize: int | None = None, message: str | None = None,
    name: str | None = None,
) -> Operation:  # fmt: skip
    """An op that fails unless ``x < y`` in every element."""
    return _assert_all("assert_less", "<", comparison.less, np.less, x, y, data, summarize, message, name)


def assert_less_equal(
    x: Any, y: Any, data: Any = None, summarize: int | None = None, message: str | None = None,
    name: str | None = None,
) -> Operation:  # fmt: skip
    """An op that fails unless ``x <= y`` in every element."""
    return _assert_all(
        "assert_less_equal", "<=", comparison.less_equal, np.less_equal, x, y, data, summarize, message, name
    )


def assert_greater(
    x: Any, y: Any, data: Any = None, summarize: int | None = None, message: str | None = None,
    name: str | None = None,
) -> Operation:  # fmt: skip
    """An op that fails unless ``x > y`` in every element."""
    return _assert_all("assert_greater", ">", comparison.greater, np.greater, x, y, data, summarize, message, name)


def assert_greater_equal(
    x: Any, y: Any, data: Any = None, summarize: int | None = None, message: str | None = None,
    name: str | None = None,
) -> Operation:  # fmt: skip
    """An op that fails unless ``x >= y`` in every element."""
    return _assert_all(
        "assert_greater_equal", ">=", comparison.greater_equal, np.greater_equal, x, y, data, summarize,
        message, name,
    )  # fmt: skip


def assert_near(
    x: Any, y: Any, rtol: Any = None, atol: Any = None, data: Any = None, summarize: int | None = None,
    message: str | None = None, name: str | None = None,
) -> Operation:  # fmt: skip
    """An op that fails unless ``|x - y| < atol + rtol |y|`` in every element; both are 10 eps by default."""
    with name_scope(name, "assert_near", [x, y, rtol, atol]):
        x = as_tensor(x, name="x")
        y = as_tensor(y, x.dtype.base_dtype, name="y")
        dtype = x.dtype.base_dtype
        eps = np.finfo(dtype.np).eps
        rtol = as_tensor(10 * eps if rtol is None else rtol, dtype, name="rtol")
        atol = as_tensor(10 * eps if atol is None else atol, dtype, name="atol")
        if data is None:
            data = [
                message or "", f"x and y not equal to tolerance rtol = {rtol}, atol = {atol}",
                f"x ({x.name}) = ", x, f"y ({y.name}) = ", y,
            ]  # fmt: skip
        tolerance = atol + rtol * rounding.abs_(y)
        distance = rounding.abs_(x - y)
        condition = reductions.reduce_all(comparison.less(distance, tolerance))
        return asserts.Assert(condition, data, summarize=summarize)


# -- signs -------------------------------------------------------------------------------------


def _assert_sign(
    default_name: str, condition: list[str], test: Callable[..., Operation], zero_first: bool, x: Any,
    data: Any, summarize: int | None, message: str | None, name: str | None,
) -> Operation:  # fmt: skip
    with name_scope(name, default_name, [x]):
        x = as_tensor(x, name="x")
        if data is None:
            data = [message or "", *(text.format(_described(x)) for text in condition), x]
        zero = as_tensor(0, x.dtype.base_dtype)
        pair = (zero, x) if zero_first else (x, zero)
        return test(*pair, data=data, summarize=summarize)


def assert_positive(
    x: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An op that fails unless ``x > 0`` in every element."""
    condition = ["Condition x > 0 did not hold element-wise:", "x ({}) = "]
    return _assert_sign("assert_positive", condition, assert_less, True, x, data, summarize, message, name)


def assert_negative(
    x: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An op that fails unless ``x < 0`` in every element."""
    condition = ["Condition x < 0 did not hold element-wise:", "x ({}) = "]
    return _assert_sign("assert_negative", condition, assert_less, False, x, data, summarize, message, name)


def assert_non_negative(
    x: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An op that fails unless ``x >= 0`` in every element."""
    condition = ["Condition x >= 0 did not hold element-wise:", "x ({}) = "]
    return _assert_sign("assert_non_negative", condition, assert_less_equal, True, x, data, summarize, message, name)


def assert_non_positive(
    x: Any,
    data: Any = None,
    summarize: int | None = None,
    message: str | None = None,
    name: str | None = None,
) -> Operation:
    """An op that fails unless ``x <= 0`` in every element."""
    condition = ["Condition x <= 0 did not hold element-wise:x ({}) = "]  # TensorFlow joins the two texts
    return _assert_sign("assert_non_positive", condition, assert_less_equal, False, x, data, summarize, message, name)


# -- order -------------------------------------------------------------------------------------


def _differences(x: Any) -> Tensor:
    """Each element less the one before, in the flat order; none of fewer than two."""
    x = arrays.reshape(x, [-1])
    is_short = comparison.less(arrays.size(x), 2)
    length = arrays.shape(x) - 1

    def none() -> Tensor:
        return as_tensor([], x.dtype)

    def differences() -> Tensor:
        later = slicing.strided_slice(x, [1], arithmetic.add_v2([1], length, name="add"))
        return later - slicing.strided_slice(x, [0], length)

    result: Tensor = conditions.cond(is_short, none, differences)
    return result


def is_non_decreasing(x: Any, name: str | None = None) -> Tensor:
    """Whether no element of ``x`` is less than the one before it, in the flat order."""
    with name_scope(name, "is_non_decreasing", [x]):
        steps = _differences(x)
        zero = as_tensor(0, steps.dtype)
        return reductions.reduce_all(comparison.less_equal(zero, steps))


def is_strictly_increasing(x: Any, name: str | None = None) -> Tensor:
    """Whether each element of ``x`` is greater than the one before it, in the flat order."""
    with name_scope(name, "is_strictly_increasing", [x]):
        steps = _differences(x)
        zero = as_tensor(0, steps.dtype)
        return reductions.reduce_all(comparison.less(zero, steps))


# -- dtypes and Python values ------------------------------------------------------------------


def assert_integer(x: Any, message: str | None = None, name: str | None = None) -> Operation:
    """A no-op, built only if ``x`` is of an integer dtype.

    Raises:
      TypeError: it is not.
    """
    with name_scope(name, "assert_integer", [x]):
        x = as_tensor(x, name="x")
        if not x.dtype.is_integer:
            raise TypeError(f'{message or ""}  Expected "x" to be integer type.  Found: {x.name} of dtype {x.dtype}')
        return control.no_op("statically_determined_was_integer")


def assert_type(tensor: Any, tf_type: Any, message: str | None = None, name: str | None = None) -> Operation:
    """A no-op, built only if ``tensor`` is of dtype ``tf_type``.

    Raises:
      TypeError: it is not.
    """
    with name_scope(name, "assert_type", [tensor]):
        tensor = as_tensor(tensor, name="tensor")
        if tensor.dtype != tf_type:
            raise TypeError(f"{message or ''}  {tensor.name} must be of type {as_dtype(tf_type)}")
        return control.no_op("statically_determined_correct_type")


def assert_same_float_dtype(tensors: Any = None, dtype: Any = None) -> DType:
    """The one float dtype of all ``tensors``; float32 if nothing says which.

    Raises:
      ValueError: they differ from each other or from ``dtype``, or are no floats.
    """
    first = None
    expected = None if dtype is None else as_dtype(dtype).base_dtype
    for tensor in tensors or ():
        if tensor is None:
            continue
        if not hasattr(tensor, "dtype"):
            tensor = as_tensor(tensor)
        found = tensor.dtype.base_dtype
        if expected is None:
            expected, first = found, tensor
        elif found != expected:
            like = "" if first is None else f" as {_label(first)}"
            raise ValueError(f"{_label(tensor)}, type={found}, must be of the same type ({expected}){like}.")
    if expected is None:
        return dtypes.float32
    if not expected.is_floating:
        raise ValueError(f"Expected floating point type, got {expected}.")
    return expected


def _label(tensor: Any) -> str:
    return getattr(tensor, "name", None) or str(tensor)


def assert_proper_iterable(values: Any) -> None:
    """Check that ``values`` is iterable, and not a tensor, an array or a string, which are so by accident.

    Raises:
      TypeError: it is not.
    """
    if isinstance(values, Tensor | SparseTensor | np.ndarray | bytes | str):
        raise TypeError(f'Expected argument "values" to be a "proper" iterable.  Found: {type(values)}')
    if not hasattr(values, "__iter__"):
        raise TypeError(f'Expected argument "values" to be iterable.  Found: {type(values)}')


_NUMERIC = (
    dtypes.float32, dtypes.float64, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.uint8,
    dtypes.qint8, dtypes.quint8, dtypes.qint32, dtypes.complex64,
)  # fmt: skip


def is_numeric_tensor(tensor: Any) -> bool:
    """Whether ``tensor`` is a tensor of a numeric dtype (1.15's list leaves out the half floats)."""
    return isinstance(tensor, Tensor) and tensor.dtype.base_dtype in _NUMERIC
