"""Linear operators that are made of others, and the rules that make them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

from retrograd.graph import log
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn.linear_operators import broadcasting
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
from retrograd.ops import (
    arrays,
    casts,
    checks,
    conjugates,
    constants,
    control,
    diagonals,
    exponentials,
    joining,
    matrices,
    powers,
    reductions,
    repeating,
    rounding,
    solving,
)

_HINTS = {
    "is_square": "square",
    "is_non_singular": "non-singular",
    "is_self_adjoint": "self-adjoint",
    "is_positive_definite": "positive-definite",
}


def _hints_beside(operator: LinearOperator, what: str, given: dict[str, bool | None]) -> dict[str, bool | None]:
    """The hints of an operator that has all properties of another one."""
    return {
        hint: broadcasting.use_operator_or_provided_hint_unless_contradicting(
            operator, hint, given[hint], f"An operator is {word} if and only if its {what} is {word}."
        )
        for hint, word in _HINTS.items()
    }


class LinearOperatorAdjoint(LinearOperator):
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
        self._operator = operator
        given = {
            "is_square": is_square, "is_non_singular": is_non_singular, "is_self_adjoint": is_self_adjoint,
            "is_positive_definite": is_positive_definite,
        }  # fmt: skip
        hints = _hints_beside(operator, "adjoint", given)
        name = operator.name + "_adjoint" if name is None else name
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


class LinearOperatorInversion(LinearOperator):
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
        self._operator = operator
        for hint, value in (("is_non_singular", is_non_singular), ("is_square", is_square)):
            if getattr(operator, hint) is False or value is False:
                raise ValueError(
                    f"operator and supplied hints must have `{hint}` equal to `True` or `None`.  "
                    f"Found {getattr(operator, hint)}, {value}"
                )
        given = {
            "is_square": is_square, "is_non_singular": is_non_singular, "is_self_adjoint": is_self_adjoint,
            "is_positive_definite": is_positive_definite,
        }  # fmt: skip
        hints = _hints_beside(operator, "inverse", given)
        name = operator.name + "_inv" if name is None else name
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


class _OfSeveral(LinearOperator):
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


class LinearOperatorComposition(_OfSeveral):
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


class LinearOperatorBlockDiag(_OfSeveral):
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


# -- rules -------------------------------------------------------------------------------------


def _hints_of(operator: LinearOperator) -> dict[str, Any]:
    return {hint: getattr(operator, hint) for hint in _HINTS}


def _scaled(operator: Any, multiplier: Any, **hints: Any) -> LinearOperatorScaledIdentity:
    return LinearOperatorScaledIdentity(operator._num_rows, multiplier, **(_hints_of(operator) | hints))


@RegisterAdjoint(LinearOperator)
def _adjoint(a: LinearOperator) -> LinearOperator:
    return LinearOperatorAdjoint(a, **_hints_of(a))


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
    return LinearOperatorDiag(conjugates.conj(a.diag) if a.diag.dtype.is_complex else a.diag, **_hints_of(a))


@RegisterAdjoint(LinearOperatorBlockDiag)
def _adjoint_of_blocks(a: LinearOperatorBlockDiag) -> LinearOperator:
    return LinearOperatorBlockDiag([operator.adjoint() for operator in a.operators], **_hints_of(a))


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
    return LinearOperatorInversion(a, **_hints_of(a))


@RegisterInverse(LinearOperatorInversion)
def _inverse_of_inverse(a: LinearOperatorInversion) -> LinearOperator:
    return a.operator


@RegisterInverse(LinearOperatorDiag)
def _inverse_of_diag(a: LinearOperatorDiag) -> LinearOperator:
    return LinearOperatorDiag(1.0 / a.diag, **_hints_of(a))


@RegisterInverse(LinearOperatorIdentity)
def _inverse_of_identity(a: LinearOperator) -> LinearOperator:
    return a


@RegisterInverse(LinearOperatorScaledIdentity)
def _inverse_of_scaled(a: LinearOperatorScaledIdentity) -> LinearOperator:
    return _scaled(a, 1.0 / a.multiplier, is_self_adjoint=True)


@RegisterInverse(LinearOperatorBlockDiag)
def _inverse_of_blocks(a: LinearOperatorBlockDiag) -> LinearOperator:
    return LinearOperatorBlockDiag([operator.inverse() for operator in a.operators], **_hints_of(a))


def _both(hint: str, a: LinearOperator, b: LinearOperator) -> bool | None:
    """What is known of the product of two that commute."""
    values = (getattr(a, hint), getattr(b, hint))
    if values == (True, True):
        return True
    return False if set(values) == {True, False} else None


def _non_singular(a: LinearOperator, b: LinearOperator) -> bool | None:
    if a.is_non_singular is False or b.is_non_singular is False:
        return False
    return a.is_non_singular and b.is_non_singular


def _positive(a: LinearOperator, b: LinearOperator) -> bool | None:
    hints = (a.is_positive_definite, a.is_self_adjoint, b.is_positive_definite, b.is_self_adjoint)
    return True if all(hint is True for hint in hints) else None


def _diagonal(diag: Any, a: LinearOperator, b: LinearOperator) -> LinearOperatorDiag:
    return LinearOperatorDiag(diag, _non_singular(a, b), _both("is_self_adjoint", a, b), _positive(a, b), True)


def _triangle(tril: Any, diag: LinearOperator, triangle: LinearOperator) -> LinearOperatorLowerTriangular:
    return LinearOperatorLowerTriangular(
        tril, _non_singular(diag, triangle), _both("is_self_adjoint", diag, triangle), None, True
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
        return LinearOperatorComposition([left, b], _non_singular(a, b), None, None, square)
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
