"""Bidiagonal form of a matrix by Lanczos's method: ``tf.contrib.solvers.lanczos``.

Source: Golub, Kahan, 1965; orthogonal again as in Parlett, The Symmetric Eigenvalue Problem, 1980.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from retrograd.contrib.solvers import l2norm, l2normalize
from retrograd.flow.loops import while_loop
from retrograd.flow.tensor_array import TensorArray
from retrograd.graph import dtypes
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, constants, joining, matrices, permuting, random
from retrograd.ops.conditions import cond


class LanczosBidiagState(NamedTuple):
    """Left and right vectors, and the diagonal and subdiagonal of what stands between them."""

    u: Any
    v: Any
    alpha: Any
    beta: Any


def _column(rows: TensorArray, i: Any) -> Tensor:
    return arrays.expand_dims(rows.read(i), -1)


def _with_column(rows: TensorArray, column: Any, i: Any) -> TensorArray:
    return rows.write(i, arrays.squeeze(column))


def _orthogonal_once(i: Any, basis: TensorArray, v: Any) -> tuple[Tensor, Tensor]:
    """``v`` less its parts along the first i vectors of ``basis``, at length 1; and its length (Gram, Schmidt)."""

    def step(j: Any, basis: TensorArray, v: Any) -> tuple[Any, TensorArray, Any]:
        shape, b = v.shape, _column(basis, j)
        v = v - matrices.matmul(b, v, adjoint_a=True) * b
        v.set_shape(shape)
        return j + 1, basis, v

    first = constants.constant(0, dtype=dtypes.int32)
    _, _, v = while_loop(lambda j, basis, v: j < i, step, [first, basis, v])
    return l2normalize(v)


def _orthogonal(i: Any, basis: TensorArray, v: Any) -> Any:
    """``_orthogonal_once``, another time if most of ``v`` was along the basis."""
    before = l2norm(v)
    once, after = _orthogonal_once(i, basis, v)
    return cond(after < 0.7071 * before, lambda: _orthogonal_once(i, basis, v), lambda: (once, after))


def lanczos_bidiag(
    operator: Any, k: int, orthogonalize: bool = True, starting_vector: Any = None, name: str = "lanczos_bidiag"
) -> LanczosBidiagState:
    """``k`` steps of bidiagonalization: ``A V = U B`` and ``A' U[:, :-1] = V B[:-1, :]'``.

    Args:
      operator: a matrix as ``create_operator`` gives it.
      orthogonalize: keep the vectors orthogonal although numbers are rounded.
      starting_vector: the first column of U; random if there is none.
    """

    def array(size: int, name: str) -> TensorArray:
        return TensorArray(operator.dtype, size=size, tensor_array_name=name, clear_after_read=False)

    def step(i: Any, known: LanczosBidiagState) -> tuple[Any, LanczosBidiagState]:
        u = _column(known.u, i)
        r = operator.apply_adjoint(u)
        shape = r.shape
        r = cond(i > 0, lambda: r - known.beta.read(i - 1) * _column(known.v, i - 1), lambda: r)
        r.set_shape(shape)
        v, alpha = _orthogonal(i - 1, known.v, r) if orthogonalize else l2normalize(r)
        p = operator.apply(v) - alpha * u
        u, beta = _orthogonal(i, known.u, p) if orthogonalize else l2normalize(p)
        return i + 1, LanczosBidiagState(
            _with_column(known.u, u, i + 1), _with_column(known.v, v, i),
            known.alpha.write(i, alpha), known.beta.write(i, beta),
        )  # fmt: skip

    with name_scope(name):
        if starting_vector is None:
            starting_vector = random.random_uniform(operator.shape[:1], -1, 1, dtype=operator.dtype)
        first, _ = l2normalize(starting_vector)
        start = LanczosBidiagState(
            _with_column(array(k + 1, "u"), first, 0), array(k, "v"), array(k, "alpha"), array(k, "beta")
        )
        zero = constants.constant(0, dtype=dtypes.int32)
        _, found = while_loop(lambda i, _: i < k, step, [zero, start])
        return LanczosBidiagState(
            permuting.matrix_transpose(found.u.stack()), permuting.matrix_transpose(found.v.stack()),
            found.alpha.stack(), found.beta.stack(),
        )  # fmt: skip


def bidiag_matmul(matrix: Any, alpha: Any, beta: Any, adjoint_b: bool = False, name: str = "bidiag_matmul") -> Tensor:
    """``matrix @ B`` for B with diagonal ``alpha`` over subdiagonal ``beta``, or with ``B[:-1]`` transposed."""
    with name_scope(name):
        alpha = arrays.expand_dims(alpha, 0)
        if not adjoint_b:
            beta = arrays.expand_dims(beta, 0)
            return matrix[:, :-1] * alpha + matrix[:, 1:] * beta
        beta = arrays.expand_dims(beta[:-1], 0)
        zeros = arrays.expand_dims(constants.zeros(arrays.shape(matrix)[:1], dtype=matrix.dtype), 1)
        return matrix * alpha + joining.concat([zeros, matrix[:, :-1] * beta], 1)
