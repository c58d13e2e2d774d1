"""Powers and roots."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, comparison, constants, control, exponentials, kinds, single
from retrograd.ops.elementwise import backward, binary, on_values, unary
from retrograd.ops.requirements import require

# -- squares and roots -------------------------------------------------------------------------


def _square_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy * 2x."""
    x = op.inputs[0]
    with control.control_dependencies([dy]):
        x = arithmetic.conj(x)
        two = constants.constant(2.0, dtype=x.dtype)
        return [arithmetic.multiply(dy, arithmetic.multiply(x, two))]


SQUARE = unary("Square", lambda xp, x: x * x, _square_gradient, kinds.SIGNED)


def square(x: Any, name: str | None = None) -> Any:
    """``x * x``, elementwise."""
    return on_values(SQUARE, x, name)


def _zero_with(xp: Any, dy: Any, dx: Any) -> Any:
    """0 where dy is, however steep the function: no nan comes out of an infinite slope that nobody asked for."""
    return xp.where(dy == 0, dy.dtype.type(0), dx)


def _sqrt_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy / 2y."""
    return [apply(SQRT_GRAD, op.outputs[0], dy)]


def _sqrt_grad_gradient(op: Any, d: Any) -> list[Any]:
    """z = dy / 2y: -z / y * d for y, d / 2y for dy."""
    y, z = op.inputs[0], op.outputs[0]
    with control.control_dependencies([d]):
        quotient = d / y
        return [-arithmetic.conj(quotient) * z, 0.5 * quotient]


SQRT = unary("Sqrt", lambda xp, x: xp.sqrt(x), _sqrt_gradient, kinds.INEXACT)
SQRT_GRAD = backward(
    "SqrtGrad", lambda xp, y, dy: _zero_with(xp, dy, dy * 0.5 / xp.conj(y)), _sqrt_grad_gradient, kinds.INEXACT
)


def sqrt(x: Any, name: str | None = None) -> Any:
    """The square root, elementwise."""
    return on_values(SQRT, x, name)


def _rsqrt_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = -dy * y^3 / 2."""
    return [apply(RSQRT_GRAD, op.outputs[0], dy)]


def _rsqrt_grad(xp: Any, y: Any, dy: Any) -> Any:
    y = xp.conj(y)
    return _zero_with(xp, dy, dy * -0.5 * y * y * y)


def _rsqrt_grad_gradient(op: Any, d: Any) -> list[Any]:
    """z = -dy * y^3 / 2: -3/2 d dy y^2 for y, -d y^3 / 2 for dy."""
    y, dy = op.inputs
    with control.control_dependencies([d]):
        y = arithmetic.conj(y)
        return [-1.5 * arithmetic.conj(d) * dy * square(y), apply(RSQRT_GRAD, y, d)]


def _rsqrt(xp: Any, x: Any) -> Any:
    if xp is np or x.dtype.kind == "c":
        return 1 / xp.sqrt(x)
    return xp.where(x >= 0, xp.ones_like(x), x) / xp.sqrt(x)  # XLA makes of 1 / sqrt(x) what takes seven times as long


RSQRT = unary("Rsqrt", _rsqrt, _rsqrt_gradient, kinds.INEXACT)
RSQRT_GRAD = backward("RsqrtGrad", _rsqrt_grad, _rsqrt_grad_gradient, kinds.INEXACT)


def rsqrt(x: Any, name: str | None = None) -> Tensor:
    """``1 / sqrt(x)``, elementwise."""
    return apply(RSQRT, x, name=name)


# -- reciprocals -------------------------------------------------------------------------------


def _reciprocal(xp: Any, x: Any) -> Any:
    if x.dtype.kind not in "iu":
        return 1 / x
    if xp is not np:
        require(x != 0)
    elif not np.all(x):
        raise errors.InvalidArgumentError(None, None, "Integer division by zero")
    return arithmetic.TRUNCATE_DIV.kernel(xp, xp.ones_like(x), x)  # type: ignore[misc]


