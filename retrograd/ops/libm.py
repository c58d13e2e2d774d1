"""The C library's functions of numbers, rounded as it rounds them, on whole arrays.

TensorFlow calls the C library, whose rounding is neither NumPy's nor XLA's: random numbers need it to the last bit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from retrograd.ops import machine_code

Array = Any  # an array of the module ``xp``

_FEW = 8  # numbers that Python's own calls take less time for

_IN_LIBM = (math.log, math.sin, math.cos, math.erf, math.erfc, math.lgamma)


def each(function: Callable[..., float], *arguments: NDArray[np.float64]) -> NDArray[np.float64]:
    """``function`` of ``math`` on each element: the C library's rounding, which NumPy's own loops lack."""
    if len(arguments) == 1 and function in _IN_LIBM and arguments[0].size > _FEW:
        by_machine = machine_code.each(function.__name__)
        if by_machine is not None:
            x = np.ascontiguousarray(arguments[0])
            y = np.empty_like(x)
            by_machine(x.ctypes.data, y.ctypes.data, x.size)
            return y
    columns = (a.reshape(-1).tolist() for a in arguments)
    shape = arguments[0].shape
    return np.fromiter(map(function, *columns), np.float64, arguments[0].size).reshape(shape)


# --- the C library's float32 log, sin and cos ---------------------------------------------------------
#
# TensorFlow calls the C library, whose float32 functions are neither NumPy's, nor XLA's, nor correctly
# rounded. Those of glibc (2.28 and later), musl and Bionic are one design, Arm's "optimized routines"
# (MIT licence), that evaluates short polynomials in float64. With its constants the same numbers come out
# here, on any machine: the tests compare all 2^23 arguments that a normal can be made from.


def _hex(text: str) -> tuple[float, ...]:
    """The float64 numbers written in ``text``."""
    return tuple(map(float.fromhex, text.split()))


_LOGF_CENTRES = _hex("""
    0x1.661ec79f8f3bep+0 0x1.571ed4aaf883dp+0 0x1.49539f0f010b0p+0 0x1.3c995b0b80385p+0
    0x1.30d190c8864a5p+0 0x1.25e227b0b8ea0p+0 0x1.1bb4a4a1a343fp+0 0x1.12358f08ae5bap+0
    0x1.0953f419900a7p+0 0x1.0000000000000p+0 0x1.e608cfd9a47acp-1 0x1.ca4b31f026aa0p-1
    0x1.b2036576afce6p-1 0x1.9c2d163a1aa2dp-1 0x1.886e6037841edp-1 0x1.767dcf5534862p-1""")
_LOGF_LOGS = _hex("""
    -0x1.57bf7808caadep-2 -0x1.2bef0a7c06ddbp-2 -0x1.01eae7f513a67p-2 -0x1.b31d8a68224e9p-3
    -0x1.6574f0ac07758p-3 -0x1.1aa2bc79c8100p-3 -0x1.a4e76ce8c0e5ep-4 -0x1.1973c5a611cccp-4
    -0x1.252f438e10c1ep-5  0x0.0000000000000p+0  0x1.aa5aa5df25984p-5  0x1.c5e53aa362eb4p-4
     0x1.526e57720db08p-3  0x1.bc2860d224770p-3  0x1.1058bc8a07ee1p-2  0x1.4043057b6ee09p-2""")
_LOGF_TERMS = _hex("-0x1.ffffef20a4123p-2 0x1.5575b0be00b6ap-2 -0x1.00ea348b88334p-2")
_LOGF_FIRST = 0x3F330000  # the bits of 0.699...: x = 2^k z with z from there to twice that
_LOGF_SCALES = 24  # k = -23 .. 0, for x from 1e-7 to 1
_LOGF_SLOPE = np.array([c * 2.0**-k for k in range(1 - _LOGF_SCALES, 1) for c in _LOGF_CENTRES])
_LOGF_BASE = np.array([b + k * math.log(2) for k in range(1 - _LOGF_SCALES, 1) for b in _LOGF_LOGS])

_SIN_TERMS = _hex("-0x1.555545995a603p-3 0x1.1107605230bc4p-7 -0x1.994eb3774cf24p-13")
_COS_TERMS = _hex("-0x1.ffffffd0c621cp-2 0x1.55553e1068f19p-5 -0x1.6c087e89a359dp-10 0x1.99343027bf8c3p-16")


def logf(xp: Any, x: Array) -> Array:
    """float32 log(x) = log(1 + r) - log(c) + k log 2, 1e-7 <= x < 1: x = 2^k z, z near 1/c, r = z c - 1.

    A row of the tables belongs to one k and one sixteenth of the mantissas: 2^-k c, and -log(c) + k log 2.
    """
    row = ((x.view(np.int32) - _LOGF_FIRST) >> 19) + 16 * (_LOGF_SCALES - 1)
    slope, base = (xp.take(xp.asarray(t), row, mode="clip") for t in (_LOGF_SLOPE, _LOGF_BASE))
    r = x.astype(np.float64) * slope - 1.0
    square, (p2, p3, p4) = r * r, _LOGF_TERMS
    return ((p4 * square + (p3 * r + p2)) * square + (base + r)).astype(np.float32)


def sincosf(xp: Any, x: Array) -> tuple[Array, Array]:
    """float32 sin(x) and cos(x), 0 <= x <= 2 pi: polynomials on the quadrant, |x - n pi/2| <= pi/4."""
    wide = x.astype(np.float64)
    quadrant = xp.floor(wide * (2 / math.pi) + 0.5)
    y = wide - quadrant * (math.pi / 2)
    y2, (s3, s5, s7), (c2, c4, c6, c8) = y * y, _SIN_TERMS, _COS_TERMS
    y3, y4 = y2 * y, y2 * y2
    sine = ((y + y3 * s3) + (y3 * y2) * (s5 + y2 * s7)).astype(np.float32)
    cosine = (((1.0 + y2 * c2) + y4 * c4) + (y4 * y2) * (c6 + y2 * c8)).astype(np.float32)
    n = quadrant.astype(np.int32)
    swapped = (n & 1) == 1
    sine_sign = (1 - (n & 2)).astype(np.float32)  # quadrants 2, 3
    cosine_sign = (1 - ((n + 1) & 2)).astype(np.float32)  # quadrants 1, 2
    return xp.where(swapped, cosine, sine) * sine_sign, xp.where(swapped, sine, cosine) * cosine_sign
