"""The incomplete gamma function under JAX, differentiable to any order in both of its arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

_MOST_STEPS = 10_000
_SETTLED = 1e-15  # relative change of a continued fraction that has settled
_NEGLIGIBLE = 1e-30  # relative size of a term that adds nothing to a sum, nor its derivatives to theirs


def by_slopes(f: Callable[..., Any]) -> Callable[..., Any]:
    """An elementwise ``f`` with dy = sum of df/dx_i dx_i, where the slopes df/dx_i come of forward differentiation.

    Loops that end when they have settled have no other; the slopes are such functions again.
    """
    from retrograd.ops.jax_start import jax

    y = jax.custom_jvp(f)

    def slope(i: int, *xs: Any) -> Any:
        along = jax.numpy.ones_like(xs[i])
        return jax.jvp(lambda x: f(*xs[:i], x, *xs[i + 1 :]), (xs[i],), (along,))[1]

    @y.defjvp
    def _along(xs: Any, dxs: Any) -> Any:
        slopes = [by_slopes(lambda *at, i=i: slope(i, *at))(*xs) for i in range(len(xs))]
        return y(*xs), sum(s * dx for s, dx in zip(slopes, dxs, strict=True))

    return y


def _by_series(a: Any, x: Any) -> Any:
    """P(a, x) = x^a e^-x / gamma(a + 1) * sum of x^n / ((a + 1) ... (a + n))."""
    from jax.scipy.special import gammaln

    from retrograd.ops.jax_start import jnp, lax

    def more(state: Any) -> Any:
        n, term, total = state
        return (n < _MOST_STEPS) & jnp.any(term > _NEGLIGIBLE * total)

    def step(state: Any) -> Any:
        n, term, total = state
        term = term * x / (a + n)
        return n + 1, term, total + term

    one = jnp.ones_like(x)
    *_, total = lax.while_loop(more, step, (jnp.ones((), x.dtype), one, one))
    return jnp.exp(a * jnp.log(x) - x - gammaln(a + 1)) * total


def _by_fraction(a: Any, x: Any) -> Any:
    """Q(a, x) by its continued fraction, run twice as long as its value needs: derivatives settle later."""
    from jax.scipy.special import gammaln

    from retrograd.ops.jax_start import jnp, lax

    def more(state: Any) -> Any:
        n, settled_at, *_ = state
        return (n < _MOST_STEPS) & (n < 2 * settled_at + 20)

    def step(state: Any) -> Any:
        n, settled_at, value, p0, q0, p1, q1 = state
        b, c = x - a + (2 * n + 1), n * (a - n)
        p2, q2 = b * p1 + c * p0, b * q1 + c * q0
        moved = jnp.any(jnp.abs(p2 / q2 - value) > _SETTLED * jnp.abs(value))
        size = lax.stop_gradient(jnp.maximum(jnp.abs(q2), 1e-30))
        return n + 1, jnp.where(moved, n, settled_at), p2 / q2, p1 / size, q1 / size, p2 / size, q2 / size

    one, zero, b = jnp.ones_like(x), jnp.zeros_like(x), x - a + 1
    first = jnp.ones((), x.dtype)
    _, _, value, *_ = lax.while_loop(more, step, (first, first, 1 / b, zero, one, one, b))
    return jnp.exp(a * jnp.log(x) - x - gammaln(a)) * value


def _lower(a: Any, x: Any) -> Any:
    """P(a, x) for finite a > 0 and x > 0."""
    from retrograd.ops.jax_start import jnp

    low = (x <= 1) | (x <= a)
    return jnp.where(
        low,
        _by_series(jnp.where(low, a, 1.0), jnp.where(low, x, 0.5)),
        1 - _by_fraction(jnp.where(low, 1.0, a), jnp.where(low, 2.0, x)),
    )


def _inside(a: Any, x: Any) -> Any:
    from retrograd.ops.jax_start import jnp

    return (a > 0) & (x > 0) & jnp.isfinite(a) & jnp.isfinite(x)


def grad_a(a: Any, x: Any) -> Any:
    """dP(a, x)/da: 0 where x is 0 or infinite, nan outside of the domain."""
    from retrograd.ops.jax_start import jax, jnp

    inside = _inside(a, x)
    edge = ((a >= 0) & (x == 0)) | ((a > 0) & jnp.isfinite(a) & (x == jnp.inf))
    slope = by_slopes(lambda a, x: jax.jvp(lambda b: _lower(b, x), (a,), (jnp.ones_like(a),))[1])
    wide = (jnp.where(inside, v, 1.0).astype(jnp.float64) for v in (a, x))
    return jnp.where(inside, slope(*wide), jnp.where(edge, 0.0, jnp.nan)).astype(a.dtype)
