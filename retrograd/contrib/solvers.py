"""Linear systems by conjugate gradients, with the operator as functions: ``tf.contrib.solvers``.

Source: Hestenes, Stiefel, 1952.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from retrograd.flow.loops import while_loop
from retrograd.graph import dtypes
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import activations, arrays, comparison, conjugates, constants, matrices, norms, powers, reductions


class LinearOperator(NamedTuple):
    """A matrix that is known by what it makes of vectors."""

    shape: Any
    dtype: Any
    apply: Callable[[Any], Any]
    apply_adjoint: Callable[[Any], Any]


def _shape(matrix: Any) -> Any:
    return matrix.shape.as_list() if matrix.shape.is_fully_defined() else arrays.shape(matrix)


def create_operator(matrix: Any) -> LinearOperator:
    """The operator of a matrix."""
    return LinearOperator(
        _shape(matrix), matrix.dtype,
        lambda v: matrices.matmul(matrix, v, adjoint_a=False), lambda v: matrices.matmul(matrix, v, adjoint_a=True),
    )  # fmt: skip


def identity_operator(matrix: Any) -> LinearOperator:
    """The identity of a matrix's shape."""
    return LinearOperator(_shape(matrix), matrix.dtype, lambda v: v, lambda v: v)


def dot(x: Any, y: Any) -> Tensor:
    """``sum(conj(x) * y)``."""
    return reductions.reduce_sum(conjugates.conj(x) * y)


def l2norm_squared(v: Any) -> Any:
    """``sum(v ** 2)``."""
    return constants.constant(2, dtype=v.dtype.base_dtype) * activations.l2_loss(v)


def l2norm(v: Any) -> Tensor:
    """``sqrt(sum(v ** 2))``."""
    return powers.sqrt(l2norm_squared(v))


def l2normalize(v: Any) -> tuple[Any, Tensor]:
    """``v`` at length 1, and its length."""
    norm = l2norm(v)
    return v / norm, norm


class CGState(NamedTuple):
    """Where the iteration is: steps, solution, residual, direction, and the residual's square."""

    i: Any
    x: Any
    r: Any
    p: Any
    gamma: Any


class CGLSState(NamedTuple):
    """The same for least squares."""

    i: Any
    x: Any
    r: Any
    p: Any
    gamma: Any


def conjugate_gradient(
    operator: Any,
    rhs: Any,
    preconditioner: Any = None,
    x: Any = None,
    tol: Any = 1e-4,
    max_iter: int = 20,
    name: str = "conjugate_gradient",
) -> CGState:
    """``x`` with ``A x = rhs``, for a symmetric positive definite operator.

    Args:
      preconditioner: an operator near the inverse of A.
      x: where to begin; by default 0.
      tol: the residual to reach, relative to the first.
    """

    def going_on(i: Any, state: CGState) -> Any:
        return comparison.logical_and(i < max_iter, norms.norm(state.r) > tol)

    def step(i: Any, state: CGState) -> tuple[Any, CGState]:
        z = operator.apply(state.p)
        alpha = state.gamma / dot(state.p, z)
        x = state.x + alpha * state.p
        r = state.r - alpha * z
        q = r if preconditioner is None else preconditioner.apply(r)
        gamma = dot(r, q)
        beta = gamma / state.gamma
        p = q + beta * state.p
        return i + 1, CGState(i + 1, x, r, p, gamma)

    with name_scope(name):
        n = operator.shape[1:]
        rhs = arrays.expand_dims(rhs, -1)
        if x is None:
            x = arrays.expand_dims(constants.zeros(n, dtype=rhs.dtype.base_dtype), -1)
            r = rhs
        else:
            x = arrays.expand_dims(x, -1)
            r = rhs - operator.apply(x)
        p = r if preconditioner is None else preconditioner.apply(r)
        gamma = dot(r, p)
        tol *= norms.norm(r)
        i = constants.constant(0, dtype=dtypes.int32)
        _, state = while_loop(going_on, step, [i, CGState(i, x, r, p, gamma)])
        return CGState(state.i, arrays.squeeze(state.x), arrays.squeeze(state.r), arrays.squeeze(state.p), state.gamma)


def cgls(operator: Any, rhs: Any, tol: Any = 1e-6, max_iter: int = 20, name: str = "cgls") -> CGLSState:
    """``x`` for which ``|A x - rhs|`` is least.

    Args:
      tol: ``|A^T r|`` to reach, relative to the first.
    """

    def going_on(i: Any, state: CGLSState) -> Any:
        return comparison.logical_and(i < max_iter, state.gamma > tol)

    def step(i: Any, state: CGLSState) -> tuple[Any, CGLSState]:
        q = operator.apply(state.p)
        alpha = state.gamma / l2norm_squared(q)
        x = state.x + alpha * state.p
        r = state.r - alpha * q
        s = operator.apply_adjoint(r)
        gamma = l2norm_squared(s)
        beta = gamma / state.gamma
        p = s + beta * state.p
        return i + 1, CGLSState(i + 1, x, r, p, gamma)

    with name_scope(name):
        n = operator.shape[1:]
        rhs = arrays.expand_dims(rhs, -1)
        s = operator.apply_adjoint(rhs)
        gamma = l2norm_squared(s)
        tol = tol * tol * gamma
        x = arrays.expand_dims(constants.zeros(n, dtype=rhs.dtype.base_dtype), -1)
        i = constants.constant(0, dtype=dtypes.int32)
        _, state = while_loop(going_on, step, [i, CGLSState(i, x, rhs, s, gamma)])
        return CGLSState(
            state.i, arrays.squeeze(state.x), arrays.squeeze(state.r), arrays.squeeze(state.p), state.gamma
        )
