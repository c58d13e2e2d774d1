"""Linear operators that are made of several: products, and blocks on a diagonal."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.nn.linear_operators import broadcasting
from retrograd.nn.linear_operators.operator import (
    LinearOperator,
)
from retrograd.ops import (
    arrays,
    checks,
    constants,
    control,
    joining,
    repeating,
)


class OfSeveral(LinearOperator):
    """What compositions and blocks share."""

    _operators: list[LinearOperator]

    @property
    def operators(self) -> list[LinearOperator]:
        return self._operators

    def _take(self, operators: Sequence[LinearOperator], joint: str, name: str | None) -> tuple[list[Any], str]:
        """Keep the operators; the tensors that they are made of, and a name."""
        checks.assert_proper_iterable(operators)
        self._operators = list(operators)
        if not self._operators:
            raise ValueError(f"Expected a non-empty list of operators. Found: {self._operators}")
        dtype = self._operators[0].dtype
        if any(operator.dtype != dtype for operator in self._operators):
            kinds = "   ".join(str((o.name, o.dtype)) for o in self._operators)
            raise TypeError(f"Expected all operators to have the same dtype.  Found {kinds}")
        parents = [t for operator in self._operators for t in operator.graph_parents]
        return parents, joint.join(o.name for o in self._operators) if name is None else name

    def _all_are(self, hint: str, given: bool | None, refusal: str) -> bool | None:
        if all(getattr(operator, hint) for operator in self._operators):
            if given is False:
                raise ValueError(refusal)
            return True
        return given

    def _static_batch(self) -> TensorShape:
        return reduce(repeating.broadcast_static_shape, (o.batch_shape for o in self.operators))

    def _batch(self) -> Any:
        zeros = constants.zeros(self.operators[0].batch_shape_tensor())
        for operator in self.operators[1:]:
            zeros += constants.zeros(operator.batch_shape_tensor())
        return arrays.shape(zeros)

    def _product(self, of: Callable[[LinearOperator], Any]) -> Any:
        result = of(self.operators[0])
        for operator in self.operators[1:]:
            result *= of(operator)
        return result

    def _sum(self, of: Callable[[LinearOperator], Any]) -> Any:
        result = of(self.operators[0])
        for operator in self.operators[1:]:
            result += of(operator)
        return result

    def _determinant(self) -> Any:
        return self._product(lambda operator: operator.determinant())

    def _log_abs_determinant(self) -> Any:
        return self._sum(lambda operator: operator.log_abs_determinant())


class LinearOperatorComposition(OfSeveral):
    """The product ``A_1 A_2 ...``."""

    def __init__(
        self,
        operators: Sequence[LinearOperator],
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        parents, name = self._take(operators, "_o_", name)
        refusal = "The composition of non-singular operators is always non-singular."
        is_non_singular = self._all_are("is_non_singular", is_non_singular, refusal)
        with name_scope(name, values=parents):
            super().__init__(
                self._operators[0].dtype, parents, is_non_singular, is_self_adjoint, is_positive_definite, is_square,
                name,
            )  # fmt: skip

    def _shape(self) -> TensorShape:
        for left, right in zip(self.operators, self.operators[1:], strict=False):
            left.domain_dimension.assert_is_compatible_with(right.range_dimension)
        ends = [self.operators[0].range_dimension, self.operators[-1].domain_dimension]
        return self._static_batch().concatenate(TensorShape(ends))

    def _shape_tensor(self) -> Any:
        first, last = self.operators[0], self.operators[-1]
        matrix = joining.stack([first.range_dimension_tensor(), last.domain_dimension_tensor()])
        return joining.concat((self._batch(), matrix), 0)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        first, *rest = self.operators if adjoint else self.operators[::-1]
        result = first.matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for operator in rest:
            result = operator.matmul(result, adjoint=adjoint)
        return result

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        first, *rest = self.operators[::-1] if adjoint else self.operators
        solution = first.solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)
        for operator in rest:
            solution = operator.solve(solution, adjoint=adjoint)
        return solution


class LinearOperatorBlockDiag(OfSeveral):
    """Square operators as blocks along the diagonal."""

    def __init__(
        self,
        operators: Sequence[LinearOperator],
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool = True,
        name: str | None = None,
    ) -> None:
        parents, name = self._take(operators, "_ds_", name)
        sums = "The direct sum of {0} operators is always {0}."
        is_non_singular = self._all_are("is_non_singular", is_non_singular, sums.format("non-singular"))
        is_self_adjoint = self._all_are("is_self_adjoint", is_self_adjoint, sums.format("self-adjoint"))
        is_positive_definite = self._all_are(
            "is_positive_definite", is_positive_definite, sums.format("positive definite")
        )
        if not (is_square and all(operator.is_square for operator in self._operators)):
            raise ValueError("Can only represent a block diagonal of square matrices.")
        with name_scope(name, values=parents):
            super().__init__(
                self._operators[0].dtype, parents, is_non_singular, is_self_adjoint, is_positive_definite, True, name
            )

    def _shape(self) -> TensorShape:
        columns = self._sum(lambda operator: operator.domain_dimension)
        rows = self._sum(lambda operator: operator.range_dimension)
        return self._static_batch().concatenate(TensorShape([columns, rows]))

    def _shape_tensor(self) -> Any:
        first = self.operators[0]
        columns, rows = first.domain_dimension_tensor(), first.range_dimension_tensor()
        for operator in self.operators[1:]:
            columns += operator.domain_dimension_tensor()
            rows += operator.range_dimension_tensor()
        matrix = joining.stack([columns, rows])
        return joining.concat((self._batch(), matrix), 0)

    def _blocks(self, x: Any, axis: int) -> list[Any]:
        if self.shape.is_fully_defined():
            sizes = [operator.domain_dimension.value for operator in self.operators]
        else:
            sizes = [operator.domain_dimension_tensor() for operator in self.operators]
        return joining.split(x, sizes, axis=axis)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        blocks = self._blocks(x, -1 if adjoint_arg else -2)
        products = [
            operator.matmul(block, adjoint=adjoint, adjoint_arg=adjoint_arg)
            for operator, block in zip(self.operators, blocks, strict=True)
        ]
        return joining.concat(broadcasting.broadcast_matrix_batch_dims(products), axis=-2)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        blocks = self._blocks(rhs, -1 if adjoint_arg else -2)
        solutions = [
            operator.solve(block, adjoint=adjoint, adjoint_arg=adjoint_arg)
            for operator, block in zip(self.operators, blocks, strict=True)
        ]
        return joining.concat(broadcasting.broadcast_matrix_batch_dims(solutions), axis=-2)

    def _diag_part(self) -> Any:
        parts = [operator.diag_part()[..., None] for operator in self.operators]
        return arrays.squeeze(joining.concat(broadcasting.broadcast_matrix_batch_dims(parts), axis=-2), axis=-1)

    def _trace(self) -> Any:
        return self._sum(lambda operator: operator.trace())

    def _to_dense(self) -> Any:
        columns: Any = 0
        rows = []
        blocks = [operator.to_dense() for operator in self.operators]
        for block in broadcasting.broadcast_matrix_batch_dims(blocks):
            height = arrays.shape(block)[:-1]
            before = constants.zeros(joining.concat([height, [columns]], axis=-1), dtype=block.dtype)
            columns += arrays.shape(block)[-1]
            after = joining.concat([height, [self.domain_dimension_tensor() - columns]], axis=-1)
            rows.append(joining.concat([before, block, constants.zeros(after, dtype=block.dtype)], axis=-1))
        dense = joining.concat(rows, axis=-2)
        dense.set_shape(self.shape)
        return dense

    def _assert_non_singular(self) -> Any:
        return control.group([operator.assert_non_singular() for operator in self.operators])

    def _assert_self_adjoint(self) -> Any:
        return control.group([operator.assert_self_adjoint() for operator in self.operators])

    def _assert_positive_definite(self) -> Any:
        return control.group([operator.assert_positive_definite() for operator in self.operators])
