"""What all linear operators share: shapes, products, solutions, determinants; and what combines two of them."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from retrograd.graph import dtypes, log, nest, tensor
from retrograd.graph.convert import as_tensor
from retrograd.graph.dispatch import dispatch_for_types
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import Dimension, TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn.linear_operators import broadcasting
from retrograd.ops import (
    arrays,
    casts,
    checks,
    contraction,
    diagonals,
    exponentials,
    grids,
    matrices,
    reductions,
    solving,
    spectra,
)
from retrograd.state.variables import VariableV2


class LinearOperator:
    """A batch of matrices that need not be written out. Hints say what is known of them; None says nothing.

    A kind defines ``_shape``, ``_shape_tensor`` and ``_matmul``, and what it knows a shorter way for.

    Raises:
      ValueError: the hints contradict each other.
    """

    def __init__(
        self,
        dtype: Any,
        graph_parents: list[Any] | None = None,
        is_non_singular: bool | None = None,
        is_self_adjoint: bool | None = None,
        is_positive_definite: bool | None = None,
        is_square: bool | None = None,
        name: str | None = None,
    ) -> None:
        if is_positive_definite:
            if is_non_singular is False:
                raise ValueError("A positive definite matrix is always non-singular.")
            is_non_singular = True
        if is_non_singular:
            if is_square is False:
                raise ValueError("A non-singular matrix is always square.")
            is_square = True
        if is_self_adjoint:
            if is_square is False:
                raise ValueError("A self-adjoint matrix is always square.")
            is_square = True
        graph_parents = graph_parents or []
        for i, t in enumerate(graph_parents):
            if t is None or not tensor.is_tensor(t):
                raise ValueError(f"Graph parent item {i} is not a Tensor; {t}.")
        self._is_square_set_or_implied_by_hints = is_square
        self._dtype = dtypes.as_dtype(dtype).base_dtype if dtype else dtype
        self._graph_parents = graph_parents
        self._is_non_singular = is_non_singular
        self._is_self_adjoint = is_self_adjoint
        self._is_positive_definite = is_positive_definite
        self._name = name or type(self).__name__

    @contextlib.contextmanager
    def _name_scope(self, name: str | None = None) -> Iterator[str]:
        with name_scope(self.name if name is None else f"{self.name}/{name}") as scope:
            yield scope

    @property
    def dtype(self) -> Any:
        return self._dtype

    @property
    def name(self) -> str:
        return self._name

    @property
    def graph_parents(self) -> list[Any]:
        """The tensors of which it is made."""
        return self._graph_parents

    @property
    def variables(self) -> tuple[Any, ...]:
        """The variables that it holds, by the names of its attributes; those of operators inside come too."""
        held: list[Any] = []
        for _, value in sorted(vars(self).items()):
            for part in nest.flatten(value):
                if isinstance(part, LinearOperator):
                    held += part.variables
                elif isinstance(part, VariableV2):
                    held.append(part)
        return tuple({id(v): v for v in held}.values())

    @property
    def trainable_variables(self) -> tuple[Any, ...]:
        """Those of ``variables`` that are trained."""
        return tuple(v for v in self.variables if v.trainable)

    @property
    def is_non_singular(self) -> bool | None:
        return self._is_non_singular

    @property
    def is_self_adjoint(self) -> bool | None:
        return self._is_self_adjoint

    @property
    def is_positive_definite(self) -> bool | None:
        """Whether ``x^H A x`` has a positive real part for all ``x`` but zero."""
        return self._is_positive_definite

    @property
    def is_square(self) -> bool | None:
        looks_square = self.domain_dimension == self.range_dimension
        if self._is_square_set_or_implied_by_hints is False and looks_square:
            raise ValueError("User set is_square hint to False, but the operator was square.")
        hint = self._is_square_set_or_implied_by_hints
        return looks_square if hint is None else hint

    # -- shapes --------------------------------------------------------------------------------

    def _shape(self) -> TensorShape:
        raise NotImplementedError("_shape is not implemented.")

    @property
    def shape(self) -> TensorShape:
        """``batch_shape + [rows, columns]``, as far as it is known."""
        return self._shape()

    def _shape_tensor(self) -> Any:
        raise NotImplementedError("_shape_tensor is not implemented.")

    def shape_tensor(self, name: str = "shape_tensor") -> Any:
        """The same, when it runs."""
        with self._name_scope(name):
            if self.shape.is_fully_defined():
                return broadcasting.shape_tensor(self.shape.as_list())
            return self._shape_tensor()

    @property
    def batch_shape(self) -> TensorShape:
        return self.shape[:-2]

    def batch_shape_tensor(self, name: str = "batch_shape_tensor") -> Any:
        with self._name_scope(name):
            if self.batch_shape.is_fully_defined():
                return broadcasting.shape_tensor(self.batch_shape.as_list(), name="batch_shape")
            return self.shape_tensor()[:-2]

    @property
    def tensor_rank(self) -> int | None:
        with self._name_scope("tensor_rank"):
            return self.shape.ndims

    def tensor_rank_tensor(self, name: str = "tensor_rank_tensor") -> Any:
        with self._name_scope(name):
            rank = self.tensor_rank
            return as_tensor(rank) if rank is not None else arrays.size(self.shape_tensor())

    @property
    def domain_dimension(self) -> Dimension:
        """The number of columns."""
        return Dimension(None) if self.shape.ndims is None else self.shape[-1]

    def domain_dimension_tensor(self, name: str = "domain_dimension_tensor") -> Any:
        with self._name_scope(name):
            size = self.domain_dimension.value
            return as_tensor(size) if size is not None else self.shape_tensor()[-1]

    @property
    def range_dimension(self) -> Dimension:
        """The number of rows."""
        return self.shape[-2] if self.shape.ndims else Dimension(None)

    def range_dimension_tensor(self, name: str = "range_dimension_tensor") -> Any:
        with self._name_scope(name):
            size = self.range_dimension.value
            return as_tensor(size) if size is not None else self.shape_tensor()[-2]

    # -- checks that run -----------------------------------------------------------------------

    def _assert_non_singular(self) -> Any:
        """By the ratio of the largest to the smallest singular value."""
        _slow("assert_non_singular")
        if self._can_use_cholesky():
            return self.assert_positive_definite()
        values = spectra.svd(self.to_dense(), compute_uv=False)
        condition = reductions.reduce_max(values, axis=-1) / reductions.reduce_min(values, axis=-1)
        return checks.assert_less(
            condition, self._largest_condition(), message="Singular matrix up to precision epsilon."
        )

    def _largest_condition(self) -> Any:
        with name_scope("max_nonsingular_condition_number"):
            epsilon = np.finfo(self.dtype.as_numpy_dtype).eps
            rows = casts.cast(self.range_dimension_tensor(), self.dtype)
            columns = casts.cast(self.domain_dimension_tensor(), self.dtype)
            return 1.0 / (casts.cast(reductions.reduce_max([100.0, rows, columns]), self.dtype) * epsilon)

    def assert_non_singular(self, name: str = "assert_non_singular") -> Any:
        with self._name_scope(name):
            return self._assert_non_singular()

    def _assert_positive_definite(self) -> Any:
        _slow("assert_positive_definite")
        if self.is_self_adjoint:
            diagonal = diagonals.matrix_diag_part(solving.cholesky(self.to_dense()))
            return checks.assert_positive(diagonal, message="Matrix was not positive definite.")
        raise NotImplementedError("assert_positive_definite is not implemented.")

    def assert_positive_definite(self, name: str = "assert_positive_definite") -> Any:
        with self._name_scope(name):
            return self._assert_positive_definite()

    def _assert_self_adjoint(self) -> Any:
        dense = self.to_dense()
        _slow("assert_self_adjoint")
        return checks.assert_equal(dense, solving.adjoint(dense), message="Matrix was not equal to its adjoint.")

    def assert_self_adjoint(self, name: str = "assert_self_adjoint") -> Any:
        with self._name_scope(name):
            return self._assert_self_adjoint()

    # -- products and solutions ----------------------------------------------------------------

    def _check_input_dtype(self, x: Tensor) -> None:
        if x.dtype.base_dtype != self.dtype:
            raise TypeError(f"Expected argument to have dtype {self.dtype}.  Found: {x.dtype} in tensor {x}")

    def _converted(self, x: Any, name: str) -> Tensor:
        x = as_tensor(x, name=name)
        self._check_input_dtype(x)
        return x

    def _size(self, axis: int) -> Dimension:
        return Dimension(None) if self.shape.ndims is None else self.shape[axis]

    def _combined(self, x: LinearOperator, adjoint: bool, adjoint_arg: bool, name: str, argument: str) -> Any:
        left = self.adjoint() if adjoint else self
        right = x.adjoint() if adjoint_arg else x
        if left.domain_dimension != right.range_dimension:
            raise ValueError(
                f"Operators are incompatible. Expected `{argument}` to have dimension {left.domain_dimension} "
                f"but got {right.range_dimension}."
            )
        with self._name_scope(name):
            return (matmul if argument == "x" else solve)(left, right)

    def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        raise NotImplementedError("_matmul is not implemented.")

    def matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "matmul") -> Any:
        """``A x`` for matrices ``x``, each of both conjugated and transposed on request."""
        if isinstance(x, LinearOperator):
            return self._combined(x, adjoint, adjoint_arg, name, "x")
        with self._name_scope(name):
            x = self._converted(x, "x")
            self._size(-2 if adjoint else -1).assert_is_compatible_with(x.shape[-1 if adjoint_arg else -2])
            return self._matmul(x, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _matvec(self, x: Any, adjoint: bool = False) -> Any:
        return arrays.squeeze(self.matmul(arrays.expand_dims(x, axis=-1), adjoint=adjoint), axis=-1)

    def matvec(self, x: Any, adjoint: bool = False, name: str = "matvec") -> Any:
        """``A x`` for vectors ``x``."""
        with self._name_scope(name):
            x = self._converted(x, "x")
            self._size(-2 if adjoint else -1).assert_is_compatible_with(x.shape[-1])
            return self._matvec(x, adjoint=adjoint)

    def _solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
        if self.is_square is False:
            raise NotImplementedError("Solve is not yet implemented for non-square operators.")
        _slow("solve")
        rhs = solving.adjoint(rhs) if adjoint_arg else rhs
        if self._can_use_cholesky():
            return broadcasting.cholesky_solve_with_broadcast(solving.cholesky(self.to_dense()), rhs)
        return broadcasting.matrix_solve_with_broadcast(self.to_dense(), rhs, adjoint=adjoint)

    def solve(self, rhs: Any, adjoint: bool = False, adjoint_arg: bool = False, name: str = "solve") -> Any:
        """The ``x`` with ``A x = rhs``, for matrices.

        Raises:
          NotImplementedError: the operator is known to be singular, or not square.
        """
        if self.is_non_singular is False:
            raise NotImplementedError("Exact solve not implemented for an operator that is expected to be singular.")
        if self.is_square is False:
            raise NotImplementedError("Exact solve not implemented for an operator that is expected to not be square.")
        if isinstance(rhs, LinearOperator):
            return self._combined(rhs, adjoint, adjoint_arg, name, "rhs")
        with self._name_scope(name):
            rhs = self._converted(rhs, "rhs")
            self._size(-1 if adjoint else -2).assert_is_compatible_with(rhs.shape[-1 if adjoint_arg else -2])
            return self._solve(rhs, adjoint=adjoint, adjoint_arg=adjoint_arg)

    def _solvevec(self, rhs: Any, adjoint: bool = False) -> Any:
        return arrays.squeeze(self.solve(arrays.expand_dims(rhs, axis=-1), adjoint=adjoint), axis=-1)

    def solvevec(self, rhs: Any, adjoint: bool = False, name: str = "solve") -> Any:
        """The ``x`` with ``A x = rhs``, for vectors."""
        with self._name_scope(name):
            rhs = self._converted(rhs, "rhs")
            self._size(-1 if adjoint else -2).assert_is_compatible_with(rhs.shape[-1])
            return self._solvevec(rhs, adjoint=adjoint)

    # -- determinants --------------------------------------------------------------------------

    def _require_square(self) -> None:
        if self.is_square is False:
            raise NotImplementedError("Determinant not implemented for an operator that is expected to not be square.")

    def _determinant(self) -> Any:
        _slow("determinant")
        if self._can_use_cholesky():
            return exponentials.exp(self.log_abs_determinant())
        return solving.matrix_determinant(self.to_dense())

    def determinant(self, name: str = "det") -> Any:
        self._require_square()
        with self._name_scope(name):
            return self._determinant()

    def _log_abs_determinant(self) -> Any:
        _slow("determinant")
        if self._can_use_cholesky():
            diagonal = diagonals.matrix_diag_part(solving.cholesky(self.to_dense()))
            return 2 * reductions.reduce_sum(exponentials.log(diagonal), axis=[-1])
        return solving.log_matrix_determinant(self.to_dense())[1]

    def log_abs_determinant(self, name: str = "log_abs_det") -> Any:
        """``log|det A|``."""
        self._require_square()
        with self._name_scope(name):
            return self._log_abs_determinant()

    # -- other operators -----------------------------------------------------------------------

    def adjoint(self, name: str = "adjoint") -> LinearOperator:
        """``A^H``; itself, if it is known to be that."""
        if self.is_self_adjoint is True:
            return self
        with self._name_scope(name):
            return adjoint(self)

    H = property(adjoint)

    def inverse(self, name: str = "inverse") -> LinearOperator:
        if self.is_square is False:
            raise ValueError("Cannot take the Inverse: This operator represents a non square matrix.")
        if self.is_non_singular is False:
            raise ValueError("Cannot take the Inverse: This operator represents a singular matrix.")
        with self._name_scope(name):
            return inverse(self)

    def cholesky(self, name: str = "cholesky") -> LinearOperator:
        """The lower triangular ``L`` with ``A = L L^H``."""
        if not self._can_use_cholesky():
            raise ValueError("Cannot take the Cholesky decomposition: Not a positive definite self adjoint matrix.")
        with self._name_scope(name):
            return cholesky(self)

    # -- written out ---------------------------------------------------------------------------

    def _to_dense(self) -> Any:
        batch_shape = self.batch_shape if self.batch_shape.is_fully_defined() else self.batch_shape_tensor()
        size = self.domain_dimension.value
        n = size if size is not None else self.domain_dimension_tensor()
        return self.matmul(grids.eye(num_rows=n, batch_shape=batch_shape, dtype=self.dtype))

    def to_dense(self, name: str = "to_dense") -> Any:
        """The matrices as a tensor."""
        with self._name_scope(name):
            return self._to_dense()

    def _diag_part(self) -> Any:
        return diagonals.matrix_diag_part(self.to_dense())

    def diag_part(self, name: str = "diag_part") -> Any:
        """The diagonals."""
        with self._name_scope(name):
            return self._diag_part()

    def _trace(self) -> Any:
        return reductions.reduce_sum(self.diag_part(), axis=-1)

    def trace(self, name: str = "trace") -> Any:
        with self._name_scope(name):
            return self._trace()

    def _add_to_tensor(self, x: Any) -> Any:
        return self.to_dense() + x

    def add_to_tensor(self, x: Any, name: str = "add_to_tensor") -> Any:
        """``A + x``."""
        with self._name_scope(name):
            return self._add_to_tensor(self._converted(x, "x"))

    def _can_use_cholesky(self) -> bool | None:
        return self.is_self_adjoint and self.is_positive_definite


def _slow(what: str) -> None:
    costs = "." if what == "assert_self_adjoint" else " and O(N^3) operations."
    log.warn(f"Using (possibly slow) default implementation of {what}.  Requires conversion to a dense matrix{costs}")


# -- rules for kinds ---------------------------------------------------------------------------

_rules: dict[str, dict[tuple[type, ...], Callable[..., Any]]] = {
    "Adjoint": {}, "Cholesky": {}, "Matmul": {}, "Solve": {}, "Inverse": {}
}  # fmt: skip


def _registered(operation: str, *operators: LinearOperator) -> Callable[..., Any] | None:
    """The rule for the nearest bases."""
    rules = _rules[operation]
    hierarchies = [list(enumerate(type(operator).__mro__)) for operator in operators]
    found = [
        (sum(distance for distance, _ in bases), tuple(base for _, base in bases))
        for bases in itertools.product(*hierarchies)
    ]
    nearest = min((f for f in found if f[1] in rules), key=lambda f: f[0], default=None)
    return None if nearest is None else rules[nearest[1]]


def _applied(operation: str, what: str, name: str | None, *operators: LinearOperator) -> Any:
    rule = _registered(operation, *operators)
    if rule is None:
        kinds = [str(type(operator)) for operator in operators]
        described = kinds[0] if len(kinds) == 1 else f"{kinds[0]}.{what}({kinds[1]})"
        raise ValueError(f"No {what} registered for {described}")
    with name_scope(name, operation):
        return rule(*operators)


def adjoint(lin_op_a: LinearOperator, name: str | None = None) -> Any:
    """``A^H`` by the rule of its kind."""
    return _applied("Adjoint", "adjoint", name, lin_op_a)


def cholesky(lin_op_a: LinearOperator, name: str | None = None) -> Any:
    """The Cholesky factor by the rule of its kind."""
    return _applied("Cholesky", "cholesky decomposition", name, lin_op_a)


def matmul(lin_op_a: LinearOperator, lin_op_b: LinearOperator, name: str | None = None) -> Any:
    """``A B`` by the rule of both kinds."""
    return _applied("Matmul", "matmul", name, lin_op_a, lin_op_b)


def solve(lin_op_a: LinearOperator, lin_op_b: LinearOperator, name: str | None = None) -> Any:
    """``A^-1 B`` by the rule of both kinds."""
    return _applied("Solve", "solve", name, lin_op_a, lin_op_b)


def inverse(lin_op_a: LinearOperator, name: str | None = None) -> Any:
    """``A^-1`` by the rule of its kind."""
    return _applied("Inverse", "inverse", name, lin_op_a)


class _Register:
    """Register the decorated function as the rule for kinds of operators."""

    operation = ""

    def __init__(self, *kinds: type) -> None:
        self._key = kinds

    def __call__(self, rule: Callable[..., Any]) -> Callable[..., Any]:
        rules = _rules[self.operation]
        if not callable(rule):
            raise TypeError(f"{self.operation.lower()}_fn must be callable, received: {rule}")
        if self._key in rules:
            kinds = ", ".join(kind.__name__ for kind in self._key)
            to = f" to: {rules[self._key]}" if len(self._key) == 1 else "."
            raise ValueError(f"{self.operation}({kinds}) has already been registered{to}")
        rules[self._key] = rule
        return rule


class RegisterAdjoint(_Register):
    """A rule for ``A^H``."""

    operation = "Adjoint"


class RegisterCholesky(_Register):
    """A rule for the Cholesky factor."""

    operation = "Cholesky"


class RegisterMatmul(_Register):
    """A rule for ``A B``."""

    operation = "Matmul"


class RegisterSolve(_Register):
    """A rule for ``A^-1 B``."""

    operation = "Solve"


class RegisterInverse(_Register):
    """A rule for ``A^-1``."""

    operation = "Inverse"


# -- TensorFlow's functions of matrices, for operators -----------------------------------------


@dispatch_for_types(solving.adjoint, LinearOperator)
def _adjoint_of(matrix: LinearOperator, name: Any = None) -> LinearOperator:
    return matrix.adjoint(name)


@dispatch_for_types(solving.cholesky, LinearOperator)
def _cholesky_of(input: LinearOperator, name: Any = None) -> LinearOperator:
    return input.cholesky(name)


@dispatch_for_types(diagonals.matrix_diag_part, LinearOperator)
def _diag_part_of(input: LinearOperator, name: str = "diag_part", k: Any = 0, padding_value: Any = 0) -> Any:
    return input.diag_part(name)


@dispatch_for_types(solving.matrix_determinant, LinearOperator)
def _determinant_of(input: LinearOperator, name: Any = None) -> Any:
    return input.determinant(name)


@dispatch_for_types(solving.matrix_inverse, LinearOperator)
def _inverse_of(input: LinearOperator, adjoint: bool = False, name: Any = None) -> LinearOperator:
    inverse = input.inverse(name)
    return inverse.adjoint() if adjoint else inverse


@dispatch_for_types(solving.logdet, LinearOperator)
def _log_determinant_of(matrix: LinearOperator, name: Any = None) -> Any:
    if not (matrix.is_positive_definite and matrix.is_self_adjoint):
        raise ValueError("Expected matrix to be self-adjoint positive definite.")
    return matrix.log_abs_determinant(name)


@dispatch_for_types(matrices.matmul, LinearOperator)
def _product_of(
    a: Any, b: Any, transpose_a: bool = False, transpose_b: bool = False, adjoint_a: bool = False,
    adjoint_b: bool = False, a_is_sparse: bool = False, b_is_sparse: bool = False, name: Any = None,
) -> Any:  # fmt: skip
    """``a b``; where ``a`` is a tensor, by ``(b^H a^H)^H``."""
    if transpose_a or transpose_b:
        raise ValueError("Transposing not supported at this time.")
    if a_is_sparse or b_is_sparse:
        raise ValueError("Sparse methods not supported at this time.")
    if isinstance(a, LinearOperator):
        return a.matmul(b, adjoint=adjoint_a, adjoint_arg=adjoint_b, name=name)
    return solving.adjoint(b.matmul(a, adjoint=not adjoint_b, adjoint_arg=not adjoint_a, name=name))


@dispatch_for_types(solving.matrix_solve, LinearOperator)
def _solution_of(matrix: Any, rhs: Any, adjoint: bool = False, name: Any = None) -> Any:
    if not isinstance(matrix, LinearOperator):
        raise ValueError("Passing in `matrix` as a Tensor and `rhs` as a LinearOperator is not supported.")
    return matrix.solve(rhs, adjoint=adjoint, name=name)


@dispatch_for_types(contraction.trace, LinearOperator)
def _trace_of(x: LinearOperator, name: Any = None) -> Any:
    return x.trace(name)
