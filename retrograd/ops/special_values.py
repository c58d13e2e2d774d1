"""Values of special functions on float64 arrays, by series, recurrences and continued fractions.

Loops run over terms; each term is computed for the whole array.  They end when the terms have
become too small to count for every element.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.ops import libm

Array = np.ndarray
_EPSILON = np.finfo(np.float64).eps
_TINY = 1e-300
_MOST_STEPS = 20_000

# B(2k) / (2k)! for k = 1, 2, ...: the weights of the Euler-Maclaurin sum.
_BERNOULLI = [
    1 / 6,
    -1 / 30,
    1 / 42,
    -1 / 30,
    5 / 66,
    -691 / 2730,
    7 / 6,
    -3617 / 510,
    43867 / 798,
    -174611 / 330,
]
_EULER_MACLAURIN = [b / math.factorial(2 * k) for k, b in enumerate(_BERNOULLI, 1)]


def erf(x: Array) -> Array:
    return libm.each(math.erf, x)


def erfc(x: Array) -> Array:
    return libm.each(math.erfc, x)


def lgamma(x: Array) -> Array:
    """Infinite at 0, -1, -2, ..., where gamma has poles, and where it overflows."""
    infinite = ((x <= 0) & (x == np.floor(x))) | (np.abs(x) > 1e305)
    return np.where(infinite & ~np.isnan(x), np.inf, libm.each(math.lgamma, np.where(infinite, 1.0, x)))


def digamma(x: Array) -> Array:
    """The asymptotic series from 10 on, reached by psi(x) = psi(x + 1) - 1/x; reflected below 0."""
    pole = (x <= 0) & (x == np.floor(x))
    negative = (x < 0) & ~pole
    t = np.where(pole, 1.0, np.where(negative, 1 - x, x))
    lowered = np.zeros_like(t)
    while np.any(small := t < 10):
        lowered = np.where(small, lowered + 1 / t, lowered)
        t = np.where(small, t + 1, t)
    series = np.zeros_like(t)
    for k, b in reversed(list(enumerate(_BERNOULLI, 1))):
        series = (series + b / (2 * k)) / (t * t)
    value = np.log(t) - 0.5 / t - series - lowered
    cotangent = np.where(negative, np.pi / np.tan(np.pi * np.where(negative, x - np.floor(x), 0.5)), 0.0)
    return np.where(pole, np.inf, value - cotangent)


def zeta(x: Array, q: Array) -> Array:
    """The Hurwitz zeta function: the terms up to q + n = x + 10, and an Euler-Maclaurin sum for the rest."""
    x, q = np.broadcast_arrays(x, q)
    pole = (q <= 0) & (q == np.floor(q))
    undefined = ((q < 0) & (x != np.floor(x))) | ~np.isfinite(q) | (q < -1e5)
    wrong = (x < 1) | ~np.isfinite(x) | (undefined & ~pole)
    bad = wrong | pole | (x == 1)
    s, t = np.where(bad, 2.0, x), np.where(bad, 1.0, q)
    value = np.zeros_like(t)
    counts = t < 10 + s
    while np.any(counts):
        term = t**-s
        value = np.where(counts, value + term, value)
        t = np.where(counts, t + 1, t)
        counts &= (t < 10 + s) & ((term > _EPSILON / 64 * value) | (t < 1))
    value = value + t ** (1 - s) / (s - 1) + 0.5 * t**-s
    factor = s * t ** (-s - 1)
    for k, weight in enumerate(_EULER_MACLAURIN):
        value = value + weight * factor
        factor = factor * (s + 2 * k + 1) * (s + 2 * k + 2) / (t * t)
    value = np.where((x == 1) | pole, np.inf, value)
    return np.where(wrong, np.nan, value)


def polygamma(n: Array, x: Array) -> Array:
    """(-1)^(n+1) n! zeta(n + 1, x), and digamma for n = 0."""
    n, x = np.broadcast_arrays(n, x)
    wrong = (n < 0) | (n != np.floor(n))
    order = np.where(wrong, 1.0, n)
    sign = np.where(order % 2 == 1, 1.0, -1.0)
    factorial = np.exp(lgamma(order + 1))
    factorial = np.where(order < 23, np.rint(factorial), factorial)
    value = np.where(order == 0, digamma(x), sign * factorial * zeta(order + 1, x))
    return np.where(wrong, np.nan, value)


# -- incomplete gamma --------------------------------------------------------------------------


def _settled(step: Callable[..., tuple[list[Array], Array]], state: list[Array]) -> list[Array]:
    """The ``state`` of each element once ``step(n, *state)`` says that it has settled, for n = 1, 2, ...

    Elements that have settled are taken out now and then, so that the slowest do not hold up all.
    """
    result = [np.array(x) for x in state]
    left = np.arange(len(state[0]))
    for n in range(1, _MOST_STEPS):
        state, done = step(n, *state)
        if n % 8 == 0 or done.all():
            for whole, part in zip(result, state, strict=True):
                whole[left] = part
            left, state = left[~done], [x[~done] for x in state]
            if not len(left):
                return result
    for whole, part in zip(result, state, strict=True):
        whole[left] = part
    return result


def _gamma_series(a: Array, x: Array) -> tuple[Array, Array]:
    """P(a, x) = x^a e^-x / gamma(a + 1) * sum of x^n / ((a + 1) ... (a + n)), and its derivative by a."""

    def step(n: int, a: Array, x: Array, term: Array, total: Array, slope: Array, slopes: Array) -> Any:
        slope = (slope - term / (a + n)) * x / (a + n)
        term = term * x / (a + n)
        total, slopes = total + term, slopes + slope
        done = (term <= _EPSILON * total) & (np.abs(slope) <= _EPSILON * np.abs(slopes))
        return [a, x, term, total, slope, slopes], done

    one, zero = np.ones_like(a), np.zeros_like(a)
    *_, total, _, slopes = _settled(step, [a, x, one, one, zero, zero])
    scale = np.exp(a * np.log(x) - x - lgamma(a + 1))
    return scale * total, scale * (slopes + total * (np.log(x) - digamma(a + 1)))


def _gamma_fraction(a: Array, x: Array) -> tuple[Array, Array]:
    """Q(a, x) by its continued fraction, and its derivative by a: their recurrences run side by side."""

    def step(n: int, a: Array, x: Array, value: Array, slope: Array, *terms: Array) -> Any:
        p0, q0, dp0, dq0, p1, q1, dp1, dq1 = terms
        b, c = x - a + (2 * n + 1), n * (a - n)
        p2, q2 = b * p1 + c * p0, b * q1 + c * q0
        dp2 = b * dp1 - p1 + c * dp0 + n * p0
        dq2 = b * dq1 - q1 + c * dq0 + n * q0
        size = np.maximum(np.abs(q2), _TINY)
        terms = tuple(t / size for t in (p1, q1, dp1, dq1, p2, q2, dp2, dq2))
        new = p2 / q2
        new_slope = (dp2 - new * dq2) / q2
        done = np.abs(new - value) <= 2 * _EPSILON * np.abs(new)
        done &= np.abs(new_slope - slope) <= 8 * _EPSILON * np.maximum(np.abs(new_slope), np.abs(new))
        return [a, x, new, new_slope, *terms], done

    one, zero, b = np.ones_like(a), np.zeros_like(a), x - a + 1
    _, _, value, slope, *_ = _settled(step, [a, x, 1 / b, 1 / b**2, zero, one, zero, zero, one, b, zero, -one])
    scale = np.exp(a * np.log(x) - x - lgamma(a))
    return scale * value, scale * (slope + value * (np.log(x) - digamma(a)))


def _incomplete_gamma(a: Array, x: Array) -> tuple[Array, Array, Array]:
    """P(a, x), Q(a, x) and the derivative of P by a, for finite a > 0 and x > 0."""
    p, q, dp = np.empty_like(a), np.empty_like(a), np.empty_like(a)
    series = (x <= 1) | (x <= a)
    p[series], dp[series] = _gamma_series(a[series], x[series])
    q[series] = 1 - p[series]
    fraction = ~series
    q[fraction], dq = _gamma_fraction(a[fraction], x[fraction])
    p[fraction], dp[fraction] = 1 - q[fraction], -dq
    return p, q, dp


def _on_domain(a: Array, x: Array, part: int, at_zero: float, at_infinity: float) -> Array:
    a, x = np.broadcast_arrays(a, x)
    inside = (a > 0) & (x > 0) & np.isfinite(a) & np.isfinite(x)
    value = np.full(a.shape, np.nan)
    value[(a > 0) & np.isfinite(a) & (x == 0)] = at_zero
    value[(a > 0) & np.isfinite(a) & (x == np.inf)] = at_infinity
    if np.any(inside):
        value[inside] = _incomplete_gamma(a[inside], x[inside])[part]
    return value


def igamma(a: Array, x: Array) -> Array:
    return np.where((a >= 0) & (x == 0), 0.0, _on_domain(a, x, 0, 0.0, 1.0))


def igammac(a: Array, x: Array) -> Array:
    return _on_domain(a, x, 1, 1.0, 0.0)


def igamma_grad_a(a: Array, x: Array) -> Array:
    return np.where((a >= 0) & (x == 0), 0.0, _on_domain(a, x, 2, 0.0, 0.0))


# -- incomplete beta ---------------------------------------------------------------------------


def _beta_fraction(a: Array, b: Array, x: Array) -> Array:
    """The continued fraction of I_x(a, b), by Lentz's method; quick where x < (a + 1) / (a + b + 2)."""

    def step(m: int, a: Array, b: Array, x: Array, value: Array, c: Array, d: Array) -> Any:
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for numerator in (even, odd):
            d = 1 / _away_from_zero(1 + numerator * d)
            c = _away_from_zero(1 + numerator / c)
            value = value * c * d
        return [a, b, x, value, c, d], np.abs(c * d - 1) <= 2 * _EPSILON

    d = 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    return _settled(step, [a, b, x, d, np.ones_like(x), d])[3]


