"""Elementary functions whose float32 results are, digit for digit, those that TensorFlow's kernels print.

TensorFlow computes a few numbers with the C library, which works in double precision and rounds once, and
``tanh`` as a quotient of polynomials.  NumPy's vector code differs in the last digit.  Its speed counts for
large arrays, whose last digits nobody reads.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.ops import circular, parallel

_FEW = 256  # elements


def _singles(*numbers: float) -> tuple[np.float32, ...]:
    return tuple(map(np.float32, numbers))


def _is_small(xp: Any, x: Any) -> bool:
    return xp is np and x.dtype == np.float32 and x.size <= _FEW


def _rounded_once(name: str, of_many: Callable[[Any, Any], Any] | None = None) -> Callable[[Any, Any], Any]:
    """The function of that name, in double precision for a few float32 numbers."""
    of_doubles = getattr(np, name)

    def function(xp: Any, x: Any) -> Any:
        if _is_small(xp, x):
            return of_doubles(x.astype(np.float64)).astype(np.float32)
        return of_many(xp, x) if of_many else getattr(xp, name)(x)

    return function


exp, log = (_rounded_once(name) for name in ("exp", "log"))
sin, cos = (_rounded_once(name, function) for name, function in (("sin", circular.sin), ("cos", circular.cos)))


def power(xp: Any, x: Any, y: Any) -> Any:
    """x^y, in double precision for a few float32 numbers: optimizers take 1 - 0.999^t of it."""
    if _is_small(xp, x) and _is_small(xp, y):
        return np.power(x, y, dtype=np.float64).astype(np.float32)
    return xp.power(x, y)


_NUMERATOR = _singles(
    -2.76076847742355e-16, 2.00018790482477e-13, -8.60467152213735e-11, 5.12229709037114e-08, 1.48572235717979e-05,
    6.37261928875436e-04, 4.89352455891786e-03,
)  # fmt: skip
_DENOMINATOR = _singles(1.19825839466702e-06, 1.18534705686654e-04, 2.26843463243900e-03, 4.89352518554385e-03)
_NINE = np.float32(9)


def tanh(xp: Any, x: Any) -> Any:
    """tanh(x) = x p(x^2) / q(x^2) between -9 and 9, for a few float32 numbers."""
    if not _is_small(xp, x):
        return xp.tanh(x)
    x = np.minimum(np.maximum(x, -_NINE), _NINE)  # np.clip takes a third of all
    square = x * x
    x *= _polynomial(_NUMERATOR, square)
    x /= _polynomial(_DENOMINATOR, square)
    return x


MANY = 1 << 12  # elements whose error functions are not taken one by one
_ERF_NUMERATOR = _singles(
    -2.72614225801306e-10, 2.77068142495902e-08, -2.10102402082508e-06, -5.69250639462346e-05, -7.34990630326855e-04,
    -2.95459980854025e-03, -1.60960333262415e-02,
)  # fmt: skip
_ERF_DENOMINATOR = _singles(
    -1.45660718464996e-05, -2.13374055278905e-04, -1.68282697438203e-03, -7.37332916720468e-03, -1.42647390514189e-02,
)  # fmt: skip


def erf(x: Any) -> Any:
    """erf(x) = x p(x^2) / q(x^2) between -4 and 4, for many float32 numbers: within 5e-7."""
    flat = np.ascontiguousarray(x).reshape(-1)
    result = np.empty_like(flat)

    for part in parallel.slices(flat.size, 4 * flat.itemsize):
        bounded = np.clip(flat[part], np.float32(-4), np.float32(4))
        square = bounded * bounded
        bounded *= _polynomial(_ERF_NUMERATOR, square)
        np.divide(bounded, _polynomial(_ERF_DENOMINATOR, square), out=result[part])
    return result.reshape(x.shape)


def _polynomial(coefficients: tuple[np.float32, ...], x: Any) -> Any:
    value = coefficients[0] * x
    for c in coefficients[1:-1]:
        value += c
        value *= x
    value += coefficients[-1]
    return value


def sum_of_squares(xp: Any, x: Any) -> Any:
    """That of a vector; a few float32 numbers are added from the first to the last."""
    if _is_small(xp, x) and x.size:
        return np.add.accumulate(x * x)[-1]
    return xp.dot(x, x)
