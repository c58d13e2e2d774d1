"""Elementwise arithmetic of two numbers: sums, products, quotients, remainders, extrema."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import define, not_differentiable
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.errors import invalid
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import shape_text
from retrograd.graph.sparse import IndexedSlices
from retrograd.graph.stack import default_graph
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, comparison, constants, control, kinds, reductions, shape_rules
from retrograd.ops.casts import cast
from retrograd.ops.conjugates import conj
from retrograd.ops.elementwise import binary, in_lines, on_values, unary
from retrograd.ops.requirements import require

# -- broadcasting in gradients -----------------------------------------------------------------


def _axes_to_sum(dims: tuple[int, ...], other: tuple[int, ...]) -> list[int]:
    """The axes of the broadcast result along which an input of shape ``dims`` was repeated.

    When both sides are 1 the axis counts as repeated for both, as in TensorFlow: summing it is harmless.
    """
    if dims == other:
        return []
    missing = max(0, len(other) - len(dims))
    return [*range(missing), *(missing + i for i, n in enumerate(dims) if n == 1)]


def _broadcast_gradient_args(xp: Any, s0: Any, s1: Any) -> list[Any]:
    shape_rules.check_vectors(s0, s1)
    x, y = tuple(np.asarray(s0).tolist()), tuple(np.asarray(s1).tolist())
    for m, n in zip(x[::-1], y[::-1], strict=False):
        if m != n and 1 not in (m, n):
            raise invalid(f"Incompatible shapes: {shape_text(x)} vs. {shape_text(y)}")
    dtype = np.asarray(s0).dtype
    return [np.array(_axes_to_sum(x, y), dtype), np.array(_axes_to_sum(y, x), dtype)]


BROADCAST_GRADIENT_ARGS = define(
    "BroadcastGradientArgs", "s0: T, s1: T", "r0: T, r1: T", attrs={"T": dtypes.int32},
    types={"T": kinds.INDEX},
    static=("s0", "s1"), shape=lambda s0, s1: [(None,), (None,)], kernel=_broadcast_gradient_args,
    gradient=not_differentiable,
)  # fmt: skip


class Broadcast:
    """How the inputs ``x, y`` of an op were broadcast, to take the gradient of each back to its shape.

    Where both shapes are known the axes to sum are worked out once per graph and pair of shapes.
    """

    def __init__(self, x: Tensor, y: Tensor, dz: Any) -> None:
        if isinstance(dz, Tensor) and shapes.is_known(x.dims) and shapes.is_known(y.dims):
            self.shapes: list[Any] = [x.dims, y.dims]
            self.axes: list[Any] = self._known_axes(x, y)
            self.needed = [x.dims != dz.dims, y.dims != dz.dims]
        else:
            self.shapes = [arrays.shape_internal(t, optimize=not isinstance(dz, Tensor)) for t in (x, y)]
            self.axes = apply(BROADCAST_GRADIENT_ARGS, *self.shapes)
            self.needed = [True, True]

    @staticmethod
    def _known_axes(x: Tensor, y: Tensor) -> list[Any]:
        known = x.graph.notes.setdefault("broadcast axes", {})
        pair = (x.dims, y.dims)
        if pair not in known:
            axes = apply(BROADCAST_GRADIENT_ARGS, list(x.dims), list(y.dims))  # type: ignore[arg-type]
            known[pair] = [static_value(t).tolist() for t in axes]  # type: ignore[union-attr]
        return known[pair]  # type: ignore[no-any-return]

    def to_x(self, dx: Any) -> Any:
        """``dx``, summed to the shape of x."""
        return self._reduced(dx, 0)

    def to_y(self, dy: Any) -> Any:
        """``dy``, summed to the shape of y."""
        return self._reduced(dy, 1)

    def _reduced(self, gradient: Any, i: int) -> Any:
        if not self.needed[i]:
            return gradient
        return arrays.reshape(reductions.reduce_sum(gradient, self.axes[i]), self.shapes[i])


def _same_known_shapes(x: Tensor, y: Tensor, dz: Any) -> bool:
    return shapes.is_known(x.dims) and x.dims == y.dims and isinstance(dz, Tensor) and x.dims == dz.dims


class DynamicBroadcast(Broadcast):
    """The form of most rules: shapes are read in the graph, the sums are always there, unless ops run at once."""

    def __init__(self, x: Tensor, y: Tensor) -> None:
        if default_graph().is_eager and x.dims is not None and y.dims is not None:
            whole = np.broadcast_shapes(x.dims, y.dims)  # type: ignore[arg-type]
            self.shapes, self.axes = [x.dims, y.dims], self._known_axes(x, y)
            self.needed = [x.dims != whole, y.dims != whole]
            return
        self.shapes = [arrays.shape(x), arrays.shape(y)]
        self.axes = apply(BROADCAST_GRADIENT_ARGS, *self.shapes)
        self.needed = [True, True]


# -- sums --------------------------------------------------------------------------------------


def _add_gradient(op: Any, dz: Any) -> list[Any]:
    """dx = dz, dy = dz, each summed over the axes along which it was repeated."""
    x, y = op.inputs
    if _same_known_shapes(x, y, dz):
        return [dz, dz]
    back = Broadcast(x, y, dz)
    return [back.to_x(dz), back.to_y(dz)]


@in_lines
def _add(xp: Any, x: Any, y: Any) -> Any:
    total = x + y
    return np.array(total, object) if type(total) is bytes else total  # NumPy gives the bare sum of two strings


ADD = binary("Add", _add, _add_gradient, kinds.ADDABLE)
ADD_V2 = binary("AddV2", _add, _add_gradient, kinds.ADDABLE[:-1])


def add(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x + y``, elementwise; strings are joined."""
    return apply(ADD, x, y, name=name)


