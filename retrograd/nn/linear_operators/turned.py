"""The adjoint and the inverse of a linear operator."""

from __future__ import annotations

from typing import Any

from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.nn.linear_operators.hints import hints_beside
from retrograd.nn.linear_operators.operator import (
    LinearOperator,
)
from retrograd.ops import (
    conjugates,
    joining,
    solving,
)


class OfAnother(LinearOperator):
    """What is made of one other operator, and has all properties that this one has."""

    def __init__(
        self, operator: LinearOperator, what: str, suffix: str, name: str | None, **given: bool | None
    ) -> None:
        """``what`` says what of the operator this is, ``given`` what is known of it."""
        self._operator = operator
        hints = hints_beside(operator, what, given)
        name = operator.name + suffix if name is None else name
        with name_scope(name, values=operator.graph_parents):
            super().__init__(operator.dtype, operator.graph_parents, **hints, name=name)

    @property
    def operator(self) -> LinearOperator:
        return self._operator

    def _assert_non_singular(self) -> Any:
        return self.operator.assert_non_singular()

    def _assert_positive_definite(self) -> Any:
        return self.operator.assert_positive_definite()

    def _assert_self_adjoint(self) -> Any:
        return self.operator.assert_self_adjoint()


class LinearOperatorAdjoint(OfAnother):
    """``A^H`` of another operator."""

    def __init__(
        self,
        operator: LinearOperator,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__(
            operator, "adjoint", "_adjoint", name, is_square=is_square, is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint, is_positive_definite=is_positive_definite,
        )  # fmt: skip

    def _shape(self) -> TensorShape:
        shape = self.operator.shape
        return shape[:-2].concatenate([shape[-1], shape[-2]])

    def _shape_tensor(self) -> Any:
        shape = self.operator.shape_tensor()
        return joining.concat([shape[:-2], [shape[-1], shape[-2]]], axis=-1)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self.operator.matmul(x, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _matvec(self, x: Any, adjoint: bool = False) -> Any:
        return self.operator.matvec(x, adjoint=not adjoint)

    def _determinant(self) -> Any:
        determinant = self.operator.determinant()
        return determinant if self.is_self_adjoint else conjugates.conj(determinant)

    def _log_abs_determinant(self) -> Any:
        return self.operator.log_abs_determinant()

    def _trace(self) -> Any:
        trace = self.operator.trace()
        return trace if self.is_self_adjoint else conjugates.conj(trace)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self.operator.solve(rhs, adjoint=not adjoint, adjoint_arg=adjoint_arg)

    def _solvevec(self, rhs: Any, adjoint: bool = False) -> Any:
        return self.operator.solvevec(rhs, adjoint=not adjoint)

    def _to_dense(self) -> Any:
        dense = self.operator.to_dense()
        return dense if self.is_self_adjoint else solving.adjoint(dense)


class LinearOperatorInversion(OfAnother):
    """``A^-1`` of another operator: its product solves."""

    def __init__(
        self,
        operator: LinearOperator,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        for hint, value in (("is_non_singular", is_non_singular), ("is_square", is_square)):
            if getattr(operator, hint) is False or value is False:
                raise ValueError(
                    f"operator and supplied hints must have `{hint}` equal to `True` or `None`.  "
                    f"Found {getattr(operator, hint)}, {value}"
                )
        super().__init__(
            operator, "inverse", "_inv", name, is_square=is_square, is_non_singular=is_non_singular,
            is_self_adjoint=is_self_adjoint, is_positive_definite=is_positive_definite,
        )  # fmt: skip

    def _shape(self) -> TensorShape:
        return self.operator.shape

    def _shape_tensor(self) -> Any:
        return self.operator.shape_tensor()

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self.operator.solve(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _determinant(self) -> Any:
        return 1.0 / self.operator.determinant()

    def _log_abs_determinant(self) -> Any:
        return -1.0 * self.operator.log_abs_determinant()

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self.operator.matmul(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
