"""A linear operator beside which stands an update of low rank."""

from __future__ import annotations

from typing import Any

from retrograd.graph import log
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn.linear_operators import broadcasting
from retrograd.nn.linear_operators.kinds import (
    LinearOperatorDiag,
    LinearOperatorIdentity,
)
from retrograd.nn.linear_operators.operator import (
    LinearOperator,
)
from retrograd.ops import (
    arrays,
    casts,
    diagonals,
    exponentials,
    joining,
    matrices,
    reductions,
    repeating,
    rounding,
    solving,
)


class LinearOperatorLowRankUpdate(LinearOperator):
    """``L + U D V^H``, solved by Woodbury's formula: ``C = D^-1 + V^H L^-1 U`` is small."""

    def __init__(
        self,
        base_operator: LinearOperator,
        u: Any,
        diag_update: Any = None,
        v: Any = None,
        is_diag_update_positive: bool | None = None,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorLowRankUpdate",
    ) -> None:
        dtype = base_operator.dtype
        if diag_update is not None:
            if is_diag_update_positive and dtype.is_complex:
                log.warn(
                    "Note: setting is_diag_update_positive with a complex dtype means that diagonal is real and "
                    "positive."
                )
        elif is_diag_update_positive is False:
            raise ValueError(
                "Default diagonal is the identity, which is positive.  However, user set 'is_diag_update_positive' "
                "to False."
            )
        else:
            is_diag_update_positive = True
        symmetric = base_operator.is_self_adjoint and v is None
        self._use_cholesky = base_operator.is_positive_definite and symmetric and is_diag_update_positive
        if symmetric and not dtype.is_complex:
            if is_self_adjoint is False:
                raise ValueError(
                    "A = L + UDU^H, with L self-adjoint and D real diagonal.  Since UDU^H is self-adjoint, this must "
                    "be a self-adjoint operator."
                )
            is_self_adjoint = True
        if self._use_cholesky:
            if False in (is_positive_definite, is_self_adjoint, is_non_singular):
                raise ValueError("Arguments imply this is self-adjoint positive-definite operator.")
            is_positive_definite = is_self_adjoint = True
        with name_scope(name, values=[*base_operator.graph_parents, u, diag_update, v]):
            self._u = broadcasting.held(u, name="u")
            self._v = self._u if v is None else broadcasting.held(v, name="v")
            self._diag_update = None if diag_update is None else broadcasting.held(diag_update, name="diag_update")
            self._base_operator = base_operator
            parents = [*base_operator.graph_parents, self._u, self._diag_update, self._v]
            super().__init__(
                dtype, [p for p in parents if p is not None], is_non_singular, is_self_adjoint, is_positive_definite,
                is_square, name,
            )  # fmt: skip
            self._diag_operator: LinearOperator
            if self._diag_update is not None:
                self._diag_operator = LinearOperatorDiag(
                    self._diag_update, is_positive_definite=is_diag_update_positive
                )
            else:
                size = self._u.shape[-1].value
                rank = arrays.shape(self._u)[-1] if size is None else size
                self._diag_operator = LinearOperatorIdentity(num_rows=rank, dtype=self.dtype)
            self._is_diag_update_positive = is_diag_update_positive
            self._check_shapes()

    def _check_shapes(self) -> None:
        uv = repeating.broadcast_static_shape(self.u.shape, self.v.shape)
        batch = repeating.broadcast_static_shape(self.base_operator.batch_shape, uv[:-2])
        self.base_operator.domain_dimension.assert_is_compatible_with(uv[-2])
        if self._diag_update is not None:
            uv[-1].assert_is_compatible_with(self._diag_update.shape[-1])
            repeating.broadcast_static_shape(batch, self._diag_update.shape[:-1])

    @property
    def u(self) -> Tensor:
        return self._u

    @property
    def v(self) -> Tensor:
        return self._v

    @property
    def is_diag_update_positive(self) -> bool | None:
        return self._is_diag_update_positive

    @property
    def diag_update(self) -> Tensor | None:
        """The diagonal of D."""
        return self._diag_update

    @property
    def diag_operator(self) -> LinearOperator:
        """D."""
        return self._diag_operator

    @property
    def base_operator(self) -> LinearOperator:
        """L."""
        return self._base_operator

    def _shape(self) -> TensorShape:
        batch = repeating.broadcast_static_shape(self.base_operator.batch_shape, self.u.shape[:-2])
        return batch.concatenate(self.base_operator.shape[-2:])

    def _shape_tensor(self) -> Any:
        batch = repeating.broadcast_dynamic_shape(self.base_operator.batch_shape_tensor(), arrays.shape(self.u)[:-2])
        return joining.concat([batch, self.base_operator.shape_tensor()[-2:]], axis=0)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        u, v = (self.v, self.u) if adjoint else (self.u, self.v)
        leading = self.base_operator.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        vh_x = matrices.matmul(v, x, adjoint_a=True, adjoint_b=adjoint_arg)
        return leading + matrices.matmul(u, self.diag_operator.matmul(vh_x, adjoint=adjoint))

    def _determinant(self) -> Any:
        if self.is_positive_definite:
            return exponentials.exp(self.log_abs_determinant())
        of_c = solving.matrix_determinant(self._capacitance())
        of_d = self.diag_operator.determinant()
        return of_c * of_d * self.base_operator.determinant()

    def _log_abs_determinant(self) -> Any:
        of_d = self.diag_operator.log_abs_determinant()
        of_l = self.base_operator.log_abs_determinant()
        if self._use_cholesky:
            diagonal = diagonals.matrix_diag_part(solving.cholesky(self._capacitance()))
            of_c = 2 * reductions.reduce_sum(exponentials.log(diagonal), axis=[-1])
        else:
            of_c = exponentials.log(rounding.abs_(solving.matrix_determinant(self._capacitance())))
            if self.dtype.is_complex:
                of_c = casts.cast(of_c, dtype=self.dtype)
        return of_c + of_d + of_l

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        """``L^-1 b - L^-1 U C^-1 V^H L^-1 b``."""
        if self.base_operator.is_non_singular is False:
            raise ValueError("Solve not implemented unless this is a perturbation of a non-singular LinearOperator.")
        u, v = (self.v, self.u) if adjoint else (self.u, self.v)
        linv_rhs = self.base_operator.solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        vh_linv_rhs = matrices.matmul(v, linv_rhs, adjoint_a=True)
        if self._use_cholesky:
            solved = broadcasting.cholesky_solve_with_broadcast(solving.cholesky(self._capacitance()), vh_linv_rhs)
        else:
            solved = broadcasting.matrix_solve_with_broadcast(self._capacitance(), vh_linv_rhs, adjoint=adjoint)
        return linv_rhs - self.base_operator.solve(matrices.matmul(u, solved), adjoint=adjoint)

    def _capacitance(self) -> Any:
        linv_u = self.base_operator.solve(self.u)
        vh_linv_u = matrices.matmul(self.v, linv_u, adjoint_a=True)
        return self._diag_operator.inverse().add_to_tensor(vh_linv_u)
