"""Circular and hyperbolic functions and their inverses."""

from __future__ import annotations

from typing import Any

from retrograd.graph import shapes
from retrograd.graph.apply import apply
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, circular, constants, control, kinds, powers, single
from retrograd.ops.elementwise import backward, binary, on_values, unary

# -- circular ----------------------------------------------------------------------------------


def _sin_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy * cos(x)."""
    with control.control_dependencies([dy]):
        return [dy * cos(arithmetic.conj(op.inputs[0]))]


SIN = unary("Sin", single.sin, _sin_gradient, kinds.INEXACT)


def sin(x: Any, name: str | None = None) -> Tensor:
    """The sine of ``x`` in radians."""
    return apply(SIN, x, name=name)


def _cos_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = -dy * sin(x)."""
    with control.control_dependencies([dy]):
        x = arithmetic.conj(op.inputs[0])
        return [-dy * sin(x)]


COS = unary("Cos", single.cos, _cos_gradient, kinds.INEXACT)


def cos(x: Any, name: str | None = None) -> Tensor:
    """The cosine of ``x`` in radians."""
    return apply(COS, x, name=name)


def _tan_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy / cos(x)^2."""
    with control.control_dependencies([dy]):
        secant = powers.reciprocal(cos(arithmetic.conj(op.inputs[0])))
        return [powers.square(secant) * dy]


TAN = unary("Tan", circular.tan, _tan_gradient, kinds.SIGNED)


def tan(x: Any, name: str | None = None) -> Tensor:
    """The tangent of ``x`` in radians."""
    return apply(TAN, x, name=name)


def _one_minus_square(x: Tensor, dy: Tensor) -> Tensor:
    """1 - x^2."""
    square = powers.square(arithmetic.conj(x))
    return arithmetic.subtract(constants.constant(1, dtype=dy.dtype), square)


def _asin_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy / sqrt(1 - x^2)."""
    with control.control_dependencies([dy]):
        return [dy * powers.reciprocal(powers.sqrt(_one_minus_square(op.inputs[0], dy)))]


ASIN = unary("Asin", lambda xp, x: xp.arcsin(x), _asin_gradient, kinds.SIGNED)


def asin(x: Any, name: str | None = None) -> Tensor:
    """The angle in [-pi/2, pi/2] whose sine is ``x``."""
    return apply(ASIN, x, name=name)


def _acos_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = -dy / sqrt(1 - x^2)."""
    with control.control_dependencies([dy]):
        inverse = powers.reciprocal(powers.sqrt(_one_minus_square(op.inputs[0], dy)))
        return [-dy * inverse]


ACOS = unary("Acos", lambda xp, x: xp.arccos(x), _acos_gradient, kinds.SIGNED)


def acos(x: Any, name: str | None = None) -> Tensor:
    """The angle in [0, pi] whose cosine is ``x``."""
    return apply(ACOS, x, name=name)


def _atan_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy / (1 + x^2)."""
    with control.control_dependencies([dy]):
        square = powers.square(arithmetic.conj(op.inputs[0]))
        one = constants.constant(1, dtype=dy.dtype)
        return [dy * powers.reciprocal(arithmetic.add(one, square))]


ATAN = unary("Atan", lambda xp, x: xp.arctan(x), _atan_gradient, kinds.SIGNED)


def atan(x: Any, name: str | None = None) -> Tensor:
    """The angle in [-pi/2, pi/2] whose tangent is ``x``."""
    return apply(ATAN, x, name=name)


def _atan2_gradient(op: Any, dz: Any) -> list[Any]:
    """dy = dz * x / (x^2 + y^2), dx = -dz * y / (x^2 + y^2); as in TensorFlow unknown shapes are taken to be equal."""
    y, x = op.inputs
    with control.control_dependencies([dz]):
        scaled = dz / (powers.square(x) + powers.square(y))
        dy, dx = x * scaled, -y * scaled
    if not (shapes.is_known(x.dims) and shapes.is_known(y.dims)) or x.dims == y.dims:
        return [dy, dx]
    back = arithmetic.DynamicBroadcast(y, x)
    return [back.to_x(dy), back.to_y(dx)]


