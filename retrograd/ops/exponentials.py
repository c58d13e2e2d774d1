"""Exponentials, logarithms and the logistic function."""

from __future__ import annotations

from typing import Any

from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, comparison, control, kinds, powers, single
from retrograd.ops.casts import cast
from retrograd.ops.elementwise import backward, binary, unary


def _exp_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy * y."""
    with control.control_dependencies([dy]):
        return [dy * arithmetic.conj(op.outputs[0])]


EXP = unary("Exp", single.exp, _exp_gradient, kinds.INEXACT)


def exp(x: Any, name: str | None = None) -> Tensor:
    """``e ** x``, elementwise."""
    return apply(EXP, x, name=name)


def _expm1_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy * e^x."""
    with control.control_dependencies([dy]):
        return [dy * exp(arithmetic.conj(op.inputs[0]))]


EXPM1 = unary("Expm1", lambda xp, x: xp.expm1(x), _expm1_gradient, kinds.INEXACT)


def expm1(x: Any, name: str | None = None) -> Tensor:
    """``e ** x - 1``, exact near 0 too."""
    return apply(EXPM1, x, name=name)


def _log_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy * 1/x."""
    with control.control_dependencies([dy]):
        return [dy * powers.reciprocal(arithmetic.conj(op.inputs[0]))]


LOG = unary("Log", single.log, _log_gradient, kinds.INEXACT)


def log(x: Any, name: str | None = None) -> Tensor:
    """The natural logarithm, elementwise."""
    return apply(LOG, x, name=name)


def _log1p_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy * 1/(1 + x)."""
    with control.control_dependencies([dy]):
        return [dy * powers.reciprocal(1 + arithmetic.conj(op.inputs[0]))]


LOG1P = unary("Log1p", lambda xp, x: xp.log1p(x), _log1p_gradient, kinds.INEXACT)


def log1p(x: Any, name: str | None = None) -> Tensor:
    """``log(1 + x)``, exact near 0 too."""
    return apply(LOG1P, x, name=name)


# -- the logistic function ---------------------------------------------------------------------


def _sigmoid_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy * y * (1 - y)."""
    with control.control_dependencies([dy]):
        return [apply(SIGMOID_GRAD, arithmetic.conj(op.outputs[0]), dy)]


def _sigmoid_grad_gradient(op: Any, d: Any) -> list[Any]:
    """z = dy * y * (1 - y): d dy - 2 d dy y for y, d y (1 - y) for dy."""
    with control.control_dependencies([d]):
        y, dy = arithmetic.conj(op.inputs[0]), arithmetic.conj(op.inputs[1])
        product = d * dy
        return [product - 2.0 * product * y, apply(SIGMOID_GRAD, y, d)]


SIGMOID = unary("Sigmoid", lambda xp, x: 1 / (1 + single.exp(xp, -x)), _sigmoid_gradient, kinds.INEXACT)
SIGMOID_GRAD = backward("SigmoidGrad", lambda xp, y, dy: dy * y * (1 - y), _sigmoid_grad_gradient, kinds.INEXACT)


def sigmoid(x: Any, name: str | None = None) -> Tensor:
    """``1 / (1 + e ** -x)``, elementwise."""
    with name_scope(name, "Sigmoid", [x]) as name:
        return apply(SIGMOID, as_tensor(x, name="x"), name=name)


# -- with 0 * log 0 = 0 ------------------------------------------------------------------------


def _is_not_zero(x: Tensor) -> Tensor:
    """1 where x is not 0, else 0."""
    return cast(comparison.not_equal(x, cast(0.0, dtype=x.dtype)), dtype=x.dtype)


def _xlogy_gradient(op: Any, dz: Any) -> list[Any]:
    """dx = dz * log(y) where x is not 0, dy = dz * x / y."""
    x, y = op.inputs
    back = arithmetic.DynamicBroadcast(x, y)
    with control.control_dependencies([dz]):
        by_x = xlogy(_is_not_zero(x), y)
        by_y = xdivy(x, y)
        return [back.to_x(by_x * dz), back.to_y(by_y * dz)]


def _xlogy(xp: Any, x: Any, y: Any) -> Any:
    zero = x == 0
    return xp.where(zero, xp.zeros_like(x), x * xp.log(xp.where(zero, xp.ones_like(y), y)))


XLOGY = binary("Xlogy", _xlogy, _xlogy_gradient, kinds.NO_NAN)


def xlogy(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x * log(y)``, and 0 where x is 0."""
    return apply(XLOGY, x, y, name=name)


def _xdivy_gradient(op: Any, dz: Any) -> list[Any]:
    """dx = dz / y where x is not 0, dy = -dz * x / y^2."""
    x, y = op.inputs
    back = arithmetic.DynamicBroadcast(x, y)
    with control.control_dependencies([dz]):
        by_x = xdivy(_is_not_zero(x), y)
        by_y = xdivy(-x, y**2)
        return [back.to_x(by_x * dz), back.to_y(by_y * dz)]


def _xdivy(xp: Any, x: Any, y: Any) -> Any:
    zero = x == 0
    return xp.where(zero, xp.zeros_like(x), x / xp.where(zero, xp.ones_like(y), y))


XDIVY = binary("Xdivy", _xdivy, _xdivy_gradient, kinds.NO_NAN)


def xdivy(x: Any, y: Any, name: str | None = None) -> Tensor:
    """``x / y``, and 0 where x is 0."""
    return apply(XDIVY, x, y, name=name)
