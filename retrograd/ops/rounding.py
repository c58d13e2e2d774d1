"""Absolute values, signs, rounding, and tests for what is no finite number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import OpDef, define
from retrograd.graph.scopes import name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, complex_numbers, constants, control, kinds, shape_rules
from retrograd.ops.elementwise import on_values, unary


def _abs_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy * sign(x)."""
    return [dy * sign(op.inputs[0])]


ABS = unary("Abs", lambda xp, x: xp.abs(x), _abs_gradient, (*kinds.FLOATING, *kinds.INTEGERS[:4]))


def abs_(x: Any, name: str | None = None) -> Any:
    """``|x|``, elementwise; of complex numbers their modulus, a real number."""
    if isinstance(x, SparseTensor):
        if not x.dtype.is_complex:
            return on_values(ABS, x, name)
        default_graph().unique_name(name or "Abs")  # as there
        with name_scope(name, "Abs", [x]) as name:
            moduli = apply(complex_numbers.COMPLEX_ABS, x.values, Tout=x.dtype.real_dtype, name=name)
            return SparseTensor(x.indices, moduli, x.dense_shape)
    with name_scope(name, "Abs", [x]) as name:
        x = as_tensor(x, name="x")
        if x.dtype.is_complex:
            return apply(complex_numbers.COMPLEX_ABS, x, Tout=x.dtype.real_dtype, name=name)
        return apply(ABS, x, name=name)


def _sign(xp: Any, x: Any) -> Any:
    """1, 0 or -1, and 0 of NaN; x / |x| of a complex number."""
    if x.dtype.kind != "c":
        return xp.asarray(x > 0).astype(x.dtype) - xp.asarray(x < 0).astype(x.dtype)
    zero = x == 0
    return xp.where(zero, xp.zeros_like(x), x / xp.where(zero, xp.ones_like(x), xp.abs(x)))


def _sign_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = 0."""
    x = op.inputs[0]
    return [constants.zeros(arrays.shape(x), dtype=x.dtype)]


SIGN = unary("Sign", _sign, _sign_gradient, kinds.SIGNED)


def sign(x: Any, name: str | None = None) -> Any:
    """1, 0 or -1 as ``x`` is positive, zero or negative; ``x / |x|`` of a complex number."""
    return on_values(SIGN, x, name)


# -- rounding ----------------------------------------------------------------------------------


def _flat(op: Any, dy: Any) -> list[Any]:
    """A rounded number does not vary smoothly."""
    return [None]


def _round(xp: Any, x: Any) -> Any:
    return x if x.dtype.kind in "iu" else xp.rint(x)


FLOOR = unary("Floor", lambda xp, x: xp.floor(x), _flat, kinds.FLOATING)
CEIL = unary("Ceil", lambda xp, x: xp.ceil(x), _flat, kinds.FLOATING)
RINT = unary("Rint", lambda xp, x: xp.rint(x), _flat, kinds.FLOATING)
ROUND = unary("Round", _round, _flat, kinds.SIGNED)


def floor(x: Any, name: str | None = None) -> Tensor:
    """The largest integer that is not above ``x``."""
    return apply(FLOOR, x, name=name)


def ceil(x: Any, name: str | None = None) -> Tensor:
    """The smallest integer that is not below ``x``."""
    return apply(CEIL, x, name=name)


def rint(x: Any, name: str | None = None) -> Tensor:
    """The nearest integer; the even one of two."""
    return apply(RINT, x, name=name)


def round_(x: Any, name: str | None = None) -> Tensor:
    """The nearest integer, the even one of two; integers are returned as they are."""
    x = as_tensor(x, name="x")
    return x if x.dtype.is_integer else apply(ROUND, x, name=name)


def _nextafter_gradient(op: Any, dz: Any) -> list[Any]:
    """dx1 = dz, dx2 = 0."""
    x1, x2 = op.inputs
    back = arithmetic.DynamicBroadcast(x1, x2)
    with control.control_dependencies([dz]):
        by_x1 = constants.ones(back.shapes[0], dtype=x1.dtype)
        by_x2 = constants.zeros(back.shapes[1], dtype=x2.dtype)
        return [back.to_x(by_x1 * dz), back.to_y(by_x2 * dz)]


NEXT_AFTER = define(
    "NextAfter", "x1: T, x2: T", "output: T", attrs={"T": dtypes.float32},
    types={"T": (dtypes.float64, dtypes.float32)}, shape=shape_rules.broadcast,
    kernel=lambda xp, x1, x2: xp.nextafter(x1, x2), gradient=_nextafter_gradient,
    failure=shape_rules.incompatible,
)  # fmt: skip


def nextafter(x1: Any, x2: Any, name: str | None = None) -> Tensor:
    """The number next to ``x1`` on the way to ``x2``."""
    return apply(NEXT_AFTER, x1, x2, name=name)


# -- tests -------------------------------------------------------------------------------------


def _test(name: str, kernel: Callable[..., Any]) -> OpDef:
    return define(name, "x: T", "y: bool", types={"T": kinds.FLOATING}, shape=shape_rules.same, kernel=kernel)


IS_NAN = _test("IsNan", lambda xp, x: xp.isnan(x))
IS_INF = _test("IsInf", lambda xp, x: xp.isinf(x))
IS_FINITE = _test("IsFinite", lambda xp, x: xp.isfinite(x))


def is_nan(x: Any, name: str | None = None) -> Tensor:
    """Where ``x`` is not a number."""
    return apply(IS_NAN, x, name=name)


def is_inf(x: Any, name: str | None = None) -> Tensor:
    """Where ``x`` is infinite."""
    return apply(IS_INF, x, name=name)


def is_finite(x: Any, name: str | None = None) -> Tensor:
    """Where ``x`` is a finite number."""
    return apply(IS_FINITE, x, name=name)
