"""Eigenvalues and singular values."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes, errors, shapes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import define
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    blas,
    casts,
    comparison,
    complex_numbers,
    constants,
    diagonals,
    grids,
    matrices,
    permuting,
    powers,
    reductions,
    shape_checks,
    shape_rules,
)
from retrograd.ops.requirements import require
from retrograd.ops.solving import FACTORABLE, adjoint, check_square, square_matrices

# -- symmetric matrices ------------------------------------------------------------------------


def _eigenvalues_and_vectors(x: Tensor, *, compute_v: bool) -> list[RawShape]:
    dims = square_matrices(x)
    if dims is None:
        return [None, None]
    return [dims[:-1], dims if compute_v else (0,)]


@blas.of_matrices
def _self_adjoint_eig(xp: Any, x: Any, *, compute_v: bool) -> list[Any]:
    """Rising eigenvalues of the lower triangle, and the eigenvectors as columns."""
    check_square(x)
    lower_alone: dict[str, Any] = {"UPLO": "L"}
    if xp is not np:
        require(xp.isfinite(xp.tril(x)))
        lower_alone["symmetrize_input"] = False
    elif not np.isfinite(np.tril(x)).all():
        raise errors.InvalidArgumentError(
            None, None, "Self-adjoint eigen decomposition was not successful. The input might not be valid."
        )
    if not compute_v:
        return [xp.linalg.eigvalsh(x, **lower_alone).astype(x.dtype), xp.zeros((0,), x.dtype)]
    e, v = xp.linalg.eigh(x, **lower_alone)
    return [e.astype(x.dtype), v.astype(x.dtype)]


def _gaps(values: Tensor) -> Tensor:
    """``values[j] - values[i]``."""
    return arrays.expand_dims(values, -2) - arrays.expand_dims(values, -1)


def _inverted_off_diagonal(gaps: Tensor, values: Tensor) -> Tensor:
    return diagonals.matrix_set_diag(powers.reciprocal(gaps), constants.zeros_like(values))


def _self_adjoint_eig_gradient(op: Any, de: Any, dv: Any) -> list[Any]:
    """dx = v (diag(de) + f * v^H dv) v^H with f = 1 / (e_j - e_i), folded onto the lower triangle."""
    e = op.outputs[0]
    with control_dependencies([de, dv]):
        if op.attrs["compute_v"]:
            v = op.outputs[1]
            f = _inverted_off_diagonal(_gaps(e), e)
            inner = diagonals.matrix_diag(de) + f * matrices.matmul(v, dv, adjoint_a=True)
            dx = matrices.matmul(v, matrices.matmul(inner, v, adjoint_b=True))
        else:
            _, v = self_adjoint_eig(op.inputs[0])
            dx = matrices.matmul(v, matrices.matmul(diagonals.matrix_diag(de), v, adjoint_b=True))
        dx = diagonals.matrix_band_part(dx + adjoint(dx), -1, 0)
        return [diagonals.matrix_set_diag(dx, 0.5 * diagonals.matrix_diag_part(dx))]


SELF_ADJOINT_EIG = define(
    "SelfAdjointEigV2", "input: T", "e: T, v: T", attrs={"compute_v": True}, types={"T": FACTORABLE},
    shape=_eigenvalues_and_vectors, kernel=_self_adjoint_eig, gradient=_self_adjoint_eig_gradient,
)  # fmt: skip


def self_adjoint_eig(tensor: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The eigenvalues (rising) and eigenvectors (columns) of each symmetric matrix."""
    e, v = apply(SELF_ADJOINT_EIG, tensor, compute_v=True, name=name)
    return e, v


def self_adjoint_eigvals(tensor: Any, name: str | None = None) -> Tensor:
    """The eigenvalues of each symmetric matrix, rising."""
    e, _ = apply(SELF_ADJOINT_EIG, tensor, compute_v=False, name=name)
    return e


# -- any matrices ------------------------------------------------------------------------------


def _singular_parts(x: Tensor, *, compute_uv: bool, full_matrices: bool) -> list[RawShape]:
    dims = shape_rules.with_rank_at_least(x, 2)
    if dims is None:
        return [None, None, None] if compute_uv else [None, (0,), (0,)]
    *batch, m, n = dims
    p = None if m is None or n is None else min(m, n)
    if not compute_uv:
        return [(*batch, p), (0,), (0,)]
    if full_matrices:
        return [(*batch, p), (*batch, m, m), (*batch, n, n)]
    return [(*batch, p), (*batch, m, p), (*batch, n, p)]


