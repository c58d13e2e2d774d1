"""The distribution functions of the normal and of the Laplace distribution, and their logarithms and inverses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, comparison, constants, exponentials, powers, rounding, special

LOGNDTR_FLOAT64_LOWER, LOGNDTR_FLOAT64_UPPER = np.array(-20, np.float64), np.array(8, np.float64)
LOGNDTR_FLOAT32_LOWER, LOGNDTR_FLOAT32_UPPER = np.array(-10, np.float32), np.array(5, np.float32)


def _converted(x: Any, name: str) -> Tensor:
    x = as_tensor(x, name=name)
    if x.dtype.as_numpy_dtype not in (np.float32, np.float64):
        raise TypeError(f"{name}.dtype={x.dtype} is not handled, see docstring for supported types.")
    return x


def ndtr(x: Any, name: str = "ndtr") -> Tensor:
    """The probability that a standard normal number is below ``x``; float32 or float64."""
    with name_scope(name, values=[x]):
        return _ndtr(_converted(x, "x"))


def _ndtr(x: Tensor) -> Tensor:
    """``erfc(-x / sqrt(2)) / 2``, by ``erf`` near zero."""
    half_sqrt_2 = constants.constant(0.5 * np.sqrt(2.0), dtype=x.dtype, name="half_sqrt_2")
    w = x * half_sqrt_2
    z = rounding.abs_(w)
    near, here = comparison.less(z, half_sqrt_2), 1.0 + special.erf(w)
    above, upper = comparison.greater(w, 0.0), 2.0 - special.erfc(z)
    return 0.5 * comparison.where_v2(near, here, comparison.where_v2(above, upper, special.erfc(z)))


# Rational approximations of the inverse (Cephes, ndtri.c): near 1/2, for moderate and for small p.
_NEAR_HALF = (
    (-59.96335010141079, 98.00107541859997, -56.67628574690703, 13.931260938727968, -1.2391658386738125),
    (
        1.0, 1.9544885833814176, 4.676279128988815, 86.36024213908905, -225.46268785411937, 200.26021238006066,
        -82.03722561683334, 15.90562251262117, -1.1833162112133,
    ),
)  # fmt: skip
_MODERATE = (
    (
        4.0554489230596245, 31.525109459989388, 57.16281922464213, 44.08050738932008, 14.684956192885803,
        2.1866330685079025, -0.1402560791713545, -0.03504246268278482, -0.0008574567851546854,
    ),
    (
        1.0, 15.779988325646675, 45.39076351288792, 41.3172038254672, 15.04253856929075, 2.504649462083094,
        -0.14218292285478779, -0.03808064076915783, -0.0009332594808954574,
    ),
)  # fmt: skip
_SMALL = (
    (
        3.2377489177694603, 6.915228890689842, 3.9388102529247444, 1.3330346081580755, 0.20148538954917908,
        0.012371663481782003, 0.00030158155350823543, 2.6580697468673755e-06, 6.239745391849833e-09,
    ),
    (
        1.0, 6.02427039364742, 3.6798356385616087, 1.3770209948908132, 0.21623699359449663, 0.013420400608854318,
        0.00032801446468212774, 2.8924786474538068e-06, 6.790194080099813e-09,
    ),
)  # fmt: skip


def _polynomial(x: Tensor, coefficients: Sequence[float]) -> Tensor:
    """By Horner's rule; the constant term comes last."""
    y = constants.zeros_like(x)
    for value in np.array(coefficients, x.dtype.as_numpy_dtype):
        y = value + y * x
    return y


def _ratio(x: Tensor, numerator: Sequence[float], denominator: Sequence[float]) -> Tensor:
    return _polynomial(x, numerator) / _polynomial(x, denominator)


