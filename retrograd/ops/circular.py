"""Sine, cosine and tangent of many float32 numbers by XLA, which would call the C library for each.

With n = round(2 x / pi) and y = x - n pi / 2, taken in float64, each is a short polynomial of y, by n mod 4 that of the
sine or the cosine, with either sign.  Source: Moshier, Cephes (single precision).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import pi
from typing import Any

import numpy as np

_MANY = 1 << 10  # elements
_FURTHEST = 2.0**22  # from there on these have too few digits
_QUARTER = (
    float.fromhex("0x1.921fb54400000p+0"),
    float.fromhex("0x1.0b4611a626331p-34"),
)  # pi / 2, of which n times the first is exact
_SINE = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
_COSINE = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)


def sin(xp: Any, x: Any) -> Any:
    """sin(x)."""
    return _by_quadrant("sin", x) if _is_large(xp, x) else xp.sin(x)


def cos(xp: Any, x: Any) -> Any:
    """cos(x)."""
    return _by_quadrant("cos", x) if _is_large(xp, x) else xp.cos(x)


def tan(xp: Any, x: Any) -> Any:
    """tan(x)."""
    return _by_quadrant("tan", x) if _is_large(xp, x) else xp.tan(x)


def _is_large(xp: Any, x: Any) -> bool:
    return xp is not np and x.dtype == np.float32 and x.size >= _MANY


def _by_quadrant(name: str, x: Any) -> Any:
    return _functions()[name](x)


def _sine(jnp: Any, quadrant: Any, y: Any) -> Any:
    """The sine of y and so many quarters of a turn."""
    square = y * y
    sine = y + y * square * _polynomial(_SINE, square)
    cosine = np.float32(1) - np.float32(0.5) * square + square * square * _polynomial(_COSINE, square)
    value = jnp.where(quadrant & 1, cosine, sine)
    return jnp.where(quadrant & 2, -value, value)


def _polynomial(terms: tuple[float, ...], x: Any) -> Any:
    value: Any = np.float32(terms[0])
    for term in terms[1:]:
        value = value * x + np.float32(term)
    return value


@cache
def _functions() -> dict[str, Callable[[Any], Any]]:
    """For JAX, with their derivatives: polynomials, unless a number is so large that it takes the C library."""
    from retrograd.ops.jax_start import jax, jnp

    def near(of: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
        def function(x: Any) -> Any:
            wide = x.astype(np.float64)
            n = jnp.round(wide * (2 / pi))
            y = ((wide - n * _QUARTER[0]) - n * _QUARTER[1]).astype(np.float32)
            return of(n.astype(np.int32), y)

        return function

    def guarded(name: str, of: Callable[[Any, Any], Any], slope: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
        @jax.custom_jvp
        def function(x: Any) -> Any:
            with jax.enable_x64(True):
                return jax.lax.cond(jnp.any(jnp.abs(x) > _FURTHEST), getattr(jnp, name), near(of), x)

        @function.defjvp
        def derivative(primals: Any, tangents: Any) -> Any:
            (x,), (dx,) = primals, tangents
            y = function(x)
            return y, slope(x, y) * dx

        return function  # type: ignore[no-any-return]

    found: dict[str, Callable[[Any], Any]] = {}
    found["sin"] = guarded("sin", lambda n, y: _sine(jnp, n, y), lambda x, y: found["cos"](x))
    found["cos"] = guarded("cos", lambda n, y: _sine(jnp, n + 1, y), lambda x, y: -found["sin"](x))
    found["tan"] = guarded("tan", lambda n, y: _sine(jnp, n, y) / _sine(jnp, n + 1, y), lambda x, y: 1 + y * y)
    return found
