"""Special functions: error, gamma, beta, zeta and Bessel functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import OpDef, define
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    comparison,
    constants,
    control,
    exponentials,
    kinds,
    powers,
    reductions,
    rounding,
    single,
)
from retrograd.ops.elementwise import binary, on_values, unary


def _kernel(name: str, in_jax: str | None = None, in_lax: bool = False) -> Callable[..., Any]:
    """``special_values.name`` in float64; under JAX, ``in_jax`` of ``jax.scipy.special`` or ``jax.lax``."""

    def kernel(xp: Any, *inputs: Any) -> Any:
        if xp is np:
            from retrograd.ops import special_values

            wide = [np.asarray(x, np.float64) for x in inputs]
            return np.asarray(getattr(special_values, name)(*wide)).astype(inputs[0].dtype)
        from jax.scipy import special

        from retrograd.ops.jax_start import lax

        return getattr(lax if in_lax else special, in_jax or name)(*xp.broadcast_arrays(*inputs))

    return kernel


def _unary(name: str, function: str, gradient: Callable[..., Any], in_jax: str | None = None) -> OpDef:
    return unary(name, _kernel(function, in_jax), gradient, kinds.FLOATING)


# -- error functions ---------------------------------------------------------------------------


def _erf_gradient(sign: int) -> Callable[..., Any]:
    """dx = dy * sign * 2 / sqrt(pi) * e^(-x^2)."""

    def gradient(op: Any, dy: Any) -> list[Any]:
        x = op.inputs[0]
        factor = constants.constant(sign * 2 / np.sqrt(np.pi), dtype=dy.dtype)
        with control.control_dependencies([dy]):
            return [dy * factor * exponentials.exp(-powers.square(x))]

    return gradient


def _erf(xp: Any, x: Any) -> Any:
    return single.erf(x) if xp is np and x.dtype == np.float32 and x.size >= single.MANY else _ERF(xp, x)


_ERF = _kernel("erf")
ERF = unary("Erf", _erf, _erf_gradient(1), kinds.FLOATING)
ERFC = _unary("Erfc", "erfc", _erf_gradient(-1))


def erf(x: Any, name: str | None = None) -> Any:
    """``2 / sqrt(pi)`` times the integral of ``e ** (-t ** 2)`` from 0 to ``x``."""
    return on_values(ERF, x, name)


def erfc(x: Any, name: str | None = None) -> Tensor:
    """``1 - erf(x)``, exact for large ``x`` too."""
    return apply(ERFC, x, name=name)


# -- gamma functions ---------------------------------------------------------------------------


def _lgamma_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy * digamma(x)."""
    with control.control_dependencies([dy]):
        return [dy * digamma(op.inputs[0])]


LGAMMA = _unary("Lgamma", "lgamma", _lgamma_gradient, in_jax="gammaln")


def lgamma(x: Any, name: str | None = None) -> Tensor:
    """``log(|gamma(x)|)``."""
    return apply(LGAMMA, x, name=name)


