"""Constants and placeholders: the values that a graph starts from."""

from __future__ import annotations

import functools
import numbers
import operator
from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor, register_tensor_conversion_function
from retrograd.graph.definition import REQUIRED, define, not_differentiable
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.protos import make_ndarray
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import Dimension, RawShape, TensorShape
from retrograd.graph.stack import default_graph
from retrograd.graph.static import shape_value, static_value
from retrograd.graph.tensor import Tensor
from retrograd.graph.text import as_text
from retrograd.graph.values import array_of, is_filled, refused_at_once, run_as
from retrograd.ops import arithmetic, arrays, kinds, list_values, reductions, shape_rules


def _const(xp: Any, *, value: Any) -> Any:
    """The value; one element that stands for many is written out for the run."""
    return run_as(value.copy() if is_filled(value) else value)


CONST = define(
    "Const", "", "output: dtype", attrs={"value": REQUIRED, "dtype": REQUIRED},
    shape=lambda *, value: value.shape, kernel=_const, gradient=not_differentiable,
)  # fmt: skip


def constant(
    value: Any, dtype: Any = None, shape: Any = None, name: str | None = "Const", verify_shape: bool = False
) -> Tensor:
    """A tensor that holds ``value`` in every run.

    Python floats become float32 and Python integers int32 where they fit.  With ``shape``, a
    ``value`` of fewer elements is filled up with its last one.  A ``TensorProto`` says its dtype and shape itself.

    Raises:
      TypeError: ``value`` is not of ``dtype``.
      ValueError: ``value`` has more elements than ``shape``.

    >>> constant([1.0, 2.0]).shape
    TensorShape([Dimension(2)])
    """
    if type(value).__name__ == "TensorProto":
        value, dtype, shape = make_ndarray(value), value.dtype, None
    dtype = None if dtype is None else as_dtype(dtype).base_dtype
    raw = None if shape is None else shapes.raw(shape)
    graph = default_graph()
    array = _array_at_once(value, dtype, raw) if graph.is_eager else array_of(value, dtype, raw, verify_shape)
    if array is value or not (array.flags.owndata or is_filled(array)):
        array = array.copy()
    array.flags.writeable = False
    dtype = dtype or as_dtype(array.dtype)
    held = graph.holding(_const(np, value=array), dtype) if graph.is_eager else None
    if held is not None:
        return held  # type: ignore[no-any-return]
    name = CONST.name if name is None else as_text(name)
    attrs = {"value": array, "dtype": dtype}
    return graph.add_op(CONST, graph.node_name(name), (), attrs, [dtype], (array.shape,)).outputs[0]


def _array_at_once(value: Any, dtype: Any, dims: Any) -> np.ndarray:
    """The array of a constant where ops run at once, which is filled up by its one element alone."""
    try:
        array = array_of(value, dtype)
    except (TypeError, ValueError, OverflowError) as error:
        if isinstance(value, list | tuple) and any(isinstance(x, shapes.Dimension) for x in value):
            return _array_at_once([getattr(x, "value", x) for x in value], dtype, dims)
        raise refused_at_once(value, dtype, error) from None
    if dims is None:
        return array
    count = shapes.element_count(dims)
    if array.size not in (1, count):
        raise TypeError(
            f"Eager execution of tf.constant with unsupported shape (value has {array.size} elements, shape is "
            f"{shapes.TensorShape(dims)} with {count} elements)."
        )
    return array_of(array, dtype, dims)


def constant_v2(value: Any, dtype: Any = None, shape: Any = None, name: str = "Const") -> Tensor:
    """TensorFlow 2's ``constant``: a ``shape`` takes as many elements as it has, or one that fills it.

    Raises:
      TypeError: ``value`` has another number of elements.
    """
    if shape is not None:
        found, wanted = array_of(value, None if dtype is None else as_dtype(dtype)), shapes.raw(shape)
        if found.shape not in ((), (1,)) and shapes.element_count(wanted) not in (found.size, 0):
            raise TypeError(f"Expected Tensor's shape: {wanted}, got {found.shape}.")
    return constant(value, dtype, shape, name)


