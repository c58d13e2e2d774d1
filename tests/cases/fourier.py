"""Fourier transforms: linear, so a long step shows their derivative in float32 too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from case_table import Row, normal

from retrograd import tf

SINGLE: dict[str, Any] = {"step": 0.5, "tolerance": 1e-4, "rounding": 1e-4}


def parts(z: Any) -> list[Any]:
    return [tf.cast(tf.real(z), tf.float64), tf.cast(tf.imag(z), tf.float64)]


def on_pairs(transform: Callable[[Any], Any]) -> Callable[..., Any]:
    return lambda x, y: parts(transform(tf.complex(x, y)))


def from_real(transform: Callable[..., Any], *length: int) -> Callable[..., Any]:
    return lambda x: parts(transform(tf.cast(x, tf.float32), length or None))


def to_real(transform: Callable[..., Any], *length: int) -> Callable[..., Any]:
    return lambda x, y: tf.cast(transform(tf.cast(tf.complex(x, y), tf.complex64), length or None), tf.float64)


def pair(*shape: int) -> tuple[Any, Any]:
    return normal(*shape), normal(*shape, seed=1)


ROWS = [
    Row("FFT", on_pairs(tf.fft), pair(2, 5)),
    Row("IFFT", on_pairs(tf.ifft), pair(2, 4)),
    Row("FFT2D", on_pairs(tf.fft2d), pair(2, 3, 4)),
    Row("IFFT2D", on_pairs(tf.ifft2d), pair(3, 4)),
    Row("FFT3D", on_pairs(tf.fft3d), pair(2, 3, 2)),
    Row("IFFT3D", on_pairs(tf.ifft3d), pair(2, 2, 3, 2)),
    Row("RFFT", from_real(tf.spectral.rfft), (normal(2, 6),), **SINGLE),
    Row("RFFT", from_real(tf.spectral.rfft, 7), (normal(2, 5),), label="of odd length, filled", **SINGLE),
    Row("IRFFT", to_real(tf.spectral.irfft, 6), pair(2, 4), **SINGLE),
    Row("IRFFT", to_real(tf.spectral.irfft, 5), pair(2, 3), label="of odd length", **SINGLE),
    Row("RFFT2D", from_real(tf.spectral.rfft2d), (normal(2, 3, 4),), **SINGLE),
    Row("RFFT2D", from_real(tf.spectral.rfft2d, 3, 5), (normal(3, 5),), label="of odd length", **SINGLE),
    Row("IRFFT2D", to_real(tf.spectral.irfft2d, 3, 4), pair(2, 3, 3), **SINGLE),
    Row("RFFT3D", from_real(tf.spectral.rfft3d), (normal(2, 3, 4),), **SINGLE),
    Row("IRFFT3D", to_real(tf.spectral.irfft3d, 2, 3, 4), pair(2, 3, 3), **SINGLE),
]
