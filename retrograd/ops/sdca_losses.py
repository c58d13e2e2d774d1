"""Losses of linear models and their conjugates, for the coordinate ascent of ``ops/sdca.py``.

An example has the label y, the prediction z = w x, the loss f(z), and a dual variable a. ``best`` is the a that
maximizes the dual objective along this coordinate; with s, the squared length of the example over the l2
regularization times its weight and the number of partitions, it solves -f*(-a) + ... = 0, that is

    a = -f'(z + s (a - a_before)).

Sources: S. Shalev-Shwartz and T. Zhang, "Stochastic dual coordinate ascent methods for regularized loss
minimization", JMLR 14 (2013); C. Ma et al., "Adding vs. averaging in distributed primal-dual optimization", ICML 2015.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from retrograd.graph.errors import InvalidArgumentError

_LARGEST = 3.4028234663852886e38


class Loss(NamedTuple):
    """A loss: ``label`` of what the user gave, ``best(y, z, a, s)``, ``primal(y, z)``, ``dual(y, a)``, ``slope(y, z)``.

    ``dual`` is f*(-a); ``slope`` is f'(z).
    """

    label: Callable[[float], float]
    best: Callable[[float, float, float, float], float]
    primal: Callable[[float, float], float]
    dual: Callable[[float, float], float]
    slope: Callable[[float, float], float]


def _sign(label: float) -> float:
    if label not in (0.0, 1.0):
        text = f"Only labels of 0.0 or 1.0 are supported right now. Found example with label: {label:g}"
        raise InvalidArgumentError(None, None, text)
    return 1.0 if label else -1.0


def _count(label: float) -> float:
    if label < 0:
        text = f"Only non-negative labels can be used with the Poisson log loss. Found example with label: {label:g}"
        raise InvalidArgumentError(None, None, text)
    return label


def _root(function: Callable[[float], tuple[float, float]], low: float, high: float, start: float) -> float:
    """Where an increasing function, given with its slope, is 0: Newton's steps, kept between ``low`` and ``high``."""
    x = min(max(start, low), high)
    for _ in range(100):
        value, slope = function(x)
        low, high = (low, x) if value > 0 else (x, high)
        step = x - value / slope
        new = step if low < step < high else (low + high) / 2
        if abs(new - x) <= 1e-12 * (1 + abs(x)):
            return new
        x = new
    return x


# -- squared: f(z) = (z - y)^2 / 2 -----------------------------------------------------------------


def _squared_best(y: float, z: float, a: float, s: float) -> float:
    return a + (y - a - z) / (1 + s)


SQUARED = Loss(
    float, _squared_best, lambda y, z: (z - y) ** 2 / 2, lambda y, a: a * (a / 2 - y), lambda y, z: z - y
)  # fmt: skip

# -- logistic: f(z) = log(1 + exp(-y z)) -----------------------------------------------------------


def _logistic_best(y: float, z: float, a: float, s: float) -> float:
    """With b = y a = sigmoid(t): t + y z + s (b - b_before) = 0."""
    before = y * a

    def equation(t: float) -> tuple[float, float]:
        b = _sigmoid(t)
        return t + y * z + s * (b - before), 1 + s * b * (1 - b)

    far = abs(z) + s * (1 + abs(before)) + 1
    return y * _sigmoid(_root(equation, -far, far, -y * z))


def _sigmoid(t: float) -> float:
    return (math.tanh(t / 2) + 1) / 2


def _logistic(y: float, z: float) -> float:
    return max(0.0, -y * z) + math.log1p(math.exp(-abs(z)))


def _logistic_dual(y: float, a: float) -> float:
    """b log b + (1 - b) log(1 - b)."""
    b = y * a
    if not 0 <= b <= 1:
        return _LARGEST
    return sum(p * math.log(p) for p in (b, 1 - b) if p > 0)


LOGISTIC = Loss(_sign, _logistic_best, _logistic, _logistic_dual, lambda y, z: -y * _sigmoid(-y * z))

# -- hinge: f(z) = max(0, 1 - y z), and smooth: a parabola where that is between 0 and 1 -----------


def _clipped(y: float, a: float) -> float:
    """The ``a`` nearest to the given one for which y a is between 0 and 1."""
    return y * min(max(y * a, 0.0), 1.0)


def _hinge_best(y: float, z: float, a: float, s: float) -> float:
    rest = y - z
    if not s:
        return a if not rest else _clipped(y, math.copysign(math.inf, rest))
    return _clipped(y, a + rest / s)


def _hinge_dual(y: float, a: float) -> float:
    return -y * a if 0 <= y * a <= 1 else _LARGEST


def _smooth(y: float, z: float) -> float:
    missing = 1 - y * z
    return 0.0 if missing <= 0 else missing - 0.5 if missing >= 1 else missing**2 / 2


HINGE = Loss(
    _sign, _hinge_best, lambda y, z: max(0.0, 1 - y * z), _hinge_dual, lambda y, z: -y if y * z < 1 else 0.0
)  # fmt: skip
SMOOTH_HINGE = Loss(
    _sign,
    lambda y, z, a, s: _clipped(y, a + (y - z - a) / (s + 1)),
    _smooth,
    lambda y, a: -y * a + a * a / 2 if 0 <= y * a <= 1 else _LARGEST,
    lambda y, z: -y * min(max(1 - y * z, 0.0), 1.0),
)

# -- Poisson: f(z) = exp(z) - y z ------------------------------------------------------------------


def _poisson_best(y: float, z: float, a: float, s: float) -> float:
    """With y - a = exp(t): t - z + s (exp(t) - y + a_before) = 0."""
    if not s:
        return y - _exp(z)
    top = z + s * (y - a)

    def equation(t: float) -> tuple[float, float]:
        e = _exp(t)
        return t - top + s * e, 1 + s * e

    # at the bottom exp(t) <= exp(top), so the sum is not above 0
    return y - _exp(_root(equation, min(top - s * _exp(min(top, 50.0)), top), top, math.log1p(s) - math.log(s)))


def _exp(t: float) -> float:
    return math.exp(min(t, 700.0))


def _poisson_dual(y: float, a: float) -> float:
    rate = y - a
    return rate * (math.log(rate) - 1) if rate > 0 else 0.0 if not rate else _LARGEST


POISSON = Loss(_count, _poisson_best, lambda y, z: _exp(z) - y * z, _poisson_dual, lambda y, z: _exp(z) - y)

LOSSES = {
    "logistic_loss": LOGISTIC, "squared_loss": SQUARED, "hinge_loss": HINGE, "smooth_hinge_loss": SMOOTH_HINGE,
    "poisson_loss": POISSON,
}  # fmt: skip