def _digamma_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy * polygamma(1, x)."""
    x = op.inputs[0]
    with control.control_dependencies([dy]):
        return [dy * polygamma(constants.constant(1, dtype=x.dtype), x)]


DIGAMMA = _unary("Digamma", "digamma", _digamma_gradient)


def digamma(x: Any, name: str | None = None) -> Tensor:
    """The derivative of ``lgamma``."""
    return apply(DIGAMMA, x, name=name)


def _polygamma_gradient(op: Any, dz: Any) -> list[Any]:
    """dx = dz * polygamma(a + 1, x); a is an integer."""
    a, x = op.inputs
    back = arithmetic.DynamicBroadcast(a, x)
    with control.control_dependencies([dz]):
        return [None, back.to_y(polygamma(a + 1, x) * dz)]


POLYGAMMA = binary(
    "Polygamma", _kernel("polygamma", in_lax=True), _polygamma_gradient, kinds.PRECISE, inputs="a: T, x: T"
)


def polygamma(a: Any, x: Any, name: str | None = None) -> Tensor:
    """The derivative of order ``a`` of ``digamma`` at ``x``; ``a`` is 0, 1, 2, ..."""
    return apply(POLYGAMMA, a, x, name=name)


def _zeta_gradient(op: Any, dz: Any) -> list[Any]:
    """dq = -x * zeta(x + 1, q) * dz; none flows to x."""
    x, q = op.inputs
    back = arithmetic.DynamicBroadcast(x, q)
    with control.control_dependencies([dz]):
        return [None, back.to_y(-x * zeta(x + 1, q) * dz)]


ZETA = binary("Zeta", _kernel("zeta"), _zeta_gradient, kinds.PRECISE, inputs="x: T, q: T")


def zeta(x: Any, q: Any, name: str | None = None) -> Tensor:
    """The sum of ``(q + n) ** -x`` for n = 0, 1, 2, ..."""
    return apply(ZETA, x, q, name=name)


def _igamma_gradients(op: Any, dz: Any) -> list[Any]:
    """da by IgammaGradA, dx = dz * e^(-x + (a - 1) log(x) - lgamma(a))."""
    a, x = op.inputs
    back = arithmetic.DynamicBroadcast(a, x)
    with control.control_dependencies([dz]):
        by_a = apply(IGAMMA_GRAD_A, a, x)
        by_x = exponentials.exp(-x + (a - 1) * exponentials.log(x) - lgamma(a))
        return [back.to_x(by_a * dz), back.to_y(by_x * dz)]


def _igammac_gradients(op: Any, dz: Any) -> list[Any]:
    """Those of igamma, negated."""
    da, dx = _igamma_gradients(op, dz)
    return [-da, -dx]


IGAMMA = binary("Igamma", _kernel("igamma", "gammainc"), _igamma_gradients, kinds.PRECISE, inputs="a: T, x: T")
IGAMMAC = binary("Igammac", _kernel("igammac", "gammaincc"), _igammac_gradients, kinds.PRECISE, inputs="a: T, x: T")


def _igamma_grad_a(xp: Any, a: Any, x: Any) -> Any:
    """dP(a, x)/da; under JAX in a form that is differentiated further."""
    if xp is np:
        return _kernel("igamma_grad_a")(xp, a, x)
    from retrograd.ops import incomplete_gamma

    return incomplete_gamma.grad_a(*xp.broadcast_arrays(a, x))


IGAMMA_GRAD_A = binary("IgammaGradA", _igamma_grad_a, None, kinds.PRECISE, inputs="a: T, x: T")


def igamma(a: Any, x: Any, name: str | None = None) -> Tensor:
    """The integral of ``t ** (a - 1) * e ** -t`` from 0 to ``x``, over ``gamma(a)``."""
    return apply(IGAMMA, a, x, name=name)


def igammac(a: Any, x: Any, name: str | None = None) -> Tensor:
    """``1 - igamma(a, x)``."""
    return apply(IGAMMAC, a, x, name=name)


# -- beta functions ----------------------------------------------------------------------------


def _merged_with_scalars(a: Tensor, b: Tensor, x: Tensor) -> RawShape:
    """Inputs of one shape; scalars go with any."""
    dims = [t.dims for t in (a, b, x)]
    if None in dims:
        known = [d for d in dims if d]
        return known[0] if known and all(d in ((), known[0]) for d in dims if d is not None) else None
    result: RawShape = ()
    for d in dims:
        if d:
            result = shapes.merge(result, d) if result else d
    return result


def _betainc_gradient(op: Any, dz: Any) -> list[Any]:
    """dx = dz * e^((b - 1) log(1 - x) + (a - 1) log(x) - log(beta(a, b))); none flows to a and b."""
    a, b, x = op.inputs
    back = arithmetic.DynamicBroadcast(a, x)
    log_beta = lgamma(a) + lgamma(b) - lgamma(a + b)
    by_x = exponentials.exp((b - 1) * exponentials.log(1 - x) + (a - 1) * exponentials.log(x) - log_beta)
    return [None, None, back.to_y(by_x * dz)]


BETAINC = define(
    "Betainc", "a: T, b: T, x: T", "z: T", types={"T": kinds.PRECISE}, shape=_merged_with_scalars,
    kernel=_kernel("betainc"), gradient=_betainc_gradient,
    failure=lambda a, b, x: f"Shapes of a and {'bx'[a == b]} are inconsistent: {a} vs. {x if a == b else b}",
)  # fmt: skip


def betainc(a: Any, b: Any, x: Any, name: str | None = None) -> Tensor:
    """The integral of ``t ** (a - 1) * (1 - t) ** (b - 1)`` from 0 to ``x``, over ``beta(a, b)``."""
    return apply(BETAINC, a, b, x, name=name)


def lbeta(x: Any, name: str | None = None) -> Tensor:
    """``log(|beta|)`` of the numbers along the last axis: ``sum(lgamma(x)) - lgamma(sum(x))``."""
    with name_scope(name, "lbeta", [x]):
        x = as_tensor(x, name="x")
        return reductions.reduce_sum(lgamma(x), axis=[-1]) - lgamma(reductions.reduce_sum(x, axis=[-1]))


# -- Bessel functions --------------------------------------------------------------------------


def _bessel_i0e_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy * (i1e(x) - sign(x) * y)."""
    x, y = op.inputs[0], op.outputs[0]
    with control.control_dependencies([dy]):
        return [dy * (bessel_i1e(x) - rounding.sign(x) * y)]


def _bessel_i1e_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy * (i0e(x) - y * (sign(x) + 1/x)), and dy / 2 near 0."""
    x, y = op.inputs[0], op.outputs[0]
    tiny = np.finfo(x.dtype.as_numpy_dtype).eps
    with control.control_dependencies([dy]):
        zeros = constants.zeros_like(x)
        beyond = rounding.abs_(x) > tiny
        safe_x = comparison.where(beyond, x, tiny + zeros)
        slope = bessel_i0e(safe_x) - y * (rounding.sign(safe_x) + powers.reciprocal(safe_x))
        return [dy * comparison.where(beyond, slope, 0.5 + zeros)]


BESSEL_I0E = _unary("BesselI0e", "bessel_i0e", _bessel_i0e_gradient, in_jax="i0e")
BESSEL_I1E = _unary("BesselI1e", "bessel_i1e", _bessel_i1e_gradient, in_jax="i1e")


def bessel_i0e(x: Any, name: str | None = None) -> Any:
    """The modified Bessel function of order 0, times ``e ** -|x|``."""
    return on_values(BESSEL_I0E, x, name)


def bessel_i1e(x: Any, name: str | None = None) -> Any:
    """The modified Bessel function of order 1, times ``e ** -|x|``."""
    return on_values(BESSEL_I1E, x, name)


def bessel_i0(x: Any, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 0."""
    with name_scope(name, "bessel_i0", [x]):
        return exponentials.exp(rounding.abs_(x)) * bessel_i0e(x)


def bessel_i1(x: Any, name: str | None = None) -> Tensor:
    """The modified Bessel function of order 1."""
    with name_scope(name, "bessel_i1", [x]):
        return exponentials.exp(rounding.abs_(x)) * bessel_i1e(x)
