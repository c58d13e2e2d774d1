"""Discrete Fourier transforms over the last one, two or three axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import OpDef, define
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.static import constant_value_as_shape, static_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    complex_numbers,
    conjugates,
    constants,
    exponentials,
    joining,
    kinds,
    matrices,
    padding,
    permuting,
    powers,
    reductions,
    repeating,
    shape_rules,
)

_SUFFIX = {1: "", 2: "2D", 3: "3D"}


def _axes(rank: int) -> tuple[int, ...]:
    return tuple(range(-rank, 0))


def _size(x: Tensor, rank: int) -> Tensor:
    return reductions.reduce_prod(arrays.shape(x)[-rank:])


# -- complex to complex ------------------------------------------------------------------------


def _at_least(rank: int) -> dict[str, str]:
    return {"input": f"{rank}+: Input must have rank of at least {rank} but got: {{}}"}


def _of_lengths(rank: int) -> dict[str, str]:
    return _at_least(rank) | {"fft_length": f"[{rank}]: fft_length must have shape [{rank}]"}


def _transform(rank: int, forward: bool) -> OpDef:
    """``Y[k] = sum(X[n] exp(-2 pi i k n / N))``, or its inverse, which divides by N."""

    def shape(x: Tensor) -> RawShape:
        return shape_rules.with_rank_at_least(x, rank)

    def kernel(xp: Any, x: Any) -> Any:
        if 0 in x.shape:
            return xp.zeros(x.shape, x.dtype)
        transform = xp.fft.fftn if forward else xp.fft.ifftn
        return transform(x, axes=_axes(rank)).astype(x.dtype)

    def gradient(op: Any, dy: Any) -> list[Any]:
        """N times the inverse of dy; for the inverse, the transform of dy over N."""
        if forward:
            size = casts.cast(_size(dy, rank), dy.dtype)
            return [apply(INVERSE[rank], dy) * size]
        share = casts.cast(1.0 / casts.cast(_size(dy, rank), dy.dtype.real_dtype), dy.dtype)
        return [apply(FORWARD[rank], dy) * share]

    name = ("FFT" if forward else "IFFT") + _SUFFIX[rank]
    return define(
        name, "input: Tcomplex", "output: Tcomplex", attrs={"Tcomplex": dtypes.complex64},
        types={"Tcomplex": kinds.COMPLEX}, shape=shape, ranks=_at_least(rank), kernel=kernel, gradient=gradient,
    )  # fmt: skip


FORWARD = {rank: _transform(rank, True) for rank in (1, 2, 3)}
INVERSE = {rank: _transform(rank, False) for rank in (1, 2, 3)}


def fft(input: Any, name: str | None = None) -> Tensor:
    """The transform over the last axis; complex64 or complex128."""
    return apply(FORWARD[1], input, name=name)


def ifft(input: Any, name: str | None = None) -> Tensor:
    """The inverse of ``fft``."""
    return apply(INVERSE[1], input, name=name)


def fft2d(input: Any, name: str | None = None) -> Tensor:
    """The transform over the last two axes."""
    return apply(FORWARD[2], input, name=name)


def ifft2d(input: Any, name: str | None = None) -> Tensor:
    """The inverse of ``fft2d``."""
    return apply(INVERSE[2], input, name=name)


def fft3d(input: Any, name: str | None = None) -> Tensor:
    """The transform over the last three axes."""
    return apply(FORWARD[3], input, name=name)


def ifft3d(input: Any, name: str | None = None) -> Tensor:
    """The inverse of ``fft3d``."""
    return apply(INVERSE[3], input, name=name)


# -- real to complex and back ------------------------------------------------------------------


def _of_length(rank: int, forward: bool) -> Callable[..., RawShape]:
    """Real numbers of lengths ``fft_length`` have ``n // 2 + 1`` different coefficients along the last axis."""

    def shape(x: Tensor, fft_length: Tensor) -> RawShape:
        dims = shape_rules.with_rank_at_least(x, rank)
        (count,) = shape_rules.with_rank(fft_length, 1)
        if count not in (None, rank):
            raise ValueError(f"Dimension must be {rank} but is {count}")
        if dims is None:
            return None
        lengths = static_value(fft_length)
        if lengths is None:
            return (*dims[:-rank], *[None] * rank)
        inner = [int(n) for n in np.ravel(lengths)]
        if forward:
            inner[-1] = inner[-1] // 2 + 1 if inner[-1] else 0
        return (*dims[:-rank], *inner)

    return shape


def _cropped(x: Any, lengths: list[int]) -> Any:
    """The first ``lengths`` of the last axes.

    Raises:
      InvalidArgumentError: there are less.
    """
    rank = len(lengths)
    for axis, (n, m) in enumerate(zip(lengths, x.shape[-rank:], strict=True)):
        if m < n:
            raise errors.InvalidArgumentError(
                None, None, f"Input dimension {x.ndim - rank + axis} must have length of at least {n} but got: {m}"
            )
    return x[(..., *(slice(n) for n in lengths))]


