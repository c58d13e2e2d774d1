"""Orthogonal factors of matrices."""

from __future__ import annotations

from typing import Any, NamedTuple

from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.definition import define
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import blas, diagonals, joining, matrices, shape_rules
from retrograd.ops.solving import adjoint, matrix_triangular_solve

_FACTORED = (dtypes.float64, dtypes.float32, dtypes.float16, dtypes.complex64, dtypes.complex128)


def _factored(x: Tensor, *, full_matrices: bool) -> list[RawShape]:
    shape_rules.with_rank_at_least(x, 2)
    if x.dims is None:
        return [None, None]
    *batch, m, n = x.dims
    inner = m if full_matrices else None if m is None or n is None else min(m, n)
    return [(*batch, m, inner), (*batch, inner, n)]


@blas.of_matrices
def _qr(xp: Any, x: Any, *, full_matrices: bool) -> Any:
    q, r = xp.linalg.qr(x, mode="complete" if full_matrices else "reduced")
    return [q.astype(x.dtype), r.astype(x.dtype)]


def _times_inverse(x: Tensor, r: Tensor) -> Tensor:
    """``x r^-H`` for an upper triangular r."""
    return adjoint(matrix_triangular_solve(r, adjoint(x), lower=False, adjoint=False))


def _qr_gradient(op: Any, dq: Any, dr: Any) -> list[Any]:
    """As of square or tall x; of a wide one, x = q (u | v), the part of v is linear: q dv for x, x_v dv^H for q."""
    x = op.inputs[0]
    q, r = op.outputs
    if r.dims is None or r.dims[-2] is None or r.dims[-1] is None:
        raise NotImplementedError("QrGrad not implemented with dynamic shapes.")
    rows, columns = r.dims[-2:]
    if rows > columns:
        raise NotImplementedError(
            "QrGrad not implemented when ncols > nrows or full_matrices is true and ncols != nrows."
        )
    if rows == columns:
        return [_of_tall(q, r, dq, dr)]
    dv = dr[..., rows:]
    dq += matrices.matmul(x[..., rows:], dv, adjoint_b=True)
    du = _of_tall(q, r[..., :rows], dq, dr[..., :rows])
    return [joining.concat([du, matrices.matmul(q, dv)], -1)]


def _of_tall(q: Tensor, r: Tensor, dq: Tensor, dr: Tensor) -> Tensor:
    """dx = q (dr + low(a) r^-H) + (dq - q q^H dq) r^-H, a = q^H dq - dq^H q + r dr^H - dr r^H, low its lower half.

    A complex column of q is known up to a phase, which r's real diagonal settles: there stands half of a.
    """
    q_dq = matrices.matmul(q, dq, adjoint_a=True)
    q_part = q_dq - adjoint(q_dq)
    r_dr = matrices.matmul(r, dr, adjoint_b=True)
    r_part = r_dr - adjoint(r_dr)
    low = diagonals.matrix_band_part(q_part + r_part, -1, 0)
    if q.dtype.is_complex:
        low = diagonals.matrix_set_diag(low, 0.5 * diagonals.matrix_diag_part(low))
    within = matrices.matmul(q, dr + _times_inverse(low, r))
    outside = _times_inverse(dq - matrices.matmul(q, q_dq), r)
    return within + outside


QR = define(
    "Qr", "input: T", "q: T, r: T", attrs={"full_matrices": False}, types={"T": _FACTORED},
    ranks={"input": "2+: Input tensor 0 must have rank >= 2, got {rank}"},
    shape=_factored, kernel=_qr, gradient=_qr_gradient,
)  # fmt: skip


class Qr(NamedTuple):
    """The two factors of a matrix."""

    q: Tensor
    r: Tensor


def qr(input: Any, full_matrices: bool = False, name: str | None = None) -> Qr:
    """``x = q r`` for each matrix: q has orthonormal columns, r is upper triangular."""
    return Qr(*apply(QR, input, full_matrices=full_matrices, name=name))