def add_v2(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x + y``, elementwise, as the operator builds it."""
    return apply(ADD_V2, x, y, name=name)


def _sub_gradient(op: Any, dz: Any) -> list[Any]:
    """dx = dz, dy = -dz."""
    x, y = op.inputs
    if _same_known_shapes(x, y, dz):
        return [dz, -dz]
    back = Broadcast(x, y, dz)
    return [back.to_x(dz), back.to_y(-dz)]


SUB = binary("Sub", in_lines(lambda xp, x, y: x - y), _sub_gradient, kinds.ARITHMETIC)


def subtract(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x - y``, elementwise."""
    return apply(SUB, x, y, name=name)


NEG = unary("Neg", lambda xp, x: -x, lambda op, dy: [-dy], kinds.SIGNED)


def negative(x: Any, name: str | None = None) -> Any:
    """``-x``, elementwise."""
    return on_values(NEG, x, name)


# -- products ----------------------------------------------------------------------------------


def _mul_gradient(op: Any, dz: Any) -> list[Any]:
    """dx = dz * conj(y), dy = conj(x) * dz."""
    x, y = op.inputs
    if _same_known_shapes(x, y, dz) and (dz.dtype is dtypes.float32 or dz.dtype is dtypes.int32):
        return [apply(MUL, dz, y), apply(MUL, dz, x)]
    back = Broadcast(x, y, dz)
    x, y = conj(x), conj(y)
    return [back.to_x(apply(MUL, dz, y)), back.to_y(apply(MUL, x, dz))]


MUL = binary("Mul", in_lines(lambda xp, x, y: x * y), _mul_gradient, kinds.ARITHMETIC)


def multiply(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x * y``, elementwise."""
    return apply(MUL, x, y, name=name)


def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Any:
    """``scalar * x``; ``IndexedSlices`` stay sparse.

    Raises:
      ValueError: ``scalar`` has dimensions.
    """
    scalar = as_tensor(scalar, dtype=x.dtype.base_dtype, name="scalar")
    if scalar.dims != ():
        raise ValueError(f"Only scalar multiply works, got shape {scalar.shape}")
    if isinstance(x, IndexedSlices):
        return IndexedSlices(multiply(scalar, x.values, name), x.indices, x.dense_shape)
    return multiply(scalar, x, name)


def _mul_no_nan(xp: Any, x: Any, y: Any) -> Any:
    return xp.where(y == 0, xp.zeros_like(y), x * y)


def _mul_no_nan_gradient(op: Any, dz: Any) -> list[Any]:
    """dx = dz * y, dy = x * dz, zero times anything being zero."""
    x, y = op.inputs
    if _same_known_shapes(x, y, dz):
        return [apply(MUL_NO_NAN, dz, y), apply(MUL_NO_NAN, x, dz)]
    back = DynamicBroadcast(x, y)
    return [back.to_x(apply(MUL_NO_NAN, dz, y)), back.to_y(apply(MUL_NO_NAN, x, dz))]


MUL_NO_NAN = binary("MulNoNan", _mul_no_nan, _mul_no_nan_gradient, kinds.NO_NAN)


def multiply_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x * y``, and 0 where y is 0, even if x is infinite or no number."""
    with name_scope(name, "multiply_no_nan", [x, y]) as name:
        return apply(MUL_NO_NAN, *_of_one_dtype(x, y), name=name)


def _of_one_dtype(x: Any, y: Any) -> tuple[Tensor, Tensor]:
    x = as_tensor(x, name="x")
    y = as_tensor(y, dtype=x.dtype.base_dtype, name="y")
    _check_same(x, y)
    return x, y


def _check_same(x: Tensor, y: Tensor) -> None:
    kind, other = x.dtype.base_dtype, y.dtype.base_dtype
    if kind is not other:
        raise TypeError(f"x and y must have the same dtype, got {kind!r} != {other!r}")


def _squared_difference(xp: Any, x: Any, y: Any) -> Any:
    difference = x - y
    return difference * xp.conj(difference)


def _squared_difference_gradient(op: Any, dz: Any) -> list[Any]:
    """dx = 2 dz * (x - y), dy = -dx."""
    x, y = op.inputs
    with control.control_dependencies([dz]):
        dx = scalar_mul(2.0, dz) * (x - y)
    if _same_known_shapes(x, y, dz):
        return [dx, -dx]
    back = Broadcast(x, y, dz)
    return [back.to_x(dx), -back.to_y(dx)]


SQUARED_DIFFERENCE = binary("SquaredDifference", _squared_difference, _squared_difference_gradient, kinds.SIGNED)


def squared_difference(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``(x - y) * conj(x - y)``, elementwise."""
    return apply(SQUARED_DIFFERENCE, x, y, name=name)


# -- quotients ---------------------------------------------------------------------------------


def _is_integer(x: Any) -> bool:
    return x.dtype.kind in "iu"


def _check_divisor(xp: Any, x: Any, y: Any) -> None:
    if not _is_integer(y) or not np.size(x):
        return
    if xp is not np:
        require(y != 0)
    elif not np.all(y):
        raise errors.invalid("Integer division by zero")


@in_lines
def _truncated(xp: Any, x: Any, y: Any) -> Any:
    """x / y for integers, rounded towards zero as C does; floats are not rounded."""
    if not _is_integer(y):
        return x / y
    _check_divisor(xp, x, y)
    return xp.floor_divide(x - xp.fmod(x, y), y)


def _floored(xp: Any, x: Any, y: Any) -> Any:
    if not _is_integer(y):
        return xp.floor(x / y)
    _check_divisor(xp, x, y)
    return xp.floor_divide(x, y)


def _quotient_gradient(divide: Callable[..., Any]) -> Callable[..., Any]:
    """dx = dz / y, dy = dz * (-x / y) / y."""

    def gradient(op: Any, dz: Any) -> list[Any]:
        x, y = op.inputs
        back = DynamicBroadcast(x, y)
        x, y = conj(x), conj(y)
        dx = back.to_x(divide(dz, y))
        return [dx, back.to_y(dz * divide(divide(-x, y), y))]

    return gradient


def _no_gradients(op: Any, dz: Any) -> list[Any]:
    """A rounded quotient is flat wherever it is smooth."""
    return [None, None]


REAL_DIV = binary("RealDiv", _truncated, _quotient_gradient(lambda x, y: real_div(x, y)), kinds.ARITHMETIC)
DIV = binary("Div", _truncated, _quotient_gradient(lambda x, y: divide(x, y)), kinds.ARITHMETIC)
TRUNCATE_DIV = binary("TruncateDiv", _truncated, _no_gradients, kinds.ARITHMETIC)
FLOOR_DIV = binary("FloorDiv", _floored, _no_gradients, kinds.ARITHMETIC)


def real_div(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x / y`` of real or complex numbers."""
    return apply(REAL_DIV, x, y, name=name)


realdiv = real_div


def truncatediv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x / y``; the quotient of integers is rounded towards zero."""
    return apply(TRUNCATE_DIV, x, y, name=name)


def floor_div(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x // y``: the quotient rounded towards minus infinity."""
    return apply(FLOOR_DIV, x, y, name=name)


def floordiv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x // y``: the quotient rounded towards minus infinity, in a scope of its own."""
    with name_scope(name, "floordiv", [x, y]) as name:
        return apply(FLOOR_DIV, x, y, name=name)


TRUE_QUOTIENT = {
    dtypes.uint8: dtypes.float32, dtypes.int8: dtypes.float32, dtypes.uint16: dtypes.float32,
    dtypes.int16: dtypes.float32, dtypes.int32: dtypes.float64, dtypes.int64: dtypes.float64,
}  # fmt: skip


def truediv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x / y`` as Python 3 divides: integers give floats (float64 for int32 and int64)."""
    with name_scope(name, "truediv", [x, y]) as name:
        x, y = as_tensor(x, name="x"), as_tensor(y, name="y")
        _check_same(x, y)
        wide = TRUE_QUOTIENT.get(x.dtype.base_dtype)
        if wide is not None:
            x, y = cast(x, wide), cast(y, wide)
        return real_div(x, y, name=name)


def divide(x: Any, y: Any, name: str | None = None) -> Any:
    """``x / y`` as Python 3 divides; of two Python numbers, a Python number."""
    return x / y if name is None else truediv(x, y, name)


def div(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x / y`` as Python 2 divides: the quotient of integers is rounded towards minus infinity."""
    with name_scope(name, "div", [x, y]) as name:
        x, y = _of_one_dtype(x, y)
        kind = x.dtype.base_dtype
        return (real_div if kind.is_floating or kind.is_complex else floor_div)(x, y, name=name)


def _div_no_nan(xp: Any, x: Any, y: Any) -> Any:
    zero = y == 0
    return xp.where(zero, xp.zeros_like(y), x / xp.where(zero, xp.ones_like(y), y))


DIV_NO_NAN = binary("DivNoNan", _div_no_nan, _quotient_gradient(lambda x, y: div_no_nan(x, y)), kinds.NO_NAN)


def div_no_nan(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x / y``, and 0 where y is 0."""
    with name_scope(name, "div_no_nan", [x, y]) as name:
        return apply(DIV_NO_NAN, *_of_one_dtype(x, y), name=name)


divide_no_nan = div_no_nan


# -- remainders --------------------------------------------------------------------------------


def _floor_mod(xp: Any, x: Any, y: Any) -> Any:
    """x - floor(x / y) * y: it has the sign of y."""
    _check_divisor(xp, x, y)
    return xp.mod(x, y)


def _floor_mod_gradient(op: Any, dz: Any) -> list[Any]:
    """dx = dz, dy = -dz * floor(x / y)."""
    x, y = op.inputs
    back = DynamicBroadcast(x, y)
    quotient = floor_div(x, y)
    return [back.to_x(dz), back.to_y(dz * -quotient)]


def _truncate_mod(xp: Any, x: Any, y: Any) -> Any:
    """x - truncate(x / y) * y: it has the sign of x."""
    _check_divisor(xp, x, y)
    return xp.fmod(x, y)


_DIVISIBLE = (dtypes.int32, dtypes.int64, *kinds.FLOATING)
FLOOR_MOD = binary("FloorMod", _floor_mod, _floor_mod_gradient, _DIVISIBLE)
TRUNCATE_MOD = binary("TruncateMod", _truncate_mod, None, _DIVISIBLE)
MOD = binary("Mod", _truncate_mod, None, _DIVISIBLE)


def floormod(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x - floordiv(x, y) * y``: the remainder has the sign of y."""
    return apply(FLOOR_MOD, x, y, name=name)


mod = floormod


def truncatemod(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x - truncatediv(x, y) * y``: the remainder has the sign of x."""
    return apply(TRUNCATE_MOD, x, y, name=name)


# -- extrema -----------------------------------------------------------------------------------


def _extremum_gradient(wins: Callable[..., Tensor]) -> Callable[..., Any]:
    """The gradient goes to the input that won; to x where they tie."""

    def gradient(op: Any, dz: Any) -> list[Any]:
        x, y = op.inputs
        if default_graph().is_eager:
            back, zeros, first = DynamicBroadcast(x, y), constants.zeros_like(dz), wins(x, y)
            return [back.to_x(comparison.where(first, dz, zeros)), back.to_y(comparison.where(first, zeros, dz))]
        sx, sy, shape = arrays.shape(x), arrays.shape(y), arrays.shape(dz)
        zeros = constants.zeros(shape, dz.dtype)
        first = wins(x, y)
        axes = apply(BROADCAST_GRADIENT_ARGS, sx, sy)
        dx = reductions.reduce_sum(comparison.where(first, dz, zeros), axes[0])
        dx = arrays.reshape(dx, sx)
        dy = reductions.reduce_sum(comparison.where(first, zeros, dz), axes[1])
        return [dx, arrays.reshape(dy, sy)]

    return gradient


def _maximum(xp: Any, x: Any, y: Any) -> Any:
    """y where x < y, else x: so a NaN in y loses, and of two zeros x stays, as in TensorFlow."""
    return xp.maximum(y, x) if _is_integer(x) or _is_plain(xp, x, y) else xp.where(x < y, y, x)


def _minimum(xp: Any, x: Any, y: Any) -> Any:
    return xp.minimum(y, x) if _is_integer(x) or _is_plain(xp, x, y) else xp.where(y < x, y, x)


def _is_plain(xp: Any, x: Any, y: Any) -> bool:
    """Whether NumPy's extrema are the same, and worth a look: of many numbers, and no NaN in y."""
    is_large = xp is np and max(x.size, y.size) > 1024 and x.dtype in (np.float32, np.float64)
    return is_large and y.size > 0 and not np.isnan(y.min())


_ORDERED = (*kinds.FLOATING, dtypes.int32, dtypes.int64)
MAXIMUM = binary("Maximum", _maximum, _extremum_gradient(lambda x, y: comparison.greater_equal(x, y)), _ORDERED)
MINIMUM = binary("Minimum", _minimum, _extremum_gradient(lambda x, y: comparison.less_equal(x, y)), _ORDERED)


def maximum(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The larger of ``x`` and ``y``, elementwise."""
    return apply(MAXIMUM, x, y, name=name)


def minimum(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The smaller of ``x`` and ``y``, elementwise."""
    return apply(MINIMUM, x, y, name=name)


def saturate_cast(value: Any, dtype: Any, name: str | None = None) -> Tensor:
    """``value`` cast to ``dtype``; what lies beyond the range of ``dtype`` takes its nearest end."""
    with name_scope(name, "saturate_cast", [value]) as name:
        value = as_tensor(value, name="value")
        target = as_dtype(dtype).base_dtype
        if value.dtype.min < target.min:
            value = maximum(value, as_tensor(target.min, dtype=value.dtype, name="min"))
        if value.dtype.max > target.max:
            value = minimum(value, as_tensor(target.max, dtype=value.dtype, name="max"))
        return cast(value, target, name=name)
