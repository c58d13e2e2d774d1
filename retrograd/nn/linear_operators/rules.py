"""The rules by which linear operators are turned, multiplied and solved, where the answer is an operator again."""

from __future__ import annotations

from typing import Any

from retrograd.nn.linear_operators.combined import LinearOperatorBlockDiag, LinearOperatorComposition
from retrograd.nn.linear_operators.hints import both_are, hints_of, product_is_non_singular, product_is_positive
from retrograd.nn.linear_operators.kinds import (
    LinearOperatorDiag,
    LinearOperatorIdentity,
    LinearOperatorLowerTriangular,
    LinearOperatorScaledIdentity,
)
from retrograd.nn.linear_operators.operator import (
    LinearOperator,
    RegisterAdjoint,
    RegisterCholesky,
    RegisterInverse,
    RegisterMatmul,
    RegisterSolve,
)
from retrograd.nn.linear_operators.turned import LinearOperatorAdjoint, LinearOperatorInversion
from retrograd.ops import (
    conjugates,
    powers,
    solving,
)


def _scaled(operator: Any, multiplier: Any, **hints: Any) -> LinearOperatorScaledIdentity:
    return LinearOperatorScaledIdentity(operator._num_rows, multiplier, **(hints_of(operator) | hints))


@RegisterAdjoint(LinearOperator)
def _adjoint(a: LinearOperator) -> LinearOperator:
    return LinearOperatorAdjoint(a, **hints_of(a))


@RegisterAdjoint(LinearOperatorAdjoint)
def _adjoint_of_adjoint(a: LinearOperatorAdjoint) -> LinearOperator:
    return a.operator


@RegisterAdjoint(LinearOperatorIdentity)
def _adjoint_of_identity(a: LinearOperator) -> LinearOperator:
    return a


@RegisterAdjoint(LinearOperatorScaledIdentity)
def _adjoint_of_scaled(a: LinearOperatorScaledIdentity) -> LinearOperator:
    return _scaled(a, conjugates.conj(a.multiplier) if a.multiplier.dtype.is_complex else a.multiplier)


@RegisterAdjoint(LinearOperatorDiag)
def _adjoint_of_diag(a: LinearOperatorDiag) -> LinearOperator:
    return LinearOperatorDiag(conjugates.conj(a.diag) if a.diag.dtype.is_complex else a.diag, **hints_of(a))


@RegisterAdjoint(LinearOperatorBlockDiag)
def _adjoint_of_blocks(a: LinearOperatorBlockDiag) -> LinearOperator:
    return LinearOperatorBlockDiag([operator.adjoint() for operator in a.operators], **hints_of(a))


@RegisterCholesky(LinearOperator)
def _cholesky(a: LinearOperator) -> LinearOperator:
    return LinearOperatorLowerTriangular(
        solving.cholesky(a.to_dense()), is_non_singular=True, is_self_adjoint=False, is_square=True
    )


@RegisterCholesky(LinearOperatorDiag)
def _cholesky_of_diag(a: LinearOperatorDiag) -> LinearOperator:
    return LinearOperatorDiag(powers.sqrt(a.diag), True, True, True, True)


@RegisterCholesky(LinearOperatorIdentity)
def _cholesky_of_identity(a: LinearOperatorIdentity) -> LinearOperator:
    return LinearOperatorIdentity(a._num_rows, a.batch_shape, a.dtype)


@RegisterCholesky(LinearOperatorScaledIdentity)
def _cholesky_of_scaled(a: LinearOperatorScaledIdentity) -> LinearOperator:
    return LinearOperatorScaledIdentity(a._num_rows, powers.sqrt(a.multiplier), True, True, True, True)


@RegisterCholesky(LinearOperatorBlockDiag)
def _cholesky_of_blocks(a: LinearOperatorBlockDiag) -> LinearOperator:
    factors = [operator.cholesky() for operator in a.operators]
    return LinearOperatorBlockDiag(factors, is_non_singular=True, is_self_adjoint=False, is_square=True)


@RegisterInverse(LinearOperator)
def _inverse(a: LinearOperator) -> LinearOperator:
    return LinearOperatorInversion(a, **hints_of(a))


@RegisterInverse(LinearOperatorInversion)
def _inverse_of_inverse(a: LinearOperatorInversion) -> LinearOperator:
    return a.operator


@RegisterInverse(LinearOperatorDiag)
def _inverse_of_diag(a: LinearOperatorDiag) -> LinearOperator:
    return LinearOperatorDiag(1.0 / a.diag, **hints_of(a))


@RegisterInverse(LinearOperatorIdentity)
def _inverse_of_identity(a: LinearOperator) -> LinearOperator:
    return a


@RegisterInverse(LinearOperatorScaledIdentity)
def _inverse_of_scaled(a: LinearOperatorScaledIdentity) -> LinearOperator:
    return _scaled(a, 1.0 / a.multiplier, is_self_adjoint=True)


