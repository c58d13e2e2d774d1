"""Complex numbers: their parts, conjugates, angles and absolute values."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import OpDef, define
from retrograd.graph.dtypes import DType
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, constants, control, kinds, powers, shape_rules
from retrograd.ops.conjugates import conj as conj


def _part(name: str, kernel: Any, gradient: Any) -> OpDef:
    """The record of a real function of complex numbers."""
    return define(
        name, "input: T", "output: Tout", attrs={"T": dtypes.complex64, "Tout": dtypes.float32},
        types={"T": kinds.COMPLEX, "Tout": kinds.PRECISE}, shape=shape_rules.same, kernel=kernel,
        gradient=gradient,
    )  # fmt: skip


# -- putting together --------------------------------------------------------------------------


def _complex(xp: Any, real: Any, imag: Any, *, Tout: DType) -> Any:
    if xp is not np:
        from retrograd.ops.jax_start import lax

        return lax.complex(*xp.broadcast_arrays(real, imag))
    z = np.empty(np.broadcast_shapes(np.shape(real), np.shape(imag)), Tout.np)
    z.real, z.imag = real, imag
    return z


def _complex_gradient(op: Any, dz: Any) -> list[Any]:
    """The real part of dz for the real part, the imaginary part for the imaginary one."""
    x, y = op.inputs
    back = arithmetic.DynamicBroadcast(x, y)
    return [back.to_x(real(dz)), back.to_y(imag(dz))]


COMPLEX = define(
    "Complex", "real: T, imag: T", "out: Tout", attrs={"T": dtypes.float32, "Tout": dtypes.complex64},
    types={"T": kinds.PRECISE, "Tout": kinds.COMPLEX}, shape=shape_rules.broadcast, kernel=_complex,
    gradient=_complex_gradient, failure=shape_rules.incompatible,
)  # fmt: skip


def complex_(real: Any, imag: Any, name: str | None = None) -> Tensor:
    """``real + i * imag``.

    Raises:
      TypeError: they are not both float32, or both float64.
    """
    real, imag = as_tensor(real, name="real"), as_tensor(imag, name="imag")
    with name_scope(name, "Complex", [real, imag]) as name:
        kind, other = real.dtype.base_dtype, imag.dtype.base_dtype
        if kind is not other or kind not in kinds.PRECISE:
            raise TypeError(f"real and imag have incorrect types: {real.dtype.name} {imag.dtype.name}")
        result = dtypes.complex64 if kind is dtypes.float32 else dtypes.complex128
        return apply(COMPLEX, real, imag, Tout=result, name=name)


# -- taking apart ------------------------------------------------------------------------------


def _real_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy + 0i."""
    return [complex_(dy, constants.constant(0, dtype=dy.dtype))]


def _imag_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = 0 + i dy."""
    return [complex_(constants.constant(0, dtype=dy.dtype), dy)]


REAL = _part("Real", lambda xp, x: xp.real(x), _real_gradient)
IMAG = _part("Imag", lambda xp, x: xp.imag(x), _imag_gradient)


def real(input: Any, name: str | None = None) -> Tensor:
    """The real part; real tensors are returned as they are."""
    with name_scope(name, "Real", [input]) as name:
        if isinstance(input, Tensor) and not input.dtype.is_complex:
            return input
        input = as_tensor(input, name="input")
        return apply(REAL, input, Tout=input.dtype.real_dtype, name=name) if input.dtype.is_complex else input


def _part_or_zeros(record: OpDef, input: Any, name: str | None) -> Tensor:
    """What ``record`` takes from complex tensors, zeros of real ones."""
    with name_scope(name, record.name, [input]) as name:
        input = as_tensor(input, name="input")
        if input.dtype.is_complex:
            return apply(record, input, Tout=input.dtype.real_dtype, name=name)
        return constants.zeros_like(input)


def imag(input: Any, name: str | None = None) -> Tensor:
    """The imaginary part; zeros of real tensors."""
    return _part_or_zeros(IMAG, input, name)


def _angle_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = -dy / (imag(x) + i real(x))."""
    x = op.inputs[0]
    with control.control_dependencies([dy]):
        re, im = real(x), imag(x)
        inverse = powers.reciprocal(complex_(im, re))
        zero = constants.constant(0, dtype=dy.dtype)
        return [-complex_(dy, zero) * inverse]


ANGLE = _part("Angle", lambda xp, x: xp.angle(x), _angle_gradient)


def angle(input: Any, name: str | None = None) -> Tensor:
    """The argument in radians; zeros of real tensors."""
    return _part_or_zeros(ANGLE, input, name)


def _complex_abs_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy * x / |x|, and 0 where x is 0."""
    x, y = op.inputs[0], op.outputs[0]
    numerator = complex_(dy, constants.zeros_like(dy)) * x
    return [arithmetic.div_no_nan(numerator, complex_(y, constants.zeros_like(y)))]


COMPLEX_ABS = define(
    "ComplexAbs", "x: T", "y: Tout", attrs={"T": dtypes.complex64, "Tout": dtypes.float32},
    types={"T": kinds.COMPLEX, "Tout": kinds.PRECISE}, shape=shape_rules.same, kernel=lambda xp, x: xp.abs(x),
    gradient=_complex_abs_gradient,
)  # fmt: skip