def _away_from_zero(x: Array) -> Array:
    return np.where(np.abs(x) < _TINY, _TINY, x)


def betainc(a: Array, b: Array, x: Array) -> Array:
    """The regularised incomplete beta function; NaN outside a, b > 0 and 0 <= x <= 1."""
    if len({s for s in (a.shape, b.shape, x.shape) if s}) > 1:
        raise ValueError("shapes differ")
    a, b, x = np.broadcast_arrays(a, b, x)
    allowed = (a > 0) & (b > 0) & np.isfinite(a) & np.isfinite(b) & (x >= 0) & (x <= 1)
    value = np.where(allowed, x, np.nan)  # right at the ends, 0 and 1
    inside = allowed & (x > 0) & (x < 1)
    a, b, x = a[inside], b[inside], x[inside]
    mirrored = x > (a + 1) / (a + b + 2)
    p, q, t = np.where(mirrored, b, a), np.where(mirrored, a, b), np.where(mirrored, 1 - x, x)
    power = p * np.log(t) + q * np.log1p(-t) + lgamma(p + q) - lgamma(p) - lgamma(q)
    part = np.zeros_like(x)
    counts = power > -800  # e^power is 0 where not
    part[counts] = np.exp(power[counts]) * _beta_fraction(p[counts], q[counts], t[counts]) / p[counts]
    value[inside] = np.where(mirrored, 1 - part, part)
    return value


# -- Bessel functions --------------------------------------------------------------------------


def _bessel_ie(order: int, x: Array) -> Array:
    """e^-|x| I(x): the power series up to 25, the asymptotic series beyond."""
    size = np.abs(x)
    small = np.where(size < 25, size, 0.0)
    term = np.exp(-small) * (small / 2) ** order
    near, k = term, 0
    while np.any(term > _EPSILON * near / 4):
        k += 1
        term = term * (small * small / 4) / (k * (k + order))
        near = near + term
    large = np.where(size < 25, 25.0, size)
    term = 1 / np.sqrt(2 * np.pi * large)
    far = term
    for k in range(1, 26):
        term = -term * (4 * order**2 - (2 * k - 1) ** 2) / (8 * k * large)
        far = far + term
    value = np.where(size < 25, near, far)
    return np.where(np.isnan(x), np.nan, np.copysign(value, x) if order else value)


def bessel_i0e(x: Array) -> Array:
    return _bessel_ie(0, x)


def bessel_i1e(x: Array) -> Array:
    return _bessel_ie(1, x)