@blas.of_matrices
def _svd(xp: Any, x: Any, *, compute_uv: bool, full_matrices: bool) -> list[Any]:
    """Of a matrix that holds nan or an infinity, all is nan."""
    if xp is np and not np.isfinite(x).all():
        bad = ~np.isfinite(x).all(axis=(-2, -1))[..., None, None]
        s, *rest = _svd(np, np.where(bad, x.dtype.type(0), x), compute_uv=compute_uv, full_matrices=full_matrices)
        nan = x.dtype.type(np.nan)
        return [np.where(bad[..., 0], nan, s), *(np.where(bad, nan, w) if compute_uv else w for w in rest)]
    if not compute_uv:
        return [xp.linalg.svd(x, compute_uv=False).astype(x.dtype), xp.zeros((0,), x.dtype), xp.zeros((0,), x.dtype)]
    u, s, vh = xp.linalg.svd(x, full_matrices=full_matrices)
    return [s.astype(x.dtype), u.astype(x.dtype), xp.conj(xp.swapaxes(vh, -1, -2)).astype(x.dtype)]


def _svd_gradient(op: Any, ds: Any, du: Any, dv: Any) -> list[Any]:
    """The derivative of x = u diag(s) v^H, for s alone or for all three.

    With vectors: u (diag(ds) + (f * u^H du + h.c.) s + s (f * v^H dv + h.c.)) v^H, f = 1 / (s_j^2 - s_i^2), and for a
    matrix that is not square the part of dv outside of v's columns.  A tall matrix counts as the adjoint of a wide one.
    A complex pair (u_i, v_i) is known up to a phase, which must not matter: inside stands also -i Im(v^H dv)_ii / s_i.
    """
    x = op.inputs[0]
    dims = shape_rules.with_rank_at_least(x, 2)
    ds_matrix = diagonals.matrix_diag(ds)
    if not op.attrs["compute_uv"]:
        _, u, v = svd(x, compute_uv=True)
        dx = matrices.matmul(u, matrices.matmul(ds_matrix, v, adjoint_b=True))
        dx.set_shape(dims)
        return [dx]
    m, n = _inner_sizes(dims, du, dv)
    full = op.attrs["full_matrices"]
    s, u, v = op.outputs
    s = casts.cast(s, x.dtype)
    tall = m > n
    if tall:
        m, n, u, v, du, dv = n, m, v, u, dv, du
    with control_dependencies([ds, du, dv]):
        if full and abs(m - n) > 1:
            raise NotImplementedError("svd gradient is not implemented for abs(m - n) > 1 when full_matrices is True")
        s_matrix = diagonals.matrix_diag(s)
        squares = powers.square(s)
        s_shape = arrays.shape(s)
        identity = grids.eye(s_shape[-1], batch_shape=s_shape[:-1], dtype=s.dtype)
        f = _inverted_off_diagonal(_gaps(squares) + identity, s)
        s_inverse = diagonals.matrix_diag(powers.reciprocal(s))
        v1, dv1 = v[..., :, :m], dv[..., :, :m]
        u_du = matrices.matmul(u, du, adjoint_a=True)
        v_dv = matrices.matmul(v1, dv1, adjoint_a=True)
        fu, fv = f * u_du, f * v_dv
        inner = ds_matrix + matrices.matmul(fu + adjoint(fu), s_matrix) + matrices.matmul(s_matrix, fv + adjoint(fv))
        is_complex = x.dtype.is_complex
        if is_complex:
            phase = diagonals.matrix_diag_part(v_dv)
            inner += diagonals.matrix_diag((complex_numbers.conj(phase) - phase) / (2 * s))
        dx = matrices.matmul(u, matrices.matmul(inner, v1, adjoint_b=True))
        if m != n:
            dv1_t = permuting.matrix_transpose(dv1, conjugate=is_complex)
            outside = dv1_t - matrices.matmul(matrices.matmul(dv1_t, v1), v1, adjoint_b=True)
            if full:
                v2, dv2 = v[..., :, m:n], dv[..., :, m:n]
                v1_dv2 = matrices.matmul(v1, dv2, adjoint_a=True)
                outside -= matrices.matmul(v1_dv2, v2, adjoint_b=True)
            dx = dx + matrices.matmul(matrices.matmul(u, s_inverse), outside)
        dx = permuting.matrix_transpose(dx, conjugate=is_complex) if tall else dx
        dx.set_shape(dims)
        return [dx]