def ndtri(p: Any, name: str = "ndtri") -> Tensor:
    """The inverse of ``ndtr``; -inf for ``p <= 0`` and inf for ``p >= 1``."""
    with name_scope(name, values=[p]):
        p = _converted(p, "p")
        lower = comparison.where_v2(p > -np.expm1(-2.0), 1.0 - p, p)
        half = constants.fill(arrays.shape(p), np.array(0.5, p.dtype.as_numpy_dtype))
        lower = comparison.where_v2(lower <= 0.0, half, lower)
        w = lower - 0.5
        ww = w**2
        near_half = w + w * ww * _ratio(ww, *_NEAR_HALF)
        near_half *= -np.sqrt(2.0 * np.pi)
        z = powers.sqrt(-2.0 * exponentials.log(lower))
        first = z - exponentials.log(z) / z
        second_small = _polynomial(1.0 / z, _SMALL[0]) / _polynomial(1.0 / z, _SMALL[1]) / z
        second_moderate = _polynomial(1.0 / z, _MODERATE[0]) / _polynomial(1.0 / z, _MODERATE[1]) / z
        small, moderate = first - second_small, first - second_moderate
        x = comparison.where_v2(lower > np.exp(-2.0), near_half, comparison.where_v2(z >= 8.0, small, moderate))
        x = comparison.where_v2(p > 1.0 - np.exp(-2.0), x, -x)
        infinity = constants.fill(arrays.shape(p), constants.constant(np.inf, dtype=p.dtype))
        return comparison.where_v2(p <= 0.0, -infinity, comparison.where_v2(p >= 1.0, infinity, x))


def log_ndtr(x: Any, series_order: int = 3, name: str = "log_ndtr") -> Tensor:
    """The logarithm of ``ndtr``, far below zero by an asymptotic series of ``series_order`` terms.

    Raises:
      TypeError: the order is no integer, or ``x`` is neither float32 nor float64.
      ValueError: the order is not in 0, ..., 30.
    """
    if not isinstance(series_order, int):
        raise TypeError("series_order must be a Python integer.")
    if series_order < 0:
        raise ValueError("series_order must be non-negative.")
    if series_order > 30:
        raise ValueError("series_order must be <= 30.")
    with name_scope(name, values=[x]):
        x = as_tensor(x, name="x")
        lower: Any
        upper: Any
        if x.dtype.as_numpy_dtype == np.float64:
            lower, upper = LOGNDTR_FLOAT64_LOWER, LOGNDTR_FLOAT64_UPPER
        elif x.dtype.as_numpy_dtype == np.float32:
            lower, upper = LOGNDTR_FLOAT32_LOWER, LOGNDTR_FLOAT32_UPPER
        else:
            raise TypeError(f"x.dtype={x.dtype} is not supported.")
        return comparison.where_v2(
            comparison.greater(x, upper),
            -_ndtr(-x),
            comparison.where_v2(
                comparison.greater(x, lower),
                exponentials.log(_ndtr(arithmetic.maximum(x, lower))),
                _log_ndtr_far_below(arithmetic.minimum(x, lower), series_order),
            ),
        )


def _log_ndtr_far_below(x: Tensor, series_order: int) -> Tensor:
    """``-x^2 / 2 - log(-x) - log(2 * pi) / 2 + log(series)``."""
    log_scale = -0.5 * powers.square(x) - exponentials.log(-x) - 0.5 * np.log(2.0 * np.pi)
    return log_scale + exponentials.log(_asymptotic_series(x, series_order))


def _asymptotic_series(x: Tensor, series_order: int) -> Any:
    """``1 + sum((-1)^n * (2n - 1)!! / x^(2n))`` for n = 1, ..., series_order."""
    dtype = x.dtype.as_numpy_dtype
    if series_order <= 0:
        return np.array(1, dtype)
    squared = powers.square(x)
    even, odd = constants.zeros_like(x), constants.zeros_like(x)
    power = squared
    for n in range(1, series_order + 1):
        term = np.array(np.prod(np.arange(2 * n - 1, 1, -2)), dtype) / power
        if n % 2:
            odd += term
        else:
            even += term
        power *= squared
    return 1.0 + even - odd


def erfinv(x: Any, name: str = "erfinv") -> Tensor:
    """The inverse of ``erf``."""
    with name_scope(name, values=[x]):
        return ndtri((_converted(x, "x") + 1.0) / 2.0) / np.sqrt(2)


def log_cdf_laplace(x: Any, name: str = "log_cdf_laplace") -> Tensor:
    """The logarithm of the standard Laplace distribution function: ``x - log(2)`` below zero."""
    with name_scope(name, values=[x]):
        x = as_tensor(x, name="x")
        below = -np.log(2.0) + x
        above = exponentials.log1p(-0.5 * exponentials.exp(-rounding.abs_(x)))
        return comparison.where_v2(x < 0.0, below, above)