ATAN2 = binary("Atan2", lambda xp, y, x: xp.arctan2(y, x), _atan2_gradient, kinds.FLOATING, inputs="y: T, x: T")


def atan2(y: Any, x: Any, name: str | None = None) -> Tensor:
    """The angle in [-pi, pi] of the point ``(x, y)``."""
    return apply(ATAN2, y, x, name=name)


# -- hyperbolic --------------------------------------------------------------------------------


def _sinh_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy * cosh(x)."""
    with control.control_dependencies([dy]):
        return [dy * cosh(arithmetic.conj(op.inputs[0]))]


SINH = unary("Sinh", lambda xp, x: xp.sinh(x), _sinh_gradient, kinds.INEXACT)


def sinh(x: Any, name: str | None = None) -> Tensor:
    """The hyperbolic sine."""
    return apply(SINH, x, name=name)


def _cosh_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy * sinh(x)."""
    with control.control_dependencies([dy]):
        return [dy * sinh(arithmetic.conj(op.inputs[0]))]


COSH = unary("Cosh", lambda xp, x: xp.cosh(x), _cosh_gradient, kinds.INEXACT)


def cosh(x: Any, name: str | None = None) -> Tensor:
    """The hyperbolic cosine."""
    return apply(COSH, x, name=name)


def _tanh_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy * (1 - y^2)."""
    with control.control_dependencies([dy]):
        return [apply(TANH_GRAD, arithmetic.conj(op.outputs[0]), dy)]


def _tanh_grad_gradient(op: Any, d: Any) -> list[Any]:
    """z = dy * (1 - y^2): -2 d dy y for y, d (1 - y^2) for dy."""
    with control.control_dependencies([d]):
        y, dy = arithmetic.conj(op.inputs[0]), arithmetic.conj(op.inputs[1])
        return [d * -2.0 * dy * y, apply(TANH_GRAD, y, d)]


TANH = unary("Tanh", single.tanh, _tanh_gradient, kinds.INEXACT)
TANH_GRAD = backward("TanhGrad", lambda xp, y, dy: dy * (1 - y * y), _tanh_grad_gradient, kinds.INEXACT)


def tanh(x: Any, name: str | None = None) -> Any:
    """The hyperbolic tangent."""
    return on_values(TANH, x, name)


def _asinh_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy / cosh(y)."""
    with control.control_dependencies([dy]):
        return [dy / cosh(arithmetic.conj(op.outputs[0]))]


ASINH = unary("Asinh", lambda xp, x: xp.arcsinh(x), _asinh_gradient, kinds.INEXACT)


def asinh(x: Any, name: str | None = None) -> Tensor:
    """The number whose hyperbolic sine is ``x``."""
    return apply(ASINH, x, name=name)


def _acosh_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy / sinh(y)."""
    with control.control_dependencies([dy]):
        return [dy / sinh(arithmetic.conj(op.outputs[0]))]


ACOSH = unary("Acosh", lambda xp, x: xp.arccosh(x), _acosh_gradient, kinds.INEXACT)


def acosh(x: Any, name: str | None = None) -> Tensor:
    """The positive number whose hyperbolic cosine is ``x``."""
    return apply(ACOSH, x, name=name)


def _atanh_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy / (1 - x^2)."""
    with control.control_dependencies([dy]):
        return [dy * powers.reciprocal(_one_minus_square(op.inputs[0], dy))]


ATANH = unary("Atanh", lambda xp, x: xp.arctanh(x), _atanh_gradient, kinds.INEXACT)


def atanh(x: Any, name: str | None = None) -> Tensor:
    """The number whose hyperbolic tangent is ``x``."""
    return apply(ATANH, x, name=name)