@RegisterInverse(LinearOperatorBlockDiag)
def _inverse_of_blocks(a: LinearOperatorBlockDiag) -> LinearOperator:
    return LinearOperatorBlockDiag([operator.inverse() for operator in a.operators], **hints_of(a))


def _diagonal(diag: Any, a: LinearOperator, b: LinearOperator) -> LinearOperatorDiag:
    return LinearOperatorDiag(
        diag, product_is_non_singular(a, b), both_are("is_self_adjoint", a, b), product_is_positive(a, b), True
    )


def _triangle(tril: Any, diag: LinearOperator, triangle: LinearOperator) -> LinearOperatorLowerTriangular:
    return LinearOperatorLowerTriangular(
        tril, product_is_non_singular(diag, triangle), both_are("is_self_adjoint", diag, triangle), None, True
    )


def _composition(a: LinearOperator, b: LinearOperator, left: LinearOperator) -> LinearOperatorComposition:
    square: bool | None = None
    if a.is_square and b.is_square:
        square = True
    elif a.is_square is False and b.is_square is False:
        square = a.range_dimension == b.domain_dimension
    elif a.is_square != b.is_square and a.is_square is not None:
        square = False
    if square:
        return LinearOperatorComposition([left, b], product_is_non_singular(a, b), None, None, square)
    hint = False if square is False else None
    return LinearOperatorComposition([left, b], hint, hint, hint, square)


@RegisterMatmul(LinearOperator, LinearOperator)
def _matmul(a: LinearOperator, b: LinearOperator) -> LinearOperator:
    return _composition(a, b, a)


@RegisterMatmul(LinearOperatorIdentity, LinearOperator)
def _identity_times(a: LinearOperator, b: LinearOperator) -> LinearOperator:
    return b


@RegisterMatmul(LinearOperator, LinearOperatorIdentity)
def _times_identity(a: LinearOperator, b: LinearOperator) -> LinearOperator:
    return a


@RegisterMatmul(LinearOperatorDiag, LinearOperatorDiag)
def _diag_times_diag(a: LinearOperatorDiag, b: LinearOperatorDiag) -> LinearOperator:
    return _diagonal(a.diag * b.diag, a, b)


@RegisterMatmul(LinearOperatorDiag, LinearOperatorScaledIdentity)
def _diag_times_scaled(a: LinearOperatorDiag, b: LinearOperatorScaledIdentity) -> LinearOperator:
    return _diagonal(a.diag * b.multiplier, a, b)


@RegisterMatmul(LinearOperatorScaledIdentity, LinearOperatorDiag)
def _scaled_times_diag(a: LinearOperatorScaledIdentity, b: LinearOperatorDiag) -> LinearOperator:
    return _diagonal(b.diag * a.multiplier, a, b)


@RegisterMatmul(LinearOperatorDiag, LinearOperatorLowerTriangular)
def _diag_times_triangle(a: LinearOperatorDiag, b: LinearOperatorLowerTriangular) -> LinearOperator:
    return _triangle(a.diag[..., None] * b.to_dense(), a, b)


@RegisterMatmul(LinearOperatorLowerTriangular, LinearOperatorDiag)
def _triangle_times_diag(a: LinearOperatorLowerTriangular, b: LinearOperatorDiag) -> LinearOperator:
    return _triangle(a.to_dense() * b.diag, b, a)


@RegisterSolve(LinearOperator, LinearOperator)
def _solve(a: LinearOperator, b: LinearOperator) -> LinearOperator:
    return _composition(a, b, LinearOperatorInversion(a))


@RegisterSolve(LinearOperatorInversion, LinearOperator)
def _inverse_solves(a: LinearOperatorInversion, b: LinearOperator) -> LinearOperator:
    return a.operator.matmul(b)


@RegisterSolve(LinearOperatorIdentity, LinearOperator)
def _identity_solves(a: LinearOperator, b: LinearOperator) -> LinearOperator:
    return b


@RegisterSolve(LinearOperatorDiag, LinearOperatorDiag)
def _diag_solves_diag(a: LinearOperatorDiag, b: LinearOperatorDiag) -> LinearOperator:
    return _diagonal(b.diag / a.diag, a, b)


@RegisterSolve(LinearOperatorDiag, LinearOperatorScaledIdentity)
def _diag_solves_scaled(a: LinearOperatorDiag, b: LinearOperatorScaledIdentity) -> LinearOperator:
    return _diagonal(b.multiplier / a.diag, a, b)


@RegisterSolve(LinearOperatorScaledIdentity, LinearOperatorDiag)
def _scaled_solves_diag(a: LinearOperatorScaledIdentity, b: LinearOperatorDiag) -> LinearOperator:
    return _diagonal(b.diag / a.multiplier, a, b)


@RegisterSolve(LinearOperatorDiag, LinearOperatorLowerTriangular)
def _diag_solves_triangle(a: LinearOperatorDiag, b: LinearOperatorLowerTriangular) -> LinearOperator:
    return _triangle(b.to_dense() / a.diag[..., None], a, b)