def _inner_sizes(dims: RawShape, du: Tensor, dv: Tensor) -> tuple[int, int]:
    m, n = (None, None) if dims is None else dims[-2:]
    m = shapes.merge_dim(m, None if du.dims is None else du.dims[-2])
    n = shapes.merge_dim(n, None if dv.dims is None else dv.dims[-2])
    if m is None or n is None:
        raise NotImplementedError("SVD gradient has not been implemented for input with unknown inner matrix shape.")
    return m, n


SVD = define(
    "Svd", "input: T", "s: T, u: T, v: T", attrs={"compute_uv": True, "full_matrices": False},
    types={"T": FACTORABLE}, ranks={"input": "2+: Input tensor 0 must have rank >= 2, got {rank}"},
    shape=_singular_parts, kernel=_svd, gradient=_svd_gradient,
)  # fmt: skip


def svd(tensor: Any, full_matrices: bool = False, compute_uv: bool = True, name: str | None = None) -> Any:
    """Singular values (falling) and vectors of each matrix: ``x = u diag(s) v^H``; without ``compute_uv``, s alone."""
    s, u, v = apply(SVD, tensor, compute_uv=compute_uv, full_matrices=full_matrices, name=name)
    s = complex_numbers.real(s)
    return (s, u, v) if compute_uv else s


# -- what singular values tell -----------------------------------------------------------------


def matrix_rank(a: Any, tol: Any = None, validate_args: bool = False, name: str | None = None) -> Tensor:
    """The number of singular values of each matrix above ``tol`` (default: the largest times n times the precision)."""
    with name_scope(name or "matrix_rank"):
        a = _checked_matrices(a, validate_args)
        values = svd(a, compute_uv=False)
        if tol is None:
            dims: Any = (None,) if a.dims is None else a.dims[-2:]
            if None in dims:
                size: Any = reductions.reduce_max(arrays.shape(a)[-2:])
            else:
                size = np.int64(np.max(dims))
            largest = reductions.reduce_max(values, axis=-1, keepdims=True)
            tol = float(np.finfo(a.dtype.np).eps) * casts.cast(size, a.dtype) * largest
        return reductions.reduce_sum(casts.cast(values > tol, dtypes.int32), axis=-1)


def pinv(a: Any, rcond: Any = None, validate_args: bool = False, name: str | None = None) -> Tensor:
    """The pseudo-inverse ``v s^-1 u^H`` of each matrix; singular values up to ``rcond`` times the largest are 0."""
    with name_scope(name or "pinv"):
        a = _checked_matrices(a, validate_args)
        if rcond is None:
            m, n = (None, None) if a.dims is None else a.dims[-2:]
            if m is not None and n is not None:
                size: Any = float(max(m, n))
            else:
                shape = arrays.shape(a)
                size = casts.cast(arithmetic.maximum(shape[-2], shape[-1]), a.dtype)
            rcond = 10.0 * size * float(np.finfo(a.dtype.np).eps)
        rcond = as_tensor(rcond, a.dtype, name="rcond")
        s, u, v = svd(a, full_matrices=False, compute_uv=True)
        cutoff = rcond * reductions.reduce_max(s, axis=-1)
        infinity = np.array(np.inf, a.dtype.np)
        s = comparison.where_v2(s > arrays.expand_dims(cutoff, -1), s, infinity)
        inverse = matrices.matmul(v / arrays.expand_dims(s, -2), u, adjoint_b=True)
        if a.dims is not None:
            inverse.set_shape((*a.dims[:-2], a.dims[-1], a.dims[-2]))
        return inverse


def _checked_matrices(a: Any, validate: bool) -> Tensor:
    a = as_tensor(a, name="a")
    if not a.dtype.is_floating:
        raise TypeError("Input `a` must have `float`-like `dtype` " + f"(saw {a.dtype.name}).")
    if a.dims is not None:
        if len(a.dims) < 2:
            raise ValueError("Input `a` must have at least 2 dimensions " + f"(saw: {len(a.dims)}).")
        return a
    if not validate:
        return a
    with control_dependencies(
        [shape_checks.assert_rank_at_least(a, 2, message="Input `a` must have at least 2 dimensions.")]
    ):
        return arrays.identity(a)