def _reciprocal_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = -dy * y^2."""
    return [apply(RECIPROCAL_GRAD, op.outputs[0], dy)]


def _reciprocal_grad(xp: Any, y: Any, dy: Any) -> Any:
    y = xp.conj(y)
    return _zero_with(xp, dy, -dy * y * y)


def _reciprocal_grad_gradient(op: Any, d: Any) -> list[Any]:
    """z = -dy * y^2: -2 d dy y for y, -d y^2 for dy."""
    y, dy = op.inputs
    with control.control_dependencies([d]):
        y = arithmetic.conj(y)
        return [arithmetic.conj(d) * -2.0 * dy * y, apply(RECIPROCAL_GRAD, y, d)]


RECIPROCAL = unary("Reciprocal", _reciprocal, _reciprocal_gradient, kinds.SIGNED)
RECIPROCAL_GRAD = backward("ReciprocalGrad", _reciprocal_grad, _reciprocal_grad_gradient, kinds.INEXACT)
INV = unary("Inv", _reciprocal, _reciprocal_gradient, kinds.SIGNED)
INV_GRAD = backward("InvGrad", _reciprocal_grad, _reciprocal_grad_gradient, kinds.INEXACT)


def reciprocal(x: Any, name: str | None = None) -> Tensor:
    """``1 / x``, elementwise."""
    return apply(RECIPROCAL, x, name=name)


def reciprocal_no_nan(x: Any, name: str | None = None) -> Tensor:
    """``1 / x``, and 0 where x is 0."""
    with name_scope(name, "reciprocal_no_nan", [x]) as name:
        x = as_tensor(x, name="x")
        one = constants.constant(1, dtype=x.dtype.base_dtype, name="one")
        return arithmetic.div_no_nan(one, x, name=name)


# -- any power ---------------------------------------------------------------------------------


def _pow(xp: Any, x: Any, y: Any) -> Any:
    if xp is not np and y.dtype.kind == "i":
        require(y >= 0)
    elif y.dtype.kind == "i" and np.any(np.less(y, 0)):
        raise errors.InvalidArgumentError(None, None, "Integers to negative integer powers are not allowed")
    if xp is np and y.dtype == np.float32 and x.ndim and not y.ndim and y == 3:
        return x * (x * x)  # as TensorFlow rewrites it
    return single.power(xp, x, y)


def _pow_gradient(op: Any, dz: Any) -> list[Any]:
    """dx = dz * y * x^(y-1), dy = dz * x^y * log(x), with log taken as 0 where x is not positive."""
    x, y = op.inputs
    back = arithmetic.Broadcast(x, y, dz)
    x, y = arithmetic.conj(x), arithmetic.conj(y)
    dx = back.to_x(dz * y * pow_(x, y - 1))
    z = arithmetic.conj(op.outputs[0])
    positive = comparison.not_equal(x, 0) if x.dtype.is_complex else x > 0
    safe_x = comparison.where(positive, x, constants.ones_like(x))
    log_x = comparison.where(positive, exponentials.log(safe_x), constants.zeros_like(x))
    return [dx, back.to_y(dz * z * log_x)]


POW = binary("Pow", _pow, _pow_gradient, (
    dtypes.bfloat16, dtypes.float32, dtypes.float16, dtypes.float64, *kinds.INDEX, *kinds.COMPLEX,
))  # fmt: skip


def pow_(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x ** y``, elementwise."""
    with name_scope(name, "Pow", [x]) as name:
        return apply(POW, x, y, name=name)


def polyval(coeffs: list[Any], x: Any, name: str | None = None) -> Tensor:
    """``coeffs[0] * x**(n-1) + ... + coeffs[n-1]``, by Horner's rule; 0 of no coefficients."""
    with name_scope(name, "polyval", [*coeffs, x]) as name:
        x = as_tensor(x, name="x")
        if not coeffs:
            return constants.zeros_like(x, name=name)
        coeffs = [as_tensor(c, name=f"coeff_{i}") for i, c in enumerate(coeffs)]
        value = coeffs[0]
        for coefficient in coeffs[1:]:
            value = coefficient + value * x
        return value