def _constant_from(value: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Tensor:
    return constant(value, dtype, name=name or "Const")


def from_tensor_shape(value: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Tensor:
    """A ``TensorShape`` as a vector.

    Raises:
      ValueError: it is not fully known, or its numbers are too large for ``dtype``.
    """
    dims = value._raw
    if not shapes.is_known(dims):
        raise ValueError(f"Cannot convert a partially known TensorShape to a Tensor: {value}")
    if dtype is None:
        dtype = dtypes.int64 if any(n > 2**31 - 1 for n in dims) else dtypes.int32
    elif dtype == dtypes.int32 and any(n > 2**31 - 1 for n in dims):
        raise ValueError(f"Cannot convert a TensorShape to dtype: int32; a dimension is too large ({max(dims)})")
    elif dtype not in kinds.INDEX:
        raise TypeError(f"Cannot convert a TensorShape to dtype: {dtype.name}")
    return constant(list(dims), dtype, name=name or "shape_as_tensor")


def _from_dimension(value: Any, dtype: Any = None, name: str | None = None, as_ref: bool = False) -> Tensor:
    if value.value is None:
        raise ValueError(f"Cannot convert an unknown Dimension to a Tensor: {value}")
    return constant(value.value, dtype or dtypes.int32, name=name or "shape_as_tensor")


register_tensor_conversion_function((list, tuple), _constant_from, 100)
register_tensor_conversion_function((np.ndarray, np.generic, str, bytes), _constant_from, 100)
register_tensor_conversion_function(TensorShape, from_tensor_shape, 100)
register_tensor_conversion_function(Dimension, _from_dimension, 100)
register_tensor_conversion_function(object, _constant_from, 200)


# -- placeholders ------------------------------------------------------------------------------


PLACEHOLDER = define(
    "Placeholder", "", "output: dtype", attrs={"dtype": REQUIRED, "shape": TensorShape(None)},
    shape=lambda *, shape: shape._raw, gradient=not_differentiable,
)  # fmt: skip


def placeholder(dtype: Any, shape: Any = None, name: str | None = None) -> Tensor:
    """A tensor whose value each run must give through ``feed_dict``.

    Raises:
      TypeError: ``dtype`` is none.
    """
    try:
        dtype = as_dtype(dtype)
    except TypeError:
        raise TypeError(f"Expected DataType for argument 'dtype' not {dtype!r}.") from None
    return apply(PLACEHOLDER, dtype=dtype, shape=TensorShape(shape), name=name)


PLACEHOLDER_WITH_DEFAULT = define(
    "PlaceholderWithDefault", "input: dtype", "output: dtype", attrs={"shape": REQUIRED},
    shape=lambda input, *, shape: shape._raw, kernel=lambda xp, input: input,
    gradient=lambda op, dy: [dy],
)  # fmt: skip


def placeholder_with_default(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """A tensor that is ``input`` unless a run feeds another value of a compatible ``shape``."""
    return apply(PLACEHOLDER_WITH_DEFAULT, input, shape=TensorShape(shape), name=name)


# -- filled tensors ----------------------------------------------------------------------------


def _filled(dims: Any, value: Any) -> RawShape:
    shape_rules.with_rank(dims, 1)
    shape_rules.with_rank(value, 0)
    sizes = static_value(dims)
    if sizes is not None and (sizes < 0).any():
        raise ValueError("Fill dimensions must be >= 0")
    return shape_value(dims)


def _fill(xp: Any, dims: Any, value: Any) -> Any:
    shape_rules.check_rank(dims, 1, "dims must be a vector, got shape {}")
    shape_rules.check_rank(value, 0, "value must be a scalar, got shape {}")
    sizes = np.asarray(dims).tolist()
    for size in sizes:
        if size < 0:
            raise InvalidArgumentError(None, None, f"Dimension {size} must be >= 0")
    return xp.full(tuple(sizes), value)


FILL = define(
    "Fill", "dims: index_type, value: T", "output: T", attrs={"index_type": dtypes.int32}, static=("dims",),
    types={"index_type": kinds.INDEX}, shape=_filled, kernel=_fill,
    gradient=lambda op, dy: [None, reductions.reduce_sum(dy)],
)  # fmt: skip


def fill(dims: Any, value: Any, name: str | None = None) -> Tensor:
    """A tensor of shape ``dims`` whose every element is ``value``."""
    return apply(FILL, dims, value, name=name)


def _filled_with(number: int, shape: Any, dtype: Any, name: str | None, default_name: str) -> Tensor:
    """``zeros`` and ``ones``: a Const while it is small, a Fill beyond."""
    dtype = as_dtype(dtype).base_dtype
    with name_scope(name, default_name, [shape]) as name:
        value: Any = bool(number) if dtype == dtypes.bool else "" if dtype == dtypes.string else number
        if not isinstance(shape, Tensor):
            _compared_with_small(shape)
            try:
                count = (
                    None if isinstance(shape, numbers.Integral | Dimension) else shapes.element_count(shapes.raw(shape))
                )
                if count is not None and count < _SMALL:
                    return constant(value, dtype, shape=shape, name=name)
                shape = as_tensor(TensorShape(shape))
            except (TypeError, ValueError):
                shape = as_tensor(shape, dtypes.int32)
        if not shape.dims:
            shape = arrays.reshape(shape, [-1])
        return fill(shape, constant(value, dtype), name=name)


def _compared_with_small(shape: Any) -> None:
    """TensorFlow compares the product of a shape that holds tensors in the graph, though nothing reads it."""
    if isinstance(shape, list | tuple) and any(isinstance(n, Tensor) for n in shape):
        functools.reduce(operator.mul, shape) < _SMALL  # noqa: B015


_SMALL = 1000  # elements; TensorFlow's bound between Const and Fill


def zeros(shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """A tensor of zeros (False, empty strings)."""
    return _filled_with(0, shape, dtype, name, "zeros")


def ones(shape: Any, dtype: Any = dtypes.float32, name: str | None = None) -> Tensor:
    """A tensor of ones (True)."""
    return _filled_with(1, shape, dtype, name, "ones")


ZEROS_LIKE = define(
    "ZerosLike", "x: T", "y: T", shape=shape_rules.same, gradient=not_differentiable,
    kernel=lambda xp, x: list_values.zeros_like(x) if xp is np else xp.zeros_like(x),
)  # fmt: skip


def zeros_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Tensor:
    """Zeros of the shape and dtype of ``tensor``, or of ``dtype``."""
    with name_scope(name, "zeros_like", [tensor]) as name:
        tensor = as_tensor(tensor, name="tensor")
        if optimize and shapes.is_known(tensor.dims) and tensor.dtype != dtypes.variant:
            return zeros(tensor.dims, dtype or tensor.dtype.base_dtype, name=name)  # False is no dtype here
        dtype = tensor.dtype.base_dtype if dtype is None else as_dtype(dtype)
        if dtype != tensor.dtype.base_dtype and dtype != dtypes.variant:
            return zeros(arrays.shape_internal(tensor, optimize=optimize), dtype, name=name)
        return apply(ZEROS_LIKE, tensor, name=name)


def ones_like(tensor: Any, dtype: Any = None, name: str | None = None, optimize: bool = True) -> Tensor:
    """Ones of the shape and dtype of ``tensor``, or of ``dtype``."""
    with name_scope(name, "ones_like", [tensor]) as name:
        tensor = as_tensor(tensor, name="tensor")
        shape = arrays.shape_internal(tensor, optimize=optimize)
        result = ones(shape, tensor.dtype.base_dtype if dtype is None else dtype, name=name)
        result.set_shape(tensor.dims)
        return result


# -- ranges ------------------------------------------------------------------------------------


def _ranged(start: Any, limit: Any, delta: Any) -> RawShape:
    values = [static_value(t) for t in (start, limit, delta)]
    if any(v is None for v in values):
        return (None,)
    first, last, step = (v for v in values if v is not None)
    if not step:
        raise ValueError("Requires delta != 0")
    wrong = _wrong_way(first.item(), last.item(), step.item())
    if wrong:
        raise ValueError(wrong)
    return (_steps(first, last, step),)


def _steps(start: Any, limit: Any, delta: Any) -> int:
    """ceil(|limit - start| / |delta|) in the dtype of the range: 4 / float32(0.01) is 400 there, more in float64."""
    start, limit, delta = np.asarray(start), np.asarray(limit), np.asarray(delta)
    if start.dtype.kind in "iu":
        return max(0, -((int(start) - int(limit)) // int(delta)))
    return int(np.ceil(np.abs((limit - start) / delta)))


def _wrong_way(start: Any, limit: Any, delta: Any) -> str | None:
    """What is wrong with a range whose steps lead away from its limit."""
    if delta > 0 and start > limit:
        return f"Requires start <= limit when delta > 0: {start}/{limit}"
    if delta < 0 and start < limit:
        return f"Requires start >= limit when delta < 0: {start}/{limit}"
    return None


def _range(xp: Any, start: Any, limit: Any, delta: Any) -> Any:
    """y_0 = start, y_i = y_{i-1} + delta: numbers of a continuum are added up one by one."""
    for name, value in (("start", start), ("limit", limit), ("delta", delta)):
        shape_rules.check_rank(value, 0, name + " must be a scalar, not shape {}")
    wrong = f"Requires delta != 0: {delta}" if not delta else _wrong_way(start, limit, delta)
    if wrong:
        raise InvalidArgumentError(None, None, wrong)
    dtype = np.asarray(start).dtype
    if dtype.kind in "iu":
        return xp.arange(start, limit, delta, dtype=dtype)
    values = np.full(_steps(start, limit, delta), delta, dtype)
    values[:1] = start
    return xp.asarray(np.cumsum(values, dtype=dtype))


RANGE = define(
    "Range", "start: Tidx, limit: Tidx, delta: Tidx", "output: Tidx", attrs={"Tidx": dtypes.int32},
    types={"Tidx": (dtypes.bfloat16, dtypes.float32, dtypes.float64, dtypes.int32, dtypes.int64)},
    static=("start", "limit", "delta"), shape=_ranged, kernel=_range, gradient=not_differentiable,
)  # fmt: skip


def range_(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> Tensor:
    """``start, start + delta, ...`` up to but without ``limit``; ``range(n)`` starts at 0."""
    if limit is None:
        start, limit = 0, start
    with name_scope(name, "Range", [start, limit, delta]) as name:
        start = as_tensor(start, dtype, name="start")
        limit = as_tensor(limit, dtype, name="limit")
        delta = as_tensor(delta, dtype, name="delta")
        if dtype is None:
            order = [dtypes.int32, dtypes.int64, dtypes.float32, dtypes.float64]
            widest = max((t.dtype.base_dtype for t in (start, limit, delta)), key=order.index)
            start, limit, delta = (arithmetic.cast(t, widest) for t in (start, limit, delta))
        return apply(RANGE, start, limit, delta, name=name)
