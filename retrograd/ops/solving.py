"""Linear equations: inverses, determinants, triangular factors and solutions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph import errors, shapes
from retrograd.graph.apply import apply, apply_named
from retrograd.graph.convert import as_tensor
from retrograd.graph.definition import OpDef, define
from retrograd.graph.dispatch import dispatched
from retrograd.graph.dtypes import complex64, complex128, float32, float64
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import RawShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arrays,
    blas,
    casts,
    complex_numbers,
    diagonals,
    exponentials,
    grids,
    joining,
    matrices,
    permuting,
    reductions,
    shape_rules,
)
from retrograd.ops.requirements import require

_BLOCK = 16  # rows of a triangle whose inverses are found at once
FACTORABLE = (float64, float32, complex64, complex128)


def square_matrices(x: Tensor) -> RawShape:
    """The shape of a batch of square matrices.

    Raises:
      ValueError: the last two dimensions differ.
    """
    dims = shape_rules.with_rank_at_least(x, 2)
    if dims is None:
        return None
    n = shapes.merge_dim(dims[-2], dims[-1])
    return (*dims[:-2], n, n)


def check_square(x: Any) -> None:
    """The same in a run."""
    if np.ndim(x) < 2:
        raise errors.InvalidArgumentError(None, None, f"Input tensor 0 must have rank >= 2, got {np.ndim(x)}")
    if x.shape[-1] != x.shape[-2]:
        raise errors.InvalidArgumentError(None, None, "Input matrix must be square.")


def on_square(name: str, kernel: Callable[..., Any], gradient: Any, **attrs: Any) -> OpDef:
    """The record of a function from square matrices to matrices of the same size."""

    def checked(xp: Any, x: Any, **options: Any) -> Any:
        check_square(x)
        return kernel(xp, x, **options)

    def with_adjoint(xp: Any, x: Any, *, adjoint: bool) -> Any:
        return checked(xp, x, adjoint=adjoint)

    return define(
        name, "input: T", "output: T", attrs=attrs, types={"T": FACTORABLE}, shape=square_matrices,
        kernel=with_adjoint if attrs else checked, gradient=gradient,
    )  # fmt: skip


def _adjoint(xp: Any, x: Any) -> Any:
    return xp.conj(xp.swapaxes(x, -1, -2))


def _finite(xp: Any, y: Any) -> Any:
    """``y``, which NumPy does not give for the matrices for which XLA gives infinities and nan."""
    if xp is not np:
        require(xp.isfinite(y))
    return y


# -- inverses and determinants -----------------------------------------------------------------


@blas.of_matrices
def _inverse(xp: Any, x: Any, *, adjoint: bool) -> Any:
    try:
        return _finite(xp, xp.linalg.inv(_adjoint(xp, x) if adjoint else x))
    except np.linalg.LinAlgError:
        raise errors.InvalidArgumentError(None, None, "Input is not invertible.") from None


def _inverse_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = -y^H dy y^H; of the adjoint's inverse, -y dy^H y."""
    y = op.outputs[0]
    if op.attrs["adjoint"]:
        return [-matrices.matmul(y, matrices.matmul(dy, y, adjoint_a=True))]
    return [-matrices.matmul(y, matrices.matmul(dy, y, adjoint_b=True), adjoint_a=True)]


MATRIX_INVERSE = on_square("MatrixInverse", _inverse, _inverse_gradient, adjoint=False)


