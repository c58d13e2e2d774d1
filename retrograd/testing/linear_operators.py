"""Tests of linear operators: every method of an operator against the same of its dense matrix.

``tensorflow.python.ops.linalg.linear_operator_test_util``: a test class says how to make an operator and its
matrix (``operator_and_matrix``), and ``add_tests`` gives it a test for each method, shape and dtype.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.derivatives.tape import GradientTape
from retrograd.graph import dtypes, stack
from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import as_dtype
from retrograd.graph.graph import Graph
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn.linear_operators.broadcasting import matrix_solve_with_broadcast
from retrograd.ops.arithmetic import add, multiply
from retrograd.ops.casts import cast
from retrograd.ops.complex_numbers import complex_
from retrograd.ops.constants import ones, ones_like
from retrograd.ops.contraction import trace
from retrograd.ops.diagonals import matrix_band_part, matrix_diag_part, matrix_set_diag
from retrograd.ops.joining import concat
from retrograd.ops.matrices import matmul
from retrograd.ops.permuting import matrix_transpose
from retrograd.ops.philox import DEFAULT_GRAPH_SEED
from retrograd.ops.random import random_normal as normal
from retrograd.ops.random import random_uniform as uniform
from retrograd.ops.rounding import sign
from retrograd.ops.solving import adjoint as adjoint_of
from retrograd.ops.solving import cholesky, matrix_determinant, matrix_inverse, slogdet
from retrograd.testing.case import TensorFlowTestCase


class OperatorShapesInfo:
    """The shape of an operator under test, and what else its class wants to know."""

    def __init__(self, shape: Any, **kwargs: Any) -> None:
        self.shape = shape
        self.__dict__.update(kwargs)


class CheckTapeSafeSkipOptions:
    """Methods whose gradients ``check_tape_safe`` can leave out."""

    DETERMINANT = "determinant"
    DIAG_PART = "diag_part"
    LOG_ABS_DETERMINANT = "log_abs_determinant"
    TRACE = "trace"


_TOLERANCE = {
    dtypes.float16: 1e-3, dtypes.float32: 1e-6, dtypes.float64: 1e-12,
    dtypes.complex64: 1e-6, dtypes.complex128: 1e-12,
}  # fmt: skip


class LinearOperatorDerivedClassTest(TensorFlowTestCase):
    """A class of operators under test: what its subclasses may choose, and what they must define."""

    _atol = _rtol = _TOLERANCE

    def assertAC(self, x: Any, y: Any) -> None:
        """``x`` and ``y`` are close, by the tolerances of the dtype."""
        dtype = as_dtype(x.dtype)
        self.assertAllClose(x, y, atol=self._atol[dtype], rtol=self._rtol[dtype])

    @staticmethod
    def adjoint_options() -> list[bool]:
        return [False, True]

    @staticmethod
    def adjoint_arg_options() -> list[bool]:
        return [False, True]

    @staticmethod
    def use_placeholder_options() -> list[bool]:
        return [False, True]

    @staticmethod
    def dtypes_to_test() -> list[Any]:
        return [dtypes.float32, dtypes.float64, dtypes.complex64, dtypes.complex128]

    @staticmethod
    def skip_these_tests() -> list[str]:
        """Names of methods that are not tested."""
        return []

    @staticmethod
    def operator_shapes_infos() -> list[OperatorShapesInfo]:
        raise NotImplementedError("operator_shapes_infos has not been implemented.")

    def operator_and_matrix(
        self, shapes_info: Any, dtype: Any, use_placeholder: bool, ensure_self_adjoint_and_pd: bool = False
    ) -> tuple[Any, Any]:
        """An operator of this shape and dtype, and its matrix."""
        raise NotImplementedError("Not implemented yet.")

    def make_rhs(self, operator: Any, adjoint: bool, with_batch: bool = True) -> Any:
        """What ``operator.solve`` can take."""
        raise NotImplementedError("make_rhs is not defined.")

    def make_x(self, operator: Any, adjoint: bool, with_batch: bool = True) -> Any:
        """What ``operator.matmul`` can take: ``[..., n, r]``, r being 1 or 2."""
        rank = operator.tensor_rank
        r = 1 if rank is None or rank % 2 else 2
        side = "range_dimension" if adjoint else "domain_dimension"
        if operator.shape.is_fully_defined():
            batch = operator.batch_shape.as_list()
            n = getattr(operator, side).value
            return random_normal([*(batch if with_batch else []), n, r], dtype=operator.dtype)
        n = getattr(operator, side + "_tensor")()
        shape = concat((operator.batch_shape_tensor(), [n, r]), 0) if with_batch else [n, r]
        return random_normal(shape, dtype=operator.dtype)

    def assertRaisesError(self, msg: str) -> Any:
        """A run, or the call itself where ops run at once, fails with ``msg``."""
        if stack.default_graph().is_eager:
            return self.assertRaisesRegex(Exception, msg)
        return self.assertRaisesOpError(msg)

    def check_tape_safe(self, operator: Any, skip_options: Any = None) -> None:
        """Tapes see the way from each of ``operator.variables`` to what the operator computes."""
        if not operator.variables:
            raise AssertionError("`operator.variables` was empty")
        x = cast(ones(shape=operator.H.shape_tensor()[:-1]), operator.dtype)
        ways: list[Callable[[], Any]] = [
            lambda: operator.to_dense(),
            lambda: operator.adjoint().to_dense(),
            lambda: operator.matvec(x),
        ]
        if operator.is_square:
            options = CheckTapeSafeSkipOptions
            for method in (options.DETERMINANT, options.LOG_ABS_DETERMINANT, options.DIAG_PART, options.TRACE):
                if method not in (skip_options or []):
                    ways.append(getattr(operator, method))
            if operator.is_non_singular is not False:
                ways += [lambda: operator.inverse().to_dense(), lambda: operator.solvevec(x)]
                if operator.is_self_adjoint and operator.is_positive_definite:
                    ways.append(lambda: operator.cholesky().to_dense())
        for way in ways:
            with GradientTape() as tape:
                y = way()
            for gradient in tape.gradient(y, operator.variables):
                self.assertIsNotNone(gradient)


class SquareLinearOperatorDerivedClassTest(LinearOperatorDerivedClassTest):
    """Operators with square matrices under test."""

    @staticmethod
    def operator_shapes_infos() -> list[OperatorShapesInfo]:
        return [OperatorShapesInfo(s) for s in ((0, 0), (1, 1), (1, 3, 3), (3, 4, 4), (2, 1, 4, 4))]

    def make_rhs(self, operator: Any, adjoint: bool, with_batch: bool = True) -> Any:
        return self.make_x(operator, adjoint=not adjoint, with_batch=with_batch)


class NonSquareLinearOperatorDerivedClassTest(LinearOperatorDerivedClassTest):
    """Operators with matrices that are not square under test."""

    @staticmethod
    def skip_these_tests() -> list[str]:
        return ["cholesky", "inverse", "solve", "solve_with_broadcast", "det", "log_abs_det"]

    @staticmethod
    def operator_shapes_infos() -> list[OperatorShapesInfo]:
        return [OperatorShapesInfo(s) for s in ((2, 1), (1, 2), (1, 3, 2), (3, 3, 4), (2, 1, 2, 4))]


# -- the tests ---------------------------------------------------------------------------------

# method -> what the operator computes, and what its matrix does
_METHODS: dict[str, tuple[Callable[[Any, Any], Any], Callable[[Any], Any]]] = {
    "add_to_tensor": (lambda op, m: op.add_to_tensor(2 * m), lambda m: 3 * m),
    "cholesky": (lambda op, m: op.cholesky().to_dense(), cholesky),
    "det": (lambda op, m: op.determinant(), matrix_determinant),
    "diag_part": (lambda op, m: op.diag_part(), matrix_diag_part),
    "inverse": (lambda op, m: op.inverse().to_dense(), matrix_inverse),
    "log_abs_det": (lambda op, m: op.log_abs_determinant(), lambda m: slogdet(m)[1]),
    "to_dense": (lambda op, m: op.to_dense(), lambda m: m),
    "trace": (lambda op, m: op.trace(), trace),
}


def _method_test(method: str, shapes_info: Any, dtype: Any, use_placeholder: bool) -> Callable[[Any], None]:
    ours, theirs = _METHODS[method]

    def test(self: Any) -> None:
        options = {"ensure_self_adjoint_and_pd": True} if method == "cholesky" else {}
        with self.session(graph=Graph()) as session:
            session.graph.seed = DEFAULT_GRAPH_SEED
            operator, matrix = self.operator_and_matrix(shapes_info, dtype, use_placeholder=use_placeholder, **options)
            y, expected = ours(operator, matrix), theirs(matrix)
            if not use_placeholder and method != "inverse":
                self.assertAllEqual(expected.shape, y.shape)
            self.assertAC(*session.run([y, expected]))

    return test


def _product_test(
    method: str, shapes_info: Any, dtype: Any, use_placeholder: bool, adjoint: bool, adjoint_arg: bool
) -> Callable[[Any], None]:
    """``A x`` or the solution of ``A y = x``; with ``adjoint_arg`` the method is handed ``x^H``."""
    solves, with_batch = method.startswith("solve"), method != "solve_with_broadcast"

    def test(self: Any) -> None:
        if not with_batch and len(shapes_info.shape) <= 2:
            return
        with self.session(graph=Graph()) as session:
            session.graph.seed = DEFAULT_GRAPH_SEED
            operator, matrix = self.operator_and_matrix(shapes_info, dtype, use_placeholder=use_placeholder)
            make = self.make_rhs if solves else self.make_x
            x = make(operator, adjoint=adjoint, with_batch=with_batch)
            given = adjoint_of(x) if adjoint_arg else x
            y = (operator.solve if solves else operator.matmul)(given, adjoint=adjoint, adjoint_arg=adjoint_arg)
            expected = (
                matrix_solve_with_broadcast(matrix, x, adjoint=adjoint)
                if solves
                else matmul(matrix, x, adjoint_a=adjoint)
            )
            if not use_placeholder:
                self.assertAllEqual(y.shape, expected.shape)
            self.assertAC(*session.run([y, expected]))

    return test


def add_tests(test_cls: Any) -> None:
    """Give a class the tests of all methods that it does not skip, for each of its shapes and dtypes."""
    methods = sorted([*_METHODS, "matmul", "matmul_with_broadcast", "solve", "solve_with_broadcast"])
    for method in methods:
        if method in test_cls.skip_these_tests():
            continue
        for dtype, use_placeholder, info in itertools.product(
            test_cls.dtypes_to_test(), test_cls.use_placeholder_options(), test_cls.operator_shapes_infos()
        ):
            name = f"test_{method}__shape={info.shape},dtype={dtype},use_placeholder={use_placeholder}"
            tests: dict[str, Callable[[Any], None]] = {}
            if method in _METHODS:
                tests[name] = _method_test(method, info, dtype, use_placeholder)
            else:
                for adjoint, given in itertools.product(test_cls.adjoint_options(), test_cls.adjoint_arg_options()):
                    test = _product_test(method, info, dtype, use_placeholder, adjoint, given)
                    tests[f"{name},adjoint={adjoint},adjoint_arg={given}"] = test
            for full_name, test in tests.items():
                if hasattr(test_cls, full_name):
                    raise RuntimeError(f"Test {full_name} defined more than once")
                setattr(test_cls, full_name, test)


# -- random matrices ---------------------------------------------------------------------------


def random_normal(shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32, seed: Any = None) -> Any:
    """``N(mean, stddev^2)``; of complex dtypes both parts are."""
    dtype = as_dtype(dtype)
    with name_scope("random_normal"):
        x = normal(shape, mean=mean, stddev=stddev, dtype=dtype.real_dtype, seed=seed)
        if not dtype.is_complex:
            return x
        seed = None if seed is None else seed + 1234
        return complex_(x, normal(shape, mean=mean, stddev=stddev, dtype=dtype.real_dtype, seed=seed))


def random_uniform(
    shape: Any, minval: Any = None, maxval: Any = None, dtype: Any = dtypes.float32, seed: Any = None
) -> Any:
    """``U[minval, maxval)``; of complex dtypes both parts are."""
    dtype = as_dtype(dtype)
    with name_scope("random_uniform"):
        x = uniform(shape, dtype=dtype.real_dtype, minval=minval, maxval=maxval, seed=seed)
        if not dtype.is_complex:
            return x
        seed = None if seed is None else seed + 12345
        return complex_(x, uniform(shape, dtype=dtype.real_dtype, minval=minval, maxval=maxval, seed=seed))


def random_sign_uniform(
    shape: Any, minval: Any = None, maxval: Any = None, dtype: Any = dtypes.float32, seed: Any = None
) -> Any:
    """``z U[minval, maxval)`` with a random sign ``z``."""
    with name_scope("random_sign_uniform"):
        x = random_uniform(shape, minval=minval, maxval=maxval, dtype=dtype, seed=seed)
        seed = None if seed is None else seed + 12
        signs = sign(uniform(shape, minval=-1.0, maxval=1.0, seed=seed))
        return multiply(x, cast(signs, x.dtype))


def random_tril_matrix(
    shape: Any, dtype: Any, force_well_conditioned: bool = False, remove_upper: bool = True
) -> Tensor:
    """Lower triangular matrices; ``force_well_conditioned``: the moduli on the diagonal are in [1, sqrt 2)."""
    dtype = as_dtype(dtype)
    with name_scope("random_tril_matrix"):
        tril = random_normal(shape, dtype=dtype)
        if remove_upper:
            tril = matrix_band_part(tril, -1, 0)
        if force_well_conditioned:
            largest = as_tensor(np.sqrt(2.0), dtype=dtype.real_dtype)
            diagonal = random_sign_uniform(shape[:-1], dtype=dtype, minval=1.0, maxval=largest)
            tril = matrix_set_diag(tril, diagonal)
        return tril


def random_positive_definite_matrix(shape: Any, dtype: Any, force_well_conditioned: bool = False) -> Tensor:
    """``L L^H`` with a random lower triangular L."""
    if not isinstance(shape, Tensor):
        shape = TensorShape(shape)
        shape.dims[-1].assert_is_compatible_with(shape.dims[-2])
    with name_scope("random_positive_definite_matrix"):
        tril = random_tril_matrix(shape, dtype, force_well_conditioned=force_well_conditioned)
        return matmul(tril, tril, adjoint_b=True)


def random_normal_correlated_columns(
    shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32, eps: float = 1e-4, seed: Any = None
) -> Any:
    """Random matrices, ``eps`` away from one whose columns depend on each other if there are as many as rows."""
    if len(shape) < 2:
        raise ValueError(f"Argument shape must be at least length 2.  Found: {shape}")
    *batch, m, n = shape
    if n < 2 or n < m:
        return random_normal(shape, mean=mean, stddev=stddev, dtype=dtype, seed=seed)
    with name_scope("random_normal_correlated_columns"):
        small = random_normal([*batch, m, n - 1], stddev=1 / np.sqrt(n - 1), dtype=dtype, seed=seed)
        seed = None if seed is None else seed + 1287
        embedding = random_normal([*batch, n, n - 1], dtype=dtype, seed=seed)
        embedded = matrix_transpose(matmul(embedding, small, transpose_b=True))
        around = add(embedded, random_normal(shape, stddev=eps, dtype=dtype))
        return add(around, multiply(ones_like(embedded), mean))
