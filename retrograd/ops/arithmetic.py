"""Elementwise arithmetic: sums, products, powers, casts, and the functions of one number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import OpDef, define, not_differentiable
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.scopes import name_scope
from retrograd.graph.sparse import IndexedSlices, SparseTensor
from retrograd.graph.static import static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, comparison, constants, control, kinds, reductions, shape_rules

# -- broadcasting in gradients -----------------------------------------------------------------


def _axes_to_sum(dims: tuple[int, ...], other: tuple[int, ...]) -> list[int]:
    """The axes of the broadcast result along which an input of shape ``dims`` was repeated.

    When both sides are 1 the axis counts as repeated for both, as in TensorFlow: summing it is harmless.
    """
    rank = max(len(dims), len(other))
    x, y = (1,) * (rank - len(dims)) + dims, (1,) * (rank - len(other)) + other
    if dims == other:
        return []
    return [i for i in range(rank) if x[i] == 1]


def _broadcast_gradient_args(xp: Any, s0: Any, s1: Any) -> list[Any]:
    x, y = tuple(np.asarray(s0).tolist()), tuple(np.asarray(s1).tolist())
    dtype = np.asarray(s0).dtype
    return [np.array(_axes_to_sum(x, y), dtype), np.array(_axes_to_sum(y, x), dtype)]


BROADCAST_GRADIENT_ARGS = define(
    "BroadcastGradientArgs", "s0: T, s1: T", "r0: T, r1: T", attrs={"T": dtypes.int32}, types={"T": kinds.INDEX},
    static=("s0", "s1"), shape=lambda s0, s1: [(None,), (None,)], kernel=_broadcast_gradient_args,
    gradient=not_differentiable,
)  # fmt: skip


class Broadcast:
    """How the inputs ``x, y`` of an op were broadcast, to take the gradient of each back to its shape.

    Where both shapes are known the axes to sum are worked out once per graph and pair of shapes.
    """

    def __init__(self, x: Tensor, y: Tensor, dz: Any) -> None:
        if isinstance(dz, Tensor) and shapes.is_known(x.dims) and shapes.is_known(y.dims):
            known = x.graph.notes.setdefault("broadcast axes", {})
            pair = (x.dims, y.dims)
            if pair not in known:
                axes = apply(BROADCAST_GRADIENT_ARGS, list(x.dims), list(y.dims))  # type: ignore[arg-type]
                known[pair] = [static_value(t).tolist() for t in axes]  # type: ignore[union-attr]
            self.shapes: list[Any] = [x.dims, y.dims]
            self.axes: list[Any] = known[pair]
            self.needed = [x.dims != dz.dims, y.dims != dz.dims]
        else:
            self.shapes = [arrays.shape_internal(t, optimize=not isinstance(dz, Tensor)) for t in (x, y)]
            self.axes = apply(BROADCAST_GRADIENT_ARGS, *self.shapes)
            self.needed = [True, True]

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


# -- two numbers -------------------------------------------------------------------------------


def binary(
    name: str, kernel: Callable[..., Any], gradient: Callable[..., Any] | None, types: tuple[DType, ...]
) -> OpDef:
    """The record of an elementwise op of two broadcast inputs of one dtype."""
    return define(
        name, "x: T, y: T", "z: T", types={"T": types}, shape=shape_rules.broadcast, kernel=kernel,
        gradient=gradient, failure=shape_rules.incompatible,
    )  # fmt: skip


def _add_gradient(op: Any, dz: Any) -> list[Any]:
    """dx = dz, dy = dz, each summed over the axes along which it was repeated."""
    x, y = op.inputs
    if _same_known_shapes(x, y, dz):
        return [dz, dz]
    back = Broadcast(x, y, dz)
    return [back.to_x(dz), back.to_y(dz)]


def _add(xp: Any, x: Any, y: Any) -> Any:
    return x + y


ADD = binary("Add", _add, _add_gradient, kinds.NUMERIC)
ADD_V2 = binary("AddV2", _add, _add_gradient, kinds.NUMERIC)


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


SUB = binary("Sub", lambda xp, x, y: x - y, _sub_gradient, kinds.NUMERIC)


def subtract(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x - y``, elementwise."""
    return apply(SUB, x, y, name=name)


def _mul_gradient(op: Any, dz: Any) -> list[Any]:
    """dx = dz * conj(y), dy = conj(x) * dz."""
    x, y = op.inputs
    if _same_known_shapes(x, y, dz) and dz.dtype in (dtypes.int32, dtypes.float32):
        return [apply(MUL, dz, y), apply(MUL, dz, x)]
    back = Broadcast(x, y, dz)
    x, y = conj(x), conj(y)
    return [back.to_x(apply(MUL, dz, y)), back.to_y(apply(MUL, x, dz))]


MUL = binary("Mul", lambda xp, x, y: x * y, _mul_gradient, kinds.NUMERIC)


