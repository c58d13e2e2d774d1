"""Linear operators whose structure is a reflection or a Kronecker product."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from retrograd.graph.errors import InvalidArgumentError
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn.linear_operators import broadcasting
from retrograd.nn.linear_operators.combined import OfSeveral
from retrograd.nn.linear_operators.hints import hints_of
from retrograd.nn.linear_operators.operator import (
    LinearOperator,
    RegisterAdjoint,
    RegisterCholesky,
    RegisterInverse,
)
from retrograd.ops import (
    arrays,
    casts,
    conjugates,
    constants,
    control,
    diagonals,
    joining,
    matrices,
    norms,
    permuting,
    repeating,
    solving,
)


class LinearOperatorHouseholder(LinearOperator):
    """The reflection ``I - 2 v v^H`` at the plane across ``reflection_axis``, ``v`` its unit vector."""

    def __init__(
        self,
        reflection_axis: Any,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str = "LinearOperatorHouseholder",
    ) -> None:
        with name_scope(name, values=[reflection_axis]):
            self._reflection_axis = axis = broadcasting.held(reflection_axis, name="reflection_axis")
            if axis.shape.ndims is not None and axis.shape.ndims < 1:
                raise ValueError(f"Argument reflection_axis must have at least 1 dimension.  Found: {axis}")
            if is_self_adjoint is False:
                raise ValueError("A Householder operator is always self adjoint.")
            if is_positive_definite is True:
                raise ValueError("A Householder operator is always non-positive definite.")
            if is_square is False:
                raise ValueError("A Householder operator is always square.")
            super().__init__(axis.dtype, [axis], is_non_singular, True, False, True, name)

    @property
    def reflection_axis(self) -> Tensor:
        return self._reflection_axis

    def _shape(self) -> TensorShape:
        shape = self._reflection_axis.shape
        return shape.concatenate(shape[-1:])

    def _shape_tensor(self) -> Any:
        shape = arrays.shape(self._reflection_axis)
        k = shape[-1]
        return joining.concat((shape, [k]), 0)

    def _assert_non_singular(self) -> Any:
        return control.no_op("assert_non_singular")

    def _assert_positive_definite(self) -> Any:
        raise InvalidArgumentError(None, None, "Householder operators are always non-positive definite.")

    def _assert_self_adjoint(self) -> Any:
        return control.no_op("assert_self_adjoint")

    def _unit(self) -> Tensor:
        return self.reflection_axis / norms.norm(self.reflection_axis, axis=-1, keepdims=True)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        x = solving.adjoint(x) if adjoint_arg else x
        v = self._unit()[..., None]
        along = matrices.matmul(v, x, adjoint_a=True)
        return x - 2 * v * along

    def _trace(self) -> Any:
        trace = casts.cast(self.domain_dimension_tensor() - 2, self.dtype)
        return trace * constants.ones(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _determinant(self) -> Any:
        return -constants.ones(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _log_abs_determinant(self) -> Any:
        return constants.zeros(shape=self.batch_shape_tensor(), dtype=self.dtype)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        return self._matmul(rhs, adjoint, adjoint_arg)

    def _to_dense(self) -> Any:
        v = self._unit()[..., None]
        matrix = -2 * matrices.matmul(v, v, adjoint_b=True)
        return diagonals.matrix_set_diag(matrix, 1.0 + diagonals.matrix_diag_part(matrix))

    def _diag_part(self) -> Any:
        v = self._unit()
        return 1.0 - 2 * v * conjugates.conj(v)


def _columns_joined(x: Any) -> Any:
    """The columns of matrices, one after the other."""
    columns = permuting.matrix_transpose(x)
    return arrays.reshape(columns, joining.concat([arrays.shape(x)[:-2], [-1]], axis=0))


def _columns_parted(y: Any, count: Any) -> Any:
    """Matrices of ``count`` columns."""
    rows = arrays.reshape(y, joining.concat([arrays.shape(y)[:-1], [count, -1]], axis=0))
    return permuting.matrix_transpose(rows)


def _rotated(x: Any, to_the_right: bool = False) -> Any:
    """``x`` with its last axis first, or its first axis last."""
    rank = arrays.rank(x)
    if to_the_right:
        order = joining.concat([[rank - 1], constants.range_(0, rank - 1)], axis=0)
    else:
        order = joining.concat([constants.range_(1, rank), [0]], axis=0)
    return permuting.transpose(x, order)


class LinearOperatorKronecker(OfSeveral):
    """``A x B x ...``: the blocks ``a[i, j] B``, multiplied without making them."""

    def __init__(
        self,
        operators: Sequence[LinearOperator],
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        if not list(operators):
            raise ValueError(f"Expected a list of >=1 operators. Found: {list(operators)}")
        parents, name = self._take(operators, "_x_", name)
        products = "The Kronecker product of {0} operators is always {0}."
        is_non_singular = self._all_are("is_non_singular", is_non_singular, products.format("non-singular"))
        is_self_adjoint = self._all_are("is_self_adjoint", is_self_adjoint, products.format("self-adjoint"))
        is_positive_definite = self._all_are(
            "is_positive_definite", is_positive_definite, products.format("positive-definite")
        )
        with name_scope(name, values=parents):
            super().__init__(
                self._operators[0].dtype, parents, is_non_singular, is_self_adjoint, is_positive_definite, is_square,
                name,
            )  # fmt: skip

    def _shape(self) -> TensorShape:
        columns = self._product(lambda operator: operator.domain_dimension)
        rows = self._product(lambda operator: operator.range_dimension)
        return self._static_batch().concatenate(TensorShape([rows, columns]))

    def _shape_tensor(self) -> Any:
        columns = self._product(lambda operator: operator.domain_dimension_tensor())
        rows = self._product(lambda operator: operator.range_dimension_tensor())
        batch = self.operators[0].batch_shape_tensor()
        for operator in self.operators[1:]:
            batch = repeating.broadcast_dynamic_shape(batch, operator.batch_shape_tensor())
        return joining.concat((batch, [rows, columns]), 0)

    def _applied(
        self, x: Any, adjoint: bool, of_matrix: Callable[[LinearOperator, Any], Any],
        of_vector: Callable[[LinearOperator, Any], Any],
    ) -> Any:  # fmt: skip
        """One factor after the other, each along its own part of the rows."""
        ones = joining.concat([constants.ones_like(self.batch_shape_tensor()), [1, 1]], 0)
        x += constants.zeros(ones, dtype=x.dtype.base_dtype)
        output = _rotated(x, to_the_right=True)[None, ...]
        for operator in self.operators[:-1]:
            size = operator.range_dimension_tensor() if adjoint else operator.domain_dimension_tensor()
            output = permuting.matrix_transpose(_columns_parted(output, size))
            output = permuting.matrix_transpose(of_matrix(operator, output))
            output = _rotated(_columns_joined(_rotated(output)), to_the_right=True)
        output = of_vector(self.operators[-1], output)
        output = _rotated(_columns_joined(_rotated(output)))
        if x.shape.is_fully_defined():
            rows = self.domain_dimension if adjoint else self.range_dimension
            batch = repeating.broadcast_static_shape(x.shape[:-2], self.batch_shape)
            output.set_shape(batch.concatenate([rows, x.shape[-1]]))
        return output

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        x = solving.adjoint(x) if adjoint_arg else x
        return self._applied(
            x, adjoint, lambda o, y: o.matmul(y, adjoint=adjoint), lambda o, y: o.matvec(y, adjoint=adjoint)
        )

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        rhs = solving.adjoint(rhs) if adjoint_arg else rhs
        return self._applied(
            rhs, adjoint, lambda o, y: o.solve(y, adjoint=adjoint), lambda o, y: o.solvevec(y, adjoint=adjoint)
        )

    def _determinant(self) -> Any:
        total, determinant = self.domain_dimension_tensor(), 1.0
        for operator in self.operators:
            power = operator.determinant()
            determinant *= power ** casts.cast(total / operator.domain_dimension_tensor(), dtype=operator.dtype)
        return determinant

    def _log_abs_determinant(self) -> Any:
        total, log_det = self.domain_dimension_tensor(), 0.0
        for operator in self.operators:
            own = operator.log_abs_determinant()
            log_det += own * casts.cast(total / operator.domain_dimension_tensor(), dtype=operator.dtype)
        return log_det

    def _trace(self) -> Any:
        trace = 1.0
        for operator in self.operators:
            trace *= operator.trace()
        return trace

    def _diag_part(self) -> Any:
        diagonal = self.operators[0].diag_part()
        for operator in self.operators[1:]:
            diagonal = diagonal[..., :, None]
            diagonal *= operator.diag_part()[..., None, :]
            diagonal = arrays.reshape(diagonal, joining.concat([arrays.shape(diagonal)[:-2], [-1]], axis=0))
        rows, columns = self.range_dimension, self.domain_dimension
        diagonal.set_shape(self.batch_shape.concatenate(TensorShape([columns if rows > columns else rows])))
        return diagonal

    def _to_dense(self) -> Any:
        product = self.operators[0].to_dense()
        for operator in self.operators[1:]:
            product = product[..., :, None, :, None]
            product *= operator.to_dense()[..., None, :, None, :]
            shape = [
                arrays.shape(product)[:-4],
                [
                    arrays.shape(product)[-4] * arrays.shape(product)[-3],
                    arrays.shape(product)[-2] * arrays.shape(product)[-1],
                ],
            ]
            product = arrays.reshape(product, joining.concat(shape, axis=0))
        product.set_shape(self.shape)
        return product

    def _of_squares(self, assertion: Callable[[LinearOperator], Any], purpose: str) -> Any:
        if not all(operator.is_square for operator in self.operators):
            raise InvalidArgumentError(
                None, None, f"All Kronecker factors must be square for the product to be {purpose}."
            )
        return control.group(*[assertion(operator) for operator in self.operators])

    def _assert_non_singular(self) -> Any:
        return self._of_squares(lambda operator: operator.assert_non_singular(), "invertible")

    def _assert_self_adjoint(self) -> Any:
        return self._of_squares(lambda operator: operator.assert_self_adjoint(), "self adjoint")


# -- rules -------------------------------------------------------------------------------------


@RegisterAdjoint(LinearOperatorHouseholder)
@RegisterInverse(LinearOperatorHouseholder)
def _itself(a: LinearOperator) -> LinearOperator:
    return a


@RegisterAdjoint(LinearOperatorKronecker)
def _adjoint_of_product(a: LinearOperatorKronecker) -> LinearOperator:
    factors = [operator.adjoint() for operator in a.operators]
    return LinearOperatorKronecker(factors, **(hints_of(a) | {"is_square": True}))


@RegisterCholesky(LinearOperatorKronecker)
def _cholesky_of_product(a: LinearOperatorKronecker) -> LinearOperator:
    factors = [operator.cholesky() for operator in a.operators]
    return LinearOperatorKronecker(factors, is_non_singular=True, is_self_adjoint=False, is_square=True)


@RegisterInverse(LinearOperatorKronecker)
def _inverse_of_product(a: LinearOperatorKronecker) -> LinearOperator:
    factors = [operator.inverse() for operator in a.operators]
    return LinearOperatorKronecker(factors, **(hints_of(a) | {"is_square": True}))
