"""Binomial numbers from a stream: how many of n trials of probability p succeed.

One number follows the other in the stream; each begins with a block of its own, of which it takes the second float64
first.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrograd.ops import draws

_FEW = 10  # successes to expect, below which they are counted one by one
_AHEAD = 1024  # blocks that are computed together


def binomial(
    key: NDArray[np.uint32], counter: NDArray[np.uint32], counts: NDArray[Any], probs: NDArray[Any]
) -> NDArray[np.float64]:
    """Binomial(n, p) for each n of ``counts`` and p of ``probs``, which are flat; NaN where one of both is.

    Below 10 successes to expect by geometric waits (Devroye, 1986), from there on by Hoermann's transformed rejection
    with squeeze (1993); failures are drawn where p > 1/2.
    """
    stream, values = _Stream(key, counter), np.empty(len(counts))
    for i, (n, p) in enumerate(zip(counts.astype(np.float64).tolist(), probs.astype(np.float64).tolist(), strict=True)):
        stream.left = []
        least = p if p <= 0.5 else 1 - p
        if math.isnan(n) or math.isnan(p):
            found = math.nan
        elif n <= 0 or least <= 0:
            found = 0.0
        else:
            found = (_waited if n * least < _FEW else _accepted)(stream, n, least)
        values[i] = found if p <= 0.5 else n - found
    return values


class _Stream:
    """Uniform float64 numbers, two of each block."""

    def __init__(self, key: NDArray[np.uint32], counter: NDArray[np.uint32]) -> None:
        self.key, self.counter = key, counter
        self.left: list[float] = []
        self._blocks: list[list[float]] = []
        self._begun = 0

    def __call__(self) -> float:
        if not self.left:
            if not self._blocks:
                self._blocks = draws.blocks_of_uniforms(self.key, self.counter, self._begun, _AHEAD)[::-1].tolist()
                self._begun += _AHEAD
            self.left = self._blocks.pop()
        return self.left.pop()


def _waited(uniform: _Stream, n: float, p: float) -> float:
    """How many geometric waits, one behind the other, end within n trials."""
    trials, found, scale = 0.0, 0.0, math.log1p(-p)
    while True:
        u = uniform()
        trials += math.ceil(math.log(u) / scale) if u > 0 else math.inf
        if trials > n:
            return found
        found += 1


def _accepted(uniform: _Stream, n: float, p: float) -> float:
    """k = floor((2a / (1/2 - |u|) + b) u + n p + 1/2), with u on [-1/2, 1/2)."""
    deviation = math.sqrt(n * p * (1 - p))
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * p
    squeeze, alpha, centre = 0.92 - 4.2 / b, (2.83 + 5.1 / b) * deviation, n * p + 0.5
    while True:
        u = uniform() - 0.5
        v = uniform()
        margin = 0.5 - abs(u)
        if not margin:
            continue
        k = float(math.floor((2 * a / margin + b) * u + centre))
        if margin >= 0.07 and v <= squeeze:
            return k
        if not 0 <= k <= n:
            continue
        height = v * alpha / (a / (margin * margin) + b)
        if not height or math.log(height) <= _log_ratio(k, n, p):
            return k


def _log_ratio(k: float, n: float, p: float) -> float:
    """Log of the probability of k over that of the mode m."""
    odds, m = p / (1 - p), math.floor((n + 1) * p)
    return (
        (m + 0.5) * math.log((m + 1) / (odds * (n - m + 1)))
        + (n + 1) * math.log((n - m + 1) / (n - k + 1))
        + (k + 0.5) * math.log(odds * (n - k + 1) / (k + 1))
        + _remainder(m) + _remainder(n - m) - _remainder(k) - _remainder(n - k)
    )  # fmt: skip


_REMAINDERS = [
    math.lgamma(k + 1) - (0.5 * math.log(2 * math.pi) + (k + 0.5) * math.log(k + 1) - (k + 1)) for k in range(10)
]


def _remainder(k: float) -> float:
    """What Stirling's formula for ``log(k!)`` leaves, by its series from 10 on."""
    if k < 10:
        return _REMAINDERS[int(k)]
    rest = 1 / ((k + 1) * (k + 1))
    return (1 / 12 - (1 / 360 - rest / 1260) * rest) / (k + 1)
