"""Orthogonal factors of matrices."""

from __future__ import annotations

from typing import Any, NamedTuple

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import define
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import shape_rules

_FACTORED = (dtypes.float64, dtypes.float32, dtypes.float16, dtypes.complex64, dtypes.complex128)


def _factored(x: Tensor, *, full_matrices: bool) -> list[RawShape]:
    shape_rules.with_rank_at_least(x, 2)
    if x.dims is None:
        return [None, None]
    *batch, m, n = x.dims
    inner = m if full_matrices else None if m is None or n is None else min(m, n)
    return [(*batch, m, inner), (*batch, inner, n)]


def _qr(xp: Any, x: Any, *, full_matrices: bool) -> Any:
    q, r = xp.linalg.qr(x, mode="complete" if full_matrices else "reduced")
    return [q.astype(x.dtype), r.astype(x.dtype)]


QR = define(
    "Qr", "input: T", "q: T, r: T", attrs={"full_matrices": False}, types={"T": _FACTORED},
    shape=_factored, kernel=_qr,
)  # fmt: skip


class Qr(NamedTuple):
    """The two factors of a matrix."""

    q: Tensor
    r: Tensor


def qr(input: Any, full_matrices: bool = False, name: str | None = None) -> Qr:
    """``x = q r`` for each matrix: q has orthonormal columns, r is upper triangular."""
    return Qr(*apply(QR, input, full_matrices=full_matrices, name=name))