@dispatched
def matrix_inverse(input: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The inverse of each matrix, or of its adjoint.

    Raises (in the run):
      InvalidArgumentError: a matrix is not invertible.
    """
    return apply(MATRIX_INVERSE, input, adjoint=adjoint, name=name)


def _scalar_per_matrix(x: Tensor) -> RawShape:
    dims = shape_rules.with_rank_at_least(x, 2)
    if dims is None:
        return None
    shapes.merge_dim(dims[-1], dims[-2])
    return dims[:-2]


def _spread_over_matrix(dy: Tensor, like: Tensor) -> Tensor:
    return arrays.reshape(dy, joining.concat([arrays.shape(like), [1, 1]], 0))


def _determinant_gradient(op: Any, dy: Any) -> list[Any]:
    """dx = dy * det(x) * x^-H."""
    inverse = matrix_inverse(op.inputs[0], adjoint=True)
    y = op.outputs[0]
    return [_spread_over_matrix(dy * y, y) * inverse]


@blas.of_matrices
def _determinant(xp: Any, x: Any) -> Any:
    check_square(x)
    return xp.linalg.det(x).astype(x.dtype)


MATRIX_DETERMINANT = define(
    "MatrixDeterminant", "input: T", "output: T", types={"T": (float32, float64, complex64, complex128)},
    shape=_scalar_per_matrix, kernel=_determinant, gradient=_determinant_gradient,
)  # fmt: skip


@dispatched
def matrix_determinant(input: Any, name: str | None = None) -> Tensor:
    """The determinant of each matrix."""
    return apply(MATRIX_DETERMINANT, input, name=name)


@blas.of_matrices
def _log_determinant(xp: Any, x: Any) -> list[Any]:
    check_square(x)
    sign, log = xp.linalg.slogdet(x)
    return [sign.astype(x.dtype), log.astype(x.dtype)]


def _log_determinant_gradient(op: Any, _: Any, dlog: Any) -> list[Any]:
    """dx = dlog * x^-H; the sign is constant."""
    inverse = matrix_inverse(op.inputs[0], adjoint=True)
    return [_spread_over_matrix(dlog, op.outputs[1]) * inverse]


LOG_MATRIX_DETERMINANT = define(
    "LogMatrixDeterminant", "input: T", "sign: T, log_abs_determinant: T",
    types={"T": (float32, float64, complex64, complex128)}, shape=lambda x: [_scalar_per_matrix(x)] * 2,
    kernel=_log_determinant, gradient=_log_determinant_gradient,
)  # fmt: skip


def log_matrix_determinant(input: Any, name: str | None = None) -> tuple[Tensor, Tensor]:
    """The sign of each determinant and the logarithm of its absolute value."""
    return apply_named(LOG_MATRIX_DETERMINANT, input, name=name)  # type: ignore[no-any-return]


slogdet = log_matrix_determinant


@dispatched
def logdet(matrix: Any, name: str | None = None) -> Tensor:
    """The logarithm of the determinant of each Hermitian positive definite matrix, by its Cholesky factor."""
    with name_scope(name, "logdet", [matrix]):
        factor = cholesky(matrix)
        diagonal = exponentials.log(complex_numbers.real(diagonals.matrix_diag_part(factor)))
        return 2.0 * reductions.reduce_sum(diagonal, axis=[-1])


# -- Cholesky factors --------------------------------------------------------------------------


@blas.of_matrices
def _cholesky(xp: Any, x: Any) -> Any:
    """The lower factor; only the lower triangle of x is read, as in LAPACK's own call."""
    if xp is not np:
        return _finite(xp, xp.linalg.cholesky(x, symmetrize_input=False))
    try:
        return np.linalg.cholesky(x)
    except np.linalg.LinAlgError:
        raise errors.InvalidArgumentError(
            None, None, "Cholesky decomposition was not successful. The input might not be valid."
        ) from None


def _cholesky_gradient(op: Any, dy: Any) -> list[Any]:
    """With y = chol(x): dx = 1/2 (s + s^H), s = y^-H phi(y^H dy) y^-1, phi the lower half with half the diagonal."""
    y = op.outputs[0]
    rows = arrays.shape(y)[-1]
    batch = arrays.shape(y)[:-2]
    inverse = matrix_triangular_solve(y, grids.eye(rows, batch_shape=batch, dtype=y.dtype))
    middle = matrices.matmul(y, dy, adjoint_a=True)
    middle = diagonals.matrix_set_diag(middle, 0.5 * diagonals.matrix_diag_part(middle))
    middle = diagonals.matrix_band_part(middle, -1, 0)
    dx = matrices.matmul(matrices.matmul(inverse, middle, adjoint_a=True), inverse)
    dx += adjoint(dx)
    return [dx * 0.5]


CHOLESKY = on_square("Cholesky", _cholesky, _cholesky_gradient)


@dispatched
def cholesky(input: Any, name: str | None = None) -> Tensor:
    """The lower triangular y with ``y y^H = x``, for each Hermitian positive definite matrix.

    Raises (in the run):
      InvalidArgumentError: a matrix is not positive definite.
    """
    return apply(CHOLESKY, input, name=name)


def cholesky_solve(chol: Any, rhs: Any, name: str | None = None) -> Tensor:
    """The solution x of ``chol chol^H x = rhs``."""
    with name_scope(name, "cholesky_solve", [chol, rhs]):
        y = matrix_triangular_solve(chol, rhs, adjoint=False, lower=True)
        return matrix_triangular_solve(chol, y, adjoint=True, lower=True)


@dispatched
def adjoint(matrix: Any, name: str | None = None) -> Tensor:
    """The conjugate transpose of each matrix."""
    with name_scope(name, "adjoint", [matrix]):
        return permuting.matrix_transpose(as_tensor(matrix, name="matrix"), conjugate=True)


# -- solutions ---------------------------------------------------------------------------------


def _solution(a: Tensor, b: Tensor) -> RawShape:
    left, right = square_matrices(a), shape_rules.with_rank_at_least(b, 2)
    if left is None or right is None:
        return right
    batch = shapes.merge(left[:-2], right[:-2]) or ()
    return (*batch, shapes.merge_dim(left[-1], right[-2]), right[-1])


def _check_solvable(a: Any, b: Any) -> None:
    if np.ndim(a) != np.ndim(b):
        raise errors.InvalidArgumentError(None, None, "All input tensors must have the same rank.")
    if a.shape[-1] != a.shape[-2]:
        raise errors.InvalidArgumentError(None, None, "First input (lhs) must be a square matrix.")
    if a.shape[-2] != b.shape[-2]:
        raise errors.InvalidArgumentError(None, None, "Input matrix and rhs are incompatible.")
    if a.shape[:-2] != b.shape[:-2]:
        raise errors.InvalidArgumentError(
            None, None,
            "All input tensors must have the same outer dimensions: "
            f"{shapes.shape_text(a.shape)} {shapes.shape_text(b.shape)}",
        )  # fmt: skip


@blas.of_matrices
def _solve(xp: Any, a: Any, b: Any, *, adjoint: bool) -> Any:
    _check_solvable(a, b)
    try:
        return _finite(xp, xp.linalg.solve(_adjoint(xp, a) if adjoint else a, b))
    except np.linalg.LinAlgError:
        raise errors.InvalidArgumentError(None, None, "Input matrix is not invertible.") from None


def _matrix_side(op: Any, db: Any) -> Tensor:
    """da = -db x^H, or -x db^H where a is taken as its adjoint."""
    x = op.outputs[0]
    return -matrices.matmul(x, db, adjoint_b=True) if op.attrs["adjoint"] else -matrices.matmul(db, x, adjoint_b=True)


def _solve_gradient(op: Any, dx: Any) -> list[Any]:
    """db = a^-H dx, and da from it."""
    db = matrix_solve(op.inputs[0], dx, adjoint=not op.attrs["adjoint"])
    return [_matrix_side(op, db), db]


MATRIX_SOLVE = define(
    "MatrixSolve", "matrix: T, rhs: T", "output: T", attrs={"adjoint": False}, types={"T": FACTORABLE},
    ranks={"matrix": "2+: Input tensor 0 must have rank >= 2, got {rank}"},
    shape=_solution, kernel=_solve, gradient=_solve_gradient,
)  # fmt: skip


@dispatched
def matrix_solve(matrix: Any, rhs: Any, adjoint: bool = False, name: str | None = None) -> Tensor:
    """The solution x of ``matrix x = rhs``, or with the adjoint of the matrix.

    Raises (in the run):
      InvalidArgumentError: a matrix is not invertible.
    """
    return apply(MATRIX_SOLVE, matrix, rhs, adjoint=adjoint, name=name)


@blas.of_matrices
def _triangular_solve(xp: Any, a: Any, b: Any, *, lower: bool, adjoint: bool) -> Any:
    """Only one triangle of the matrix is read; a zero on its diagonal is an error."""
    _check_solvable(a, b)
    if xp is not np:
        from retrograd.ops.jax_start import lax

        require(xp.diagonal(a, axis1=-2, axis2=-1) != 0)
        return lax.linalg.triangular_solve(a, b, left_side=True, lower=lower, transpose_a=adjoint, conjugate_a=adjoint)
    if not np.all(np.abs(np.diagonal(a, axis1=-2, axis2=-1)) > 0):  # nan is no pivot either
        raise errors.InvalidArgumentError(None, None, "Input matrix is not invertible.")
    return _substituted(_adjoint(np, a) if adjoint else a, b, forwards=lower != adjoint)


def _substituted(a: Any, b: Any, forwards: bool) -> Any:
    """Block by block: ``x[i] = a[i, i]^-1 (b[i] - a[i] x)``, over the rows of x that are known."""
    n = a.shape[-1]
    count = n // _BLOCK if n > 2 * _BLOCK else 0
    whole = count * _BLOCK
    blocks = a[..., :whole, :whole].reshape(*a.shape[:-2], count, _BLOCK, count, _BLOCK)
    blocks = np.moveaxis(np.diagonal(blocks, axis1=-4, axis2=-2), -1, -3)
    inverses = _by_rows(blocks, np.broadcast_to(np.eye(_BLOCK, dtype=a.dtype), blocks.shape), forwards)
    parts = [slice(i * _BLOCK, (i + 1) * _BLOCK) for i in range(count)] + [slice(whole, n)]
    x = np.zeros_like(b)
    for i in range(count + 1) if forwards else range(count, -1, -1):
        rows = parts[i]
        known = slice(0, rows.start) if forwards else slice(rows.stop, n)
        rest = b[..., rows, :] - a[..., rows, known] @ x[..., known, :]
        x[..., rows, :] = inverses[..., i, :, :] @ rest if i < count else _by_rows(a[..., rows, rows], rest, forwards)
    return x


def _by_rows(a: Any, b: Any, forwards: bool) -> Any:
    """The solution of a few equations, each of a variable that those before have not."""
    x = np.zeros_like(b)
    n = a.shape[-1]
    for i in range(n) if forwards else range(n - 1, -1, -1):
        known = slice(0, i) if forwards else slice(i + 1, n)
        rest = b[..., i : i + 1, :] - a[..., i : i + 1, known] @ x[..., known, :]
        x[..., i : i + 1, :] = rest / a[..., i : i + 1, i : i + 1]
    return x


def _triangular_solve_gradient(op: Any, dx: Any) -> list[Any]:
    """As of ``matrix_solve``, with the matrix's part cut to the triangle that was read."""
    lower = op.attrs["lower"]
    db = matrix_triangular_solve(op.inputs[0], dx, lower=lower, adjoint=not op.attrs["adjoint"])
    da = _matrix_side(op, db)
    da = diagonals.matrix_band_part(da, -1, 0) if lower else diagonals.matrix_band_part(da, 0, -1)
    return [da, db]


MATRIX_TRIANGULAR_SOLVE = define(
    "MatrixTriangularSolve", "matrix: T, rhs: T", "output: T", attrs={"lower": True, "adjoint": False},
    types={"T": FACTORABLE}, ranks={"matrix": "2+: Input tensor 0 must have rank >= 2, got {rank}"},
    shape=_solution, kernel=_triangular_solve, gradient=_triangular_solve_gradient,
)  # fmt: skip


def matrix_triangular_solve(
    matrix: Any, rhs: Any, lower: bool = True, adjoint: bool = False, name: str | None = None
) -> Tensor:
    """The solution x of ``matrix x = rhs`` for a matrix of which only one triangle counts."""
    return apply(MATRIX_TRIANGULAR_SOLVE, matrix, rhs, lower=lower, adjoint=adjoint, name=name)


# -- least squares -----------------------------------------------------------------------------


def _least_squares_shape(a: Tensor, b: Tensor, l2: Tensor) -> RawShape:
    shape_rules.with_rank(l2, 0)
    left, right = shape_rules.with_rank_at_least(a, 2), shape_rules.with_rank_at_least(b, 2)
    if left is None or right is None:
        return None
    shapes.merge_dim(left[-2], right[-2])
    return (*(shapes.merge(left[:-2], right[:-2]) or ()), left[-1], right[-1])


@blas.of_matrices
def _least_squares(xp: Any, a: Any, b: Any, l2: Any, *, fast: bool) -> Any:
    """min |a x - b|^2 + l2 |x|^2; the slow way is exact for matrices without full rank and takes no l2."""
    if np.ndim(a) != np.ndim(b):
        raise errors.InvalidArgumentError(None, None, "All input tensors must have the same rank.")
    if not fast:
        if xp is np and not np.isfinite(a).all():
            bad = ~np.isfinite(a).all(axis=(-2, -1), keepdims=True)
            x = _least_squares(np, np.where(bad, a.dtype.type(0), a), b, l2, fast=False)
            return np.where(bad, a.dtype.type(np.nan), x)
        return (xp.linalg.pinv(a) @ b).astype(a.dtype)
    m, n = a.shape[-2:]
    t = _adjoint(xp, a)
    eye = xp.eye(min(m, n), dtype=a.dtype) * xp.asarray(l2).astype(a.dtype)
    try:
        if m >= n:
            return _finite(xp, xp.linalg.solve(t @ a + eye, t @ b))
        return t @ _finite(xp, xp.linalg.solve(a @ t + eye, b))
    except np.linalg.LinAlgError:
        raise errors.InvalidArgumentError(None, None, "Input matrix was rank deficient or ill-conditioned.") from None


def _least_squares_gradient(op: Any, dx: Any) -> list[Any]:
    """Through the normal equations; with at least as many rows as columns, z = (a^H a + l2)^-1 dx:
    da = -a (x z^H + z x^H) + b z^H, db = a z."""
    if not op.attrs["fast"]:
        raise ValueError("Gradient not defined for fast=False")
    a, b = op.inputs[:2]
    m, n = (None, None) if a.dims is None else a.dims[-2:]
    if m is None or n is None:
        raise NotImplementedError("The gradient of MatrixSolveLs needs a matrix whose shape is known")
    l2 = casts.cast(op.inputs[2], a.dtype.base_dtype)
    factor = _regularized_gramian(a, l2, columns=m >= n)
    if m >= n:
        x = op.outputs[0]
        z = cholesky_solve(factor, dx)
        xz = matrices.matmul(x, z, adjoint_b=True)
        both = xz + permuting.matrix_transpose(xz)
        da = -matrices.matmul(a, both) + matrices.matmul(b, z, adjoint_b=True)
        return [da, matrices.matmul(a, z), None]
    db = cholesky_solve(factor, matrices.matmul(a, dx))
    w = cholesky_solve(factor, b)
    first = -matrices.matmul(db, matrices.matmul(w, a, adjoint_a=True))
    second = matrices.matmul(w, dx - matrices.matmul(a, db, adjoint_a=True), adjoint_b=True)
    return [first + second, db, None]


MATRIX_SOLVE_LS = define(
    "MatrixSolveLs", "matrix: T, rhs: T, l2_regularizer: float64", "output: T", attrs={"fast": True},
    types={"T": FACTORABLE}, ranks={
        "matrix": "2+: Input tensor 0 must have rank >= 2, got {rank}",
        "l2_regularizer": "0: l2_regularizer must be scalar, got shape {}",
    },
    shape=_least_squares_shape, kernel=_least_squares, gradient=_least_squares_gradient,
)  # fmt: skip


def _regularized_gramian(matrix: Tensor, l2: Any, columns: bool) -> Tensor:
    """The Cholesky factor of ``a^H a + l2`` (of columns) or ``a a^H + l2`` (of rows)."""
    gramian = matrices.matmul(matrix, matrix, adjoint_a=columns, adjoint_b=not columns)
    if isinstance(l2, Tensor) or l2 != 0:
        shape = arrays.shape(matrix)
        batch = shape[:-2]
        size = shape[-1] if columns else shape[-2]
        identity = grids.eye(size, batch_shape=batch, dtype=matrix.dtype)
        if matrix.dims is not None:
            known = matrix.dims[-1 if columns else -2]
            identity.set_shape((*matrix.dims[:-2], known, known))
        gramian += l2 * identity
    return cholesky(gramian)


_CACHE_BYTES = 256_000  # TensorFlow's guess of a cache: beyond it, many small matrices go to one op


def matrix_solve_ls(
    matrix: Any, rhs: Any, l2_regularizer: Any = 0.0, fast: bool = True, name: str | None = None
) -> Tensor:
    """The x that minimizes ``|matrix x - rhs|^2 + l2_regularizer |x|^2``, of those the shortest.

    Args:
      fast: through the normal equations; otherwise by a decomposition that also takes matrices without full rank.
    """
    matrix = as_tensor(matrix, name="matrix")
    dims = matrix.dims
    if not fast or _many_small(matrix):
        return apply(MATRIX_SOLVE_LS, matrix, rhs, l2_regularizer, fast=fast, name=name)
    with name_scope(name, "matrix_solve_ls", [matrix, rhs, l2_regularizer]):
        if dims is None or dims[-2] is None or dims[-1] is None:
            return apply(MATRIX_SOLVE_LS, matrix, rhs, l2_regularizer, fast=True)
        columns = dims[-2] >= dims[-1]
        factor = _regularized_gramian(matrix, l2_regularizer, columns)
        if columns:
            return cholesky_solve(factor, matrices.matmul(matrix, rhs, adjoint_a=True))
        return matrices.matmul(matrix, cholesky_solve(factor, rhs), adjoint_a=True)


def _many_small(matrix: Tensor) -> bool:
    dims = matrix.dims
    count = shapes.element_count(dims)
    if dims is None or count is None:
        return False
    matrices_count = shapes.element_count(dims[:-2]) or 0
    return count * matrix.dtype.size > _CACHE_BYTES and matrices_count > min(dims[-2] or 0, dims[-1] or 0)
