"""Products, factors and solutions of matrices; their diagonals."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import Row, normal, spd

from retrograd import tf
from retrograd.tf import raw_ops

AB = (normal(2, 3), normal(3, 4, seed=1))
BATCH = (normal(2, 2, 3), normal(2, 3, 2, seed=1))
SQUARE = (normal(3, 3) + 2 * np.eye(3),)
TALL = (normal(4, 2),)
SYSTEM = (normal(3, 3) + 2 * np.eye(3), normal(3, 2, seed=1))
POSITIVE = (spd(3),)
THREE_DIAGONALS = (normal(2, 3, 4) + np.array([[0.0], [4.0], [0.0]]), normal(2, 4, 2, seed=1))


def symmetric(x: Any) -> Any:
    return (x + tf.matrix_transpose(x)) / 2


def in_float32(x: Any, y: Any) -> Any:
    product = raw_ops.SparseMatMul(tf.cast(x, tf.float32), tf.cast(y, tf.float32), transpose_a=True)
    return tf.cast(product, tf.float64)


def least_squares(a: Any, b: Any) -> Any:
    return raw_ops.MatrixSolveLs(a, b, 0.5)


def eigen(x: Any) -> Any:
    """The vectors are known up to their sign."""
    e, v = tf.self_adjoint_eig(symmetric(x))
    return [e, tf.square(v)]


def singular(x: Any) -> Any:
    s, u, v = tf.svd(x)
    return [s, tf.square(u), tf.square(v)]


def factors(x: Any) -> Any:
    q, r = tf.qr(x)
    return [tf.square(q), tf.square(r)]


def logarithm(x: Any) -> Any:
    z = tf.linalg.logm(tf.cast(x, tf.complex128))
    return [tf.real(z), tf.imag(z)]


ROWS = [
    # products
    Row("MatMul", raw_ops.MatMul, AB),
    Row("MatMul", lambda a, b: raw_ops.MatMul(a, b, True), (normal(3, 2), AB[1]), label="of a"),
    Row("MatMul", lambda a, b: raw_ops.MatMul(a, b, False, True), (AB[0], normal(4, 3)), label="of b"),
    Row("MatMul", lambda a, b: raw_ops.MatMul(a, b, True, True), (normal(3, 2), normal(4, 3)), label="of both"),
    Row("BatchMatMul", raw_ops.BatchMatMul, BATCH),
    Row("BatchMatMul", lambda a, b: raw_ops.BatchMatMul(a, b, True, True), BATCH, label="adjoint"),
    Row("BatchMatMulV2", raw_ops.BatchMatMulV2, (BATCH[0], normal(1, 3, 2))),
    Row("BatchMatMulV2", raw_ops.BatchMatMulV2, (normal(3, 1, 2, 3), normal(2, 3, 2)), label="of other batches"),
    Row("BatchMatMulV2", lambda a, b: raw_ops.BatchMatMulV2(a, b, True, True), BATCH, label="adjoint"),
    Row("SparseMatMul", in_float32, (normal(3, 2), AB[1]), step=0.1),
    Row("Cross", tf.cross, (normal(2, 3), normal(2, 3, seed=1))),
    # solutions
    Row("MatrixInverse", tf.matrix_inverse, SQUARE),
    Row("MatrixInverse", lambda x: tf.matrix_inverse(x, adjoint=True), SQUARE, label="adjoint"),
    Row("MatrixDeterminant", tf.matrix_determinant, SQUARE),
    Row("LogMatrixDeterminant", lambda x: tf.linalg.slogdet(x)[1], SQUARE),
    Row("MatrixSolve", tf.matrix_solve, SYSTEM),
    Row("MatrixSolve", lambda a, b: tf.matrix_solve(a, b, adjoint=True), SYSTEM, label="adjoint"),
    Row("MatrixTriangularSolve", tf.matrix_triangular_solve, SYSTEM),
    Row("MatrixTriangularSolve", lambda a, b: tf.matrix_triangular_solve(a, b, False, True), SYSTEM, label="upper"),
    Row("MatrixSolveLs", least_squares, (normal(4, 2), normal(4, 1, seed=1))),
    Row("MatrixSolveLs", least_squares, (normal(2, 4), normal(2, 1, seed=1)), label="wide"),
    # factors
    Row("Cholesky", lambda x: tf.cholesky(symmetric(x)), POSITIVE),
    Row("Qr", factors, TALL),
    Row("Qr", factors, (normal(2, 4),), label="wide"),
    Row("SelfAdjointEigV2", eigen, POSITIVE),
    Row("SelfAdjointEigV2", lambda x: tf.self_adjoint_eigvals(symmetric(x)), POSITIVE, label="values alone"),
    Row("Svd", singular, TALL, shapes=False),
    Row("Svd", singular, (normal(2, 3),), label="wide", shapes=False),
    Row("Svd", lambda x: tf.svd(x, compute_uv=False), TALL, label="values alone"),
    Row("MatrixExponential", tf.linalg.expm, SQUARE),
    Row("MatrixSquareRoot", tf.linalg.sqrtm, POSITIVE),
    Row("MatrixLogarithm", logarithm, POSITIVE),
    Row("Lu", lambda x: raw_ops.Lu(x).lu, SQUARE),
    # three diagonals
    Row("TridiagonalSolve", raw_ops.TridiagonalSolve, THREE_DIAGONALS),
    Row("TridiagonalSolve", lambda d, b: raw_ops.TridiagonalSolve(d, b, False), THREE_DIAGONALS, label="no pivoting"),
    Row(
        "TridiagonalMatMul", raw_ops.TridiagonalMatMul, (*(normal(2, 1, 4, seed=i) for i in range(3)), normal(2, 4, 3))
    ),
    # labelled axes
    Row("Einsum", lambda a, b: raw_ops.Einsum([a, b], "...ij,jk->...ik"), (normal(2, 2, 3), AB[1])),
    Row("Einsum", lambda a: raw_ops.Einsum([a], "iij->jii"), (normal(2, 2, 3),), label="repeated"),
    # diagonals
    Row("Diag", tf.diag, (normal(2, 2),)),
    Row("DiagPart", tf.diag_part, (normal(2, 3, 2, 3),)),
    Row("MatrixDiag", tf.matrix_diag, (normal(2, 3),)),
    Row("MatrixDiagPart", tf.matrix_diag_part, (normal(2, 3, 2),)),
    Row("MatrixSetDiag", tf.matrix_set_diag, (normal(2, 3, 2), normal(2, 2, seed=1))),
    Row("MatrixBandPart", lambda x: tf.matrix_band_part(x, 1, 0), (normal(2, 3, 3),)),
]