def _real(rank: int) -> OpDef:
    """The transform of real numbers: the coefficients 0 to N / 2 along the last axis."""

    def kernel(xp: Any, x: Any, fft_length: Any) -> Any:
        lengths = [int(n) for n in fft_length]
        if 0 in lengths or 0 in x.shape:
            return xp.zeros((*x.shape[:-rank], *lengths[:-1], lengths[-1] // 2 + 1 if lengths[-1] else 0), np.complex64)
        return xp.fft.rfftn(_cropped(x, lengths), axes=_axes(rank)).astype(np.complex64)

    def gradient(op: Any, dy: Any) -> list[Any]:
        """``(irfft(dy) N + real(dy_0 + [N even] (-1)^n dy_{N/2})) / 2``: the two coefficients that come once."""
        x, fft_length = op.inputs
        shape = arrays.shape(x)
        is_even = casts.cast(1 - (fft_length[-1] % 2), dtypes.complex64)
        y0 = dy[..., 0:1]
        if rank == 1:
            ym = dy[..., -1:]
            extra = y0 + is_even * ym * _alternating(shape[-1])
        else:
            mask = _tiled(_roots(shape[-2]), y0)
            extra = matrices.matmul(mask, conjugates.conj(y0))
            ym = dy[..., -1:]
            ym_term = matrices.matmul(mask, conjugates.conj(ym))
            columns = shape[-1]
            multiples = joining.concat([constants.ones([arrays.rank(dy) - 1], dtypes.int32), [columns]], 0)
            ym_term = repeating.tile(ym_term, multiples) * _alternating(columns)
            extra += is_even * ym_term
        size = casts.cast(_size(x, rank), dtypes.float32)
        back = _to_real(rank, dy, fft_length)
        return [0.5 * (back * size + complex_numbers.real(extra)), None]

    return define(
        "RFFT" + _SUFFIX[rank], "input: float32, fft_length: int32", "output: complex64", static=("fft_length",),
        shape=_of_length(rank, True), ranks=_of_lengths(rank), kernel=kernel, gradient=gradient if rank < 3 else None,
    )  # fmt: skip


def _alternating(length: Tensor) -> Tensor:
    """1, -1, 1, ..."""
    return casts.cast(1 - 2 * (constants.range_(length) % 2), dtypes.complex64)


def _roots(length: Tensor) -> Tensor:
    """``exp(-2 pi i j k / length)``."""
    a = repeating.tile(arrays.expand_dims(constants.range_(length), 0), (length, 1))
    b = permuting.transpose(a, [1, 0])
    return exponentials.exp(-2j * np.pi * casts.cast(a * b, dtypes.complex64) / casts.cast(length, dtypes.complex64))


def _tiled(matrix: Tensor, t: Tensor) -> Tensor:
    """The matrix for each of a batch."""
    expanded = arrays.reshape(
        matrix, joining.concat([constants.ones([arrays.rank(t) - 2], dtypes.int32), arrays.shape(matrix)], 0)
    )
    return repeating.tile(expanded, joining.concat([arrays.shape(t)[:-2], [1, 1]], 0))


def _inverse_of_real(rank: int) -> OpDef:
    def kernel(xp: Any, x: Any, fft_length: Any) -> Any:
        lengths = [int(n) for n in fft_length]
        if 0 in lengths or 0 in x.shape:
            return xp.zeros((*x.shape[:-rank], *lengths), np.float32)
        x = _cropped(x, [*lengths[:-1], lengths[-1] // 2 + 1])
        return xp.fft.irfftn(x, s=lengths, axes=_axes(rank)).astype(np.float32)

    def gradient(op: Any, dy: Any) -> list[Any]:
        """``rfft(dy) / N``, twice where a coefficient stands for its conjugate, too."""
        fft_length = op.inputs[1]
        is_odd = arithmetic.floormod(fft_length[-1], 2)
        count = arrays.shape(op.inputs[0])[-1]
        mask = joining.concat([[1.0], 2.0 * constants.ones([count - 2 + is_odd]), constants.ones([1 - is_odd])], 0)
        share = powers.reciprocal(casts.cast(_size(dy, rank), dtypes.float32))
        forward = _from_real(rank, dy, fft_length)
        return [forward * casts.cast(share * mask, dtypes.complex64), None]

    return define(
        "IRFFT" + _SUFFIX[rank], "input: complex64, fft_length: int32", "output: float32", static=("fft_length",),
        shape=_of_length(rank, False), ranks=_of_lengths(rank), kernel=kernel, gradient=gradient if rank < 3 else None,
    )  # fmt: skip


_RFFT = {rank: _real(rank) for rank in (1, 2, 3)}
_IRFFT = {rank: _inverse_of_real(rank) for rank in (1, 2, 3)}


def _from_real(rank: int, x: Any, fft_length: Any, name: str | None = None) -> Tensor:
    with name_scope(name, "rfft" + _SUFFIX[rank].lower(), [x, fft_length]) as scope:
        x = as_tensor(x, dtypes.float32)
        x.shape.with_rank_at_least(rank)
        if fft_length is None:
            static = x.shape[-rank:]
            if static.is_fully_defined():
                fft_length = as_tensor(static.as_list(), dtypes.int32)
            else:
                fft_length = arrays.shape(x)[-rank:]
        else:
            fft_length = as_tensor(fft_length, dtypes.int32)
        return apply(_RFFT[rank], _padded(x, rank, fft_length, False), fft_length, name=scope)


def _to_real(rank: int, x: Any, fft_length: Any, name: str | None = None) -> Tensor:
    with name_scope(name, "irfft" + _SUFFIX[rank].lower(), [x, fft_length]) as scope:
        x = as_tensor(x, dtypes.complex64)
        x.shape.with_rank_at_least(rank)
        if fft_length is None:
            static = x.shape[-rank:]
            if static.is_fully_defined():
                *outer, last = static.as_list()
                fft_length = as_tensor([*outer, max(0, 2 * (last - 1))], dtypes.int32)
            else:
                lengths = joining.unstack(arrays.shape(x)[-rank:])
                lengths[-1] = arithmetic.maximum(0, 2 * (lengths[-1] - 1))
                fft_length = joining.stack(lengths)
        else:
            fft_length = as_tensor(fft_length, dtypes.int32)
        return apply(_IRFFT[rank], _padded(x, rank, fft_length, True), fft_length, name=scope)


def _padded(x: Tensor, rank: int, fft_length: Tensor, back: bool) -> Tensor:
    """``x`` with zeros behind it where it is shorter than the transform."""
    static = constant_value_as_shape(fft_length)
    inner: Any
    outer: Any
    if x.shape.ndims is not None and 0 in x.shape.as_list():
        return x
    if static.ndims not in (None, rank):
        return x  # the op says so
    if static.is_fully_defined() and x.shape.ndims is not None:
        inner = x.shape[-rank:]
        if inner.is_fully_defined():
            lengths: list[Any] = static.as_list()
            if back:
                lengths[-1] = lengths[-1] // 2 + 1
            paddings = [[0, max(n - m, 0)] for n, m in zip(lengths, inner.as_list(), strict=True)]
            if not any(pad for _, pad in paddings):
                return x
            outer = [[0, 0]] * max(x.shape.ndims - rank, 0)
            return padding.pad(x, outer + paddings)
    ndims = arrays.rank(x)
    inner = arrays.shape(x)[-rank:]
    outer = constants.zeros([arithmetic.maximum(0, ndims - rank)], fft_length.dtype)
    if back:
        fft_length = joining.concat([fft_length[:-1], fft_length[-1:] // 2 + 1], 0)
    missing = joining.concat([outer, arithmetic.maximum(0, fft_length - inner)], 0)
    return padding.pad(x, joining.stack([constants.zeros_like(missing), missing], axis=1))


def rfft(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The transform of real numbers over the last axis: its first ``fft_length // 2 + 1`` coefficients.

    ``input_tensor`` is cut or filled with zeros to ``fft_length``. float32.
    """
    return _from_real(1, input_tensor, fft_length, name)


def irfft(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The inverse of ``rfft``; without ``fft_length``, of an even length."""
    return _to_real(1, input_tensor, fft_length, name)


def rfft2d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The same over the last two axes."""
    return _from_real(2, input_tensor, fft_length, name)


def irfft2d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The inverse of ``rfft2d``."""
    return _to_real(2, input_tensor, fft_length, name)


def rfft3d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The same over the last three axes."""
    return _from_real(3, input_tensor, fft_length, name)


def irfft3d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The inverse of ``rfft3d``."""
    return _to_real(3, input_tensor, fft_length, name)


# -- the middle of the spectrum ----------------------------------------------------------------


def _shifted(x: Any, axes: Any, sign: int, name: str | None, default: str) -> Tensor:
    with name_scope(name, default) as scope:
        x = as_tensor(x)
        if axes is None:
            axes = tuple(range(x.shape.ndims))
        if isinstance(axes, int):
            return permuting.roll(x, sign * int(x.shape[axes] // 2), axes, scope)
        return permuting.roll(x, [sign * int(x.shape[axis] // 2) for axis in axes], axes, scope)


def fftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """``x`` with the coefficient 0 in the middle of each axis."""
    return _shifted(x, axes, 1, name, "fftshift")


def ifftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """The inverse of ``fftshift``."""
    return _shifted(x, axes, -1, name, "ifftshift")
