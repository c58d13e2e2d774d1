"""Functions of square matrices: roots, logarithms and exponentials."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph.apply import apply
from retrograd.graph.definition import define
from retrograd.graph.dtypes import complex64, complex128
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, blas, constants, grids, joining, permuting, reductions, repeating, slicing
from retrograd.ops.solving import adjoint, check_square, matrix_solve, on_square, square_matrices

# -- roots and logarithms ----------------------------------------------------------------------


@blas.of_matrices
def _eigen_function(xp: Any, x: Any, function: Callable[..., Any]) -> Any:
    """f(x) = v f(e) v^-1, by the eigenvalues; it is smooth in x though v is known up to its scale alone."""
    check_square(x)
    e: Any
    v: Any
    if xp is np:
        e, v = np.linalg.eig(x)
    else:
        from retrograd.ops.jax_start import lax

        e, v = lax.linalg.eig(x, compute_left_eigenvectors=False, enable_eigvec_derivs=True)
    y = (v * function(e)[..., None, :]) @ xp.linalg.inv(v)
    return y.astype(x.dtype) if x.dtype.kind == "c" else xp.real(y).astype(x.dtype)


def _square_root(xp: Any, x: Any) -> Any:
    return _eigen_function(xp, x, lambda e: xp.sqrt(e.astype(np.result_type(x.dtype, np.complex64))))


def _kronecker(a: Tensor, b: Tensor) -> Tensor:
    """The Kronecker product of two batches of square matrices."""
    a_shape, b_shape = arrays.shape(a), arrays.shape(b)
    a_size, b_size = a_shape[-1], b_shape[-1]
    outer = slicing.slice_(a_shape, [0], [arithmetic.subtract(arrays.size(a_shape), 2)])
    a_spread = joining.concat([outer, [a_size], [1], [a_size], [1]], 0)
    b_spread = joining.concat([outer, [1], [b_size], [1], [b_size]], 0)
    a, b = arrays.reshape(a, a_spread), arrays.reshape(b, b_spread)
    size = a_size * b_size
    shape = joining.concat([outer, [size], [size]], 0)
    return arrays.reshape(a * b, shape)


def _square_root_gradient(op: Any, dy: Any) -> list[Any]:
    """dx solves Sylvester's equation y^T dx + dx y^T = dy, written out as one linear system."""
    y = op.outputs[0]
    shape = arrays.shape(y)
    size = shape[-1]
    count = reductions.reduce_prod(shape[0:-2])
    eye = arrays.reshape(grids.eye(size, dtype=y.dtype), [-1])
    eye = arrays.reshape(repeating.tile(eye, [count]), shape)
    first = _kronecker(eye, permuting.matrix_transpose(y))
    second = _kronecker(y, eye)
    system = arithmetic.add(first, second)
    outer = slicing.slice_(shape, [0], [arithmetic.subtract(arrays.size(shape), 2)])
    column = joining.concat([outer, [size * size], [1]], 0)
    flat = arrays.reshape(permuting.matrix_transpose(dy), column)
    return [permuting.matrix_transpose(arrays.reshape(matrix_solve(system, flat), shape))]


MATRIX_SQUARE_ROOT = on_square("MatrixSquareRoot", _square_root, _square_root_gradient)


def matrix_square_root(input: Any, name: str | None = None) -> Tensor:
    """The y with ``y y = x`` for each matrix."""
    return apply(MATRIX_SQUARE_ROOT, input, name=name)


sqrtm = matrix_square_root

MATRIX_LOGARITHM = define(
    "MatrixLogarithm", "input: T", "output: T", types={"T": (complex64, complex128)}, shape=square_matrices,
    kernel=lambda xp, x: _eigen_function(xp, x, xp.log), gradient=None,
)  # fmt: skip


def logm(input: Any, name: str | None = None) -> Tensor:
    """The y with ``exp(y) = x`` for each complex matrix."""
    return apply(MATRIX_LOGARITHM, input, name=name)


matrix_logarithm = logm


# -- exponentials ------------------------------------------------------------------------------

_PADE = (
    64764752532480000.0, 32382376266240000.0, 7771770303897600.0, 1187353796428800.0, 129060195264000.0,
    10559470521600.0, 670442572800.0, 33522128640.0, 1323241920.0, 40840800.0, 960960.0, 16380.0, 182.0, 1.0,
)  # fmt: skip
_PADE_NORM = 5.371920351148152  # up to this 1-norm the approximant of degree 13 is exact in float64


@blas.of_matrices
def _exponential(xp: Any, x: Any) -> Any:
    """exp(x) = exp(x / 2^k)^(2^k), with exp by Pade's approximant (v - u)^-1 (v + u), u odd and v even in x."""
    largest = float(np.max(np.sum(np.abs(x), axis=-2), initial=0))
    halvings = max(0, int(np.ceil(np.log2(largest / _PADE_NORM)))) if np.isfinite(largest) and largest else 0
    wide = np.complex128 if x.dtype.kind == "c" else np.float64
    a = x.astype(wide) / 2.0**halvings
    eye = xp.broadcast_to(xp.eye(a.shape[-1], dtype=wide), a.shape)
    a2 = a @ a
    a4 = a2 @ a2
    a6 = a4 @ a2
    c = _PADE
    odd = a6 @ (c[13] * a6 + c[11] * a4 + c[9] * a2) + c[7] * a6 + c[5] * a4 + c[3] * a2 + c[1] * eye
    even = a6 @ (c[12] * a6 + c[10] * a4 + c[8] * a2) + c[6] * a6 + c[4] * a4 + c[2] * a2 + c[0] * eye
    u = a @ odd
    y = xp.linalg.solve(even - u, even + u)
    for _ in range(halvings):
        y = y @ y
    return y.astype(x.dtype)


def _exponential_gradient(op: Any, dy: Any) -> list[Any]:
    """exp([[x^H, dy], [0, x^H]]) holds dx in its upper right block."""
    x = op.inputs[0]
    flipped = adjoint(x)
    upper = joining.concat([flipped, dy], -1)
    lower = joining.concat([constants.zeros_like(x), flipped], -1)
    y = apply(MATRIX_EXPONENTIAL, joining.concat([upper, lower], -2))
    size = arrays.shape(x)[-1]
    return [y[..., :size, size:]]


MATRIX_EXPONENTIAL = on_square("MatrixExponential", _exponential, _exponential_gradient)


def expm(input: Any, name: str | None = None) -> Tensor:
    """exp(x) of each matrix: the sum of ``x^n / n!``.

    Raises:
      ValueError: the matrices are not square.
    """
    return apply(MATRIX_EXPONENTIAL, input, name=name or "matrix_exponential")


matrix_exponential = expm
