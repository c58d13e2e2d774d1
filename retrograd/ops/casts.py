"""Casts between dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import REQUIRED, define
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.scopes import name_scope
from retrograd.graph.sparse import IndexedSlices, SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import kinds, shape_rules


def _cast(xp: Any, x: Any, *, SrcT: DType, DstT: DType, Truncate: bool) -> Any:
    """A complex number gives its real part; with ``Truncate`` a float drops the bits that do not fit."""
    x = xp.asarray(x)
    if SrcT.is_complex and not DstT.is_complex:
        x = x.real
    if dtypes.string in (SrcT, DstT) and SrcT is not DstT:
        raise errors.UnimplementedError(None, None, f"Cast {SrcT.name} to {DstT.name} is not supported")
    if Truncate and SrcT.is_floating and DstT.is_floating and DstT.size < SrcT.size:
        x = _without_low_bits(x, DstT)
    return x.astype(DstT.np)


def _without_low_bits(x: np.ndarray, target: DType) -> np.ndarray:
    """``x`` rounded towards zero to the precision of ``target``."""
    rounded = x.astype(target.np)
    beyond = np.abs(rounded.astype(x.dtype)) > np.abs(x)
    bits = rounded.view(np.dtype(f"u{target.size}"))
    return np.where(beyond, bits - 1, bits).astype(bits.dtype).view(target.np)


def _cast_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy cast back, between floating and complex types."""
    source, target = op.inputs[0].dtype.base_dtype, dy.dtype.base_dtype
    return [cast(dy, source) if source in kinds.INEXACT and target in kinds.INEXACT else None]


CAST = define(
    "Cast", "x: SrcT", "y: DstT", attrs={"DstT": REQUIRED, "Truncate": False}, shape=shape_rules.same,
    kernel=_cast,
    gradient=_cast_gradient,
)  # fmt: skip


def cast(x: Any, dtype: Any, name: str | None = None) -> Any:
    """``x`` converted to ``dtype``: floats are cut towards zero, complex numbers to their real part."""
    target = as_dtype(dtype).base_dtype
    if (isinstance(x, Tensor) or hasattr(x, "handle")) and x.dtype is target:
        return x  # a resource variable too
    with name_scope(name, "Cast", [x]) as name:
        if isinstance(x, SparseTensor):
            return SparseTensor(x.indices, cast(x.values, target, name=name), x.dense_shape)
        if isinstance(x, IndexedSlices):
            return IndexedSlices(cast(x.values, target, name=name), x.indices, x.dense_shape)
        x = as_tensor(x, name="x")
        return x if x.dtype.base_dtype is target else apply(CAST, x, DstT=target, name=name)


def to_float(x: Any, name: str = "ToFloat") -> Any:
    """``x`` as float32."""
    return cast(x, dtypes.float32, name=name)


def to_double(x: Any, name: str = "ToDouble") -> Any:
    """``x`` as float64."""
    return cast(x, dtypes.float64, name=name)


def to_int32(x: Any, name: str = "ToInt32") -> Any:
    """``x`` as int32."""
    return cast(x, dtypes.int32, name=name)


def to_int64(x: Any, name: str = "ToInt64") -> Any:
    """``x`` as int64."""
    return cast(x, dtypes.int64, name=name)


def to_bfloat16(x: Any, name: str = "ToBFloat16") -> Any:
    """``x`` as bfloat16."""
    return cast(x, dtypes.bfloat16, name=name)


def to_complex64(x: Any, name: str = "ToComplex64") -> Any:
    """``x`` as complex64."""
    return cast(x, dtypes.complex64, name=name)


def to_complex128(x: Any, name: str = "ToComplex128") -> Any:
    """``x`` as complex128."""
    return cast(x, dtypes.complex128, name=name)