def multiply(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x * y``, elementwise."""
    return apply(MUL, x, y, name=name)


def _real_div_gradient(op: Any, dz: Any) -> list[Any]:
    """dx = dz / y, dy = dz * (-x / y) / y."""
    x, y = op.inputs
    back = Broadcast(x, y, dz) if not isinstance(dz, Tensor) else DynamicBroadcast(x, y)
    x, y = conj(x), conj(y)
    dx = back.to_x(real_div(dz, y))
    return [dx, back.to_y(dz * real_div(real_div(-x, y), y))]


class DynamicBroadcast(Broadcast):
    """The form that most rules use: shapes are read in the graph, and the sums are always there."""

    def __init__(self, x: Tensor, y: Tensor) -> None:
        self.shapes = [arrays.shape(x), arrays.shape(y)]
        self.axes = apply(BROADCAST_GRADIENT_ARGS, *self.shapes)
        self.needed = [True, True]


REAL_DIV = binary("RealDiv", lambda xp, x, y: xp.true_divide(x, y), _real_div_gradient, kinds.NUMERIC)


def real_div(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x / y`` of real or complex numbers."""
    return apply(REAL_DIV, x, y, name=name)


_TRUE_QUOTIENT = {
    dtypes.uint8: dtypes.float32, dtypes.int8: dtypes.float32, dtypes.uint16: dtypes.float32,
    dtypes.int16: dtypes.float32, dtypes.int32: dtypes.float64, dtypes.int64: dtypes.float64,
}  # fmt: skip


def truediv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x / y`` as Python 3 divides: integers give floats (float64 for int32 and int64)."""
    with name_scope(name, "truediv", [x, y]) as name:
        x = as_tensor(x, name="x")
        y = as_tensor(y, dtype=x.dtype.base_dtype, name="y")
        kind, other = x.dtype.base_dtype, y.dtype.base_dtype
        if kind != other:
            raise TypeError(f"x and y must have the same dtype, got {kind!r} != {other!r}")
        wide = _TRUE_QUOTIENT.get(kind)
        if wide is not None:
            x, y = cast(x, wide), cast(y, wide)
        return real_div(x, y, name=name)


def _floor_div(xp: Any, x: Any, y: Any) -> Any:
    _check_divisor(xp, y)
    return xp.floor_divide(x, y)


def _floor_mod(xp: Any, x: Any, y: Any) -> Any:
    _check_divisor(xp, y)
    return xp.mod(x, y)


def _check_divisor(xp: Any, y: Any) -> None:
    if xp is np and np.asarray(y).dtype.kind in "iu" and not np.all(y):
        raise ZeroDivisionError("Integer division by zero")


FLOOR_DIV = binary("FloorDiv", _floor_div, lambda op, dz: [None, None], kinds.NUMERIC)
FLOOR_MOD = binary("FloorMod", _floor_mod, None, kinds.NUMERIC)


def floordiv(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x // y``: the quotient rounded towards minus infinity."""
    with name_scope(name, "floordiv", [x, y]) as name:
        return apply(FLOOR_DIV, x, y, name=name)


def floormod(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x - floordiv(x, y) * y``: the remainder has the sign of y."""
    return apply(FLOOR_MOD, x, y, name=name)


def _extremum_gradient(wins: Callable[..., Tensor]) -> Callable[..., Any]:
    """The gradient goes to the input that won; to x where they tie."""

    def gradient(op: Any, dz: Any) -> list[Any]:
        x, y = op.inputs
        sx, sy, shape = arrays.shape(x), arrays.shape(y), arrays.shape(dz)
        zeros = constants.zeros(shape, dz.dtype)
        first = wins(x, y)
        axes = apply(BROADCAST_GRADIENT_ARGS, sx, sy)
        dx = comparison.where(first, dz, zeros)
        dy = comparison.where(first, zeros, dz)
        return [
            arrays.reshape(reductions.reduce_sum(dx, axes[0]), sx),
            arrays.reshape(reductions.reduce_sum(dy, axes[1]), sy),
        ]

    return gradient


MAXIMUM = binary(
    "Maximum", lambda xp, x, y: xp.maximum(x, y), _extremum_gradient(lambda x, y: x >= y), kinds.REAL
)
MINIMUM = binary(
    "Minimum", lambda xp, x, y: xp.minimum(x, y), _extremum_gradient(lambda x, y: x <= y), kinds.REAL
)


def maximum(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The larger of ``x`` and ``y``, elementwise."""
    return apply(MAXIMUM, x, y, name=name)


def minimum(x: Any, y: Any, name: str | None = None) -> Tensor:
    """The smaller of ``x`` and ``y``, elementwise."""
    return apply(MINIMUM, x, y, name=name)


def _pow_gradient(op: Any, dz: Any) -> list[Any]:
    """dx = dz * y * x^(y-1), dy = dz * x^y * log(x), with log taken as 0 where x is not positive."""
    x, y = op.inputs
    z = op.outputs[0]
    back = Broadcast(x, y, dz)
    x, y, z = conj(x), conj(y), conj(z)
    dx = back.to_x(dz * y * pow_(x, y - 1))
    if x.dtype.is_complex:
        positive = comparison.not_equal(x, 0)
    else:
        positive = x > 0
    log_x = comparison.where(positive, log(comparison.where(positive, x, constants.ones_like(x))), constants.zeros_like(x))
    return [dx, back.to_y(dz * z * log_x)]


POW = binary("Pow", lambda xp, x, y: xp.power(x, y), _pow_gradient, kinds.NUMERIC)


def pow_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x ** y``, elementwise."""
    with name_scope(name, "Pow", [x]) as name:
        return apply(POW, x, y, name=name)


# -- one number --------------------------------------------------------------------------------


def unary(
    name: str, kernel: Callable[..., Any], gradient: Callable[..., Any] | None, types: tuple[DType, ...]
) -> OpDef:
    """The record of an elementwise op of one input that keeps its dtype."""
    return define(name, "x: T", "y: T", types={"T": types}, shape=shape_rules.same, kernel=kernel, gradient=gradient)


NEG = unary("Neg", lambda xp, x: -x, lambda op, dy: [-dy], kinds.NUMERIC)


def negative(x: Any, name: str | None = None) -> Tensor:
    """``-x``, elementwise."""
    return apply(NEG, x, name=name)


def _square_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy * 2x."""
    x = op.inputs[0]
    with control.control_dependencies([dy]):
        x = conj(x)
        two = constants.constant(2.0, x.dtype)
        return [multiply(dy, multiply(x, two))]


SQUARE = unary("Square", lambda xp, x: x * x, _square_gradient, kinds.NUMERIC)


def square(x: Any, name: str | None = None) -> Tensor:
    """``x * x``, elementwise."""
    return apply(SQUARE, x, name=name)


def _log_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy * 1/x."""
    with control.control_dependencies([dy]):
        return [dy * reciprocal(conj(op.inputs[0]))]


LOG = unary("Log", lambda xp, x: xp.log(x), _log_gradient, kinds.INEXACT)


def log(x: Any, name: str | None = None) -> Tensor:
    """The natural logarithm, elementwise."""
    return apply(LOG, x, name=name)


RECIPROCAL = unary("Reciprocal", lambda xp, x: 1 / x, None, kinds.NUMERIC)


def reciprocal(x: Any, name: str | None = None) -> Tensor:
    """``1 / x``, elementwise."""
    return apply(RECIPROCAL, x, name=name)


def _tanh_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy * (1 - y^2)."""
    with control.control_dependencies([dy]):
        return [apply(TANH_GRAD, conj(op.outputs[0]), dy)]


def _tanh_grad_gradient(op: Any, d: Any) -> list[Any]:
    """The derivative of dy * (1 - y^2): -2 y dy d for y, (1 - y^2) d for dy."""
    with control.control_dependencies([d]):
        y, dy = conj(op.inputs[0]), conj(op.inputs[1])
        return [d * -2.0 * dy * y, apply(TANH_GRAD, y, d)]


TANH = unary("Tanh", lambda xp, x: xp.tanh(x), _tanh_gradient, kinds.INEXACT)
TANH_GRAD = define(
    "TanhGrad", "y: T, dy: T", "z: T", types={"T": kinds.INEXACT}, shape=shape_rules.same,
    kernel=lambda xp, y, dy: dy * (1 - y * y), gradient=_tanh_grad_gradient,
)  # fmt: skip


def tanh(x: Any, name: str | None = None) -> Tensor:
    """The hyperbolic tangent, elementwise."""
    return apply(TANH, x, name=name)


FLOOR = unary("Floor", lambda xp, x: xp.floor(x), lambda op, dy: [None], kinds.FLOATING)


def floor(x: Any, name: str | None = None) -> Tensor:
    """The largest integer that is not above x, elementwise."""
    return apply(FLOOR, x, name=name)


def conj(x: Any, name: str | None = None) -> Tensor:
    """The complex conjugate; real tensors are returned as they are."""
    if isinstance(x, Tensor) and not x.dtype.is_complex:
        return x
    raise NotImplementedError


# -- casts -------------------------------------------------------------------------------------


def _cast_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy cast back, between floating and complex types."""
    source, target = op.inputs[0].dtype.base_dtype, dy.dtype.base_dtype
    return [cast(dy, source) if source in kinds.INEXACT and target in kinds.INEXACT else None]


CAST = define(
    "Cast", "x: SrcT", "y: DstT", attrs={"Truncate": False}, shape=shape_rules.same,
    kernel=lambda xp, x, *, DstT: xp.asarray(x).astype(DstT.np), gradient=_cast_gradient,
)  # fmt: skip


def cast(x: Any, dtype: Any, name: str | None = None) -> Any:
    """``x`` converted to ``dtype``; floats are truncated towards zero when they become integers."""
    target = as_dtype(dtype).base_dtype
    if isinstance(x, Tensor) and x.dtype == target:
        return x
    with name_scope(name, "Cast", [x]) as name:
        if isinstance(x, SparseTensor):
            return SparseTensor(x.indices, cast(x.values, target, name=name), x.dense_shape)
        if isinstance(x, IndexedSlices):
            return IndexedSlices(cast(x.values, target, name=name), x.indices, x.dense_shape)
        x = as_tensor(x, name="x")
        return x if x.dtype.base_dtype == target else apply(CAST, x, DstT=target, name=name)
