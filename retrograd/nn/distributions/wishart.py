"""The Wishart distribution of positive definite matrices: X = sum z z' of ``df`` normal vectors of covariance S.

With S = L L' and the Bartlett decomposition X = (L A)(L A)', where A is a lower triangle of standard normal numbers
below a diagonal of roots of chi-squared ones.  Source: TensorFlow 1.15.5's draws, numbers and order of nodes.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.arguments import assert_symmetric, gen_new_seed
from retrograd.nn.distributions.distribution import FULLY_REPARAMETERIZED, Distribution
from retrograd.nn.linear_operators.kinds import LinearOperatorLowerTriangular
from retrograd.nn.linear_operators.operator import LinearOperator
from retrograd.ops import (
    arrays,
    casts,
    checks,
    comparison,
    constants,
    diagonals,
    exponentials,
    grids,
    joining,
    matrices,
    permuting,
    powers,
    random,
    reductions,
    slicing,
    solving,
    special,
    variates,
)
from retrograd.ops.control import with_dependencies


class _Wishart(Distribution):
    """Positive definite matrices, by the factor L of their scale; or, if asked for, their Cholesky factors.

    Raises:
      TypeError: the scale is no floating-point one.
      ValueError: it is not square, or has more rows than there are degrees of freedom.
    """

    def __init__(
        self,
        df: Any,
        scale_operator: LinearOperator,
        cholesky_input_output_matrices: bool = False,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str | None = None,
    ) -> None:
        parameters = dict(locals())
        self._cholesky_input_output_matrices = cholesky_input_output_matrices
        with name_scope(name) as name, name_scope("init", values=[df, scale_operator]):
            dtype = scale_operator.dtype
            if not dtype.is_floating:
                raise TypeError(f"scale_operator.dtype={dtype} is not a floating-point type")
            if not scale_operator.is_square:
                raise ValueError("scale_operator must be square.")
            self._scale_operator = scale_operator
            self._df = as_tensor(df, dtype=dtype, name="df")
            checks.assert_same_float_dtype((self._df, scale_operator))
            rows = None if scale_operator.shape.ndims is None else scale_operator.shape.as_list()[-1]
            if rows is None:
                self._dimension = casts.cast(scale_operator.domain_dimension_tensor(), dtype=dtype, name="dimension")
            else:
                self._dimension = as_tensor(rows, dtype=dtype, name="dimension")
            freedom, dimension = constant_value(self._df), constant_value(self._dimension)
            few = "cannot be less than dimension of scale matrix (scale.dimension = "
            if freedom is not None and dimension is not None:
                given: Any = np.asarray(freedom)
                given = given if given.shape else [given]
                if any(given < dimension):
                    raise ValueError(f"Degrees of freedom (df = {given}) {few}{dimension})")
            elif validate_args:
                text = f"Degrees of freedom (df = {self._dimension}) {few}{self._df})"
                fits = checks.assert_less_equal(self._dimension, self._df, message=text)
                self._df = with_dependencies([fits], self._df)
        super().__init__(
            dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._df, self._dimension, *scale_operator.graph_parents], name,
        )  # fmt: skip

    @property
    def df(self) -> Tensor:
        """The degrees of freedom."""
        return self._df

    def _squared_scale(self) -> Any:
        return self.scale_operator.matmul(self.scale_operator.to_dense(), adjoint_arg=True)

    def scale(self) -> Any:
        """The scale, or its Cholesky factor where draws are such."""
        return self.scale_operator.to_dense() if self._cholesky_input_output_matrices else self._squared_scale()

    @property
    def scale_operator(self) -> LinearOperator:
        """The factor L."""
        return self._scale_operator

    @property
    def cholesky_input_output_matrices(self) -> bool:
        """Whether draws and arguments are Cholesky factors."""
        return self._cholesky_input_output_matrices

    @property
    def dimension(self) -> Tensor:
        """The number of rows."""
        return self._dimension

    def _event_shape_tensor(self) -> Any:
        rows = self.scale_operator.domain_dimension_tensor()
        return joining.stack([rows, rows])

    def _event_shape(self) -> TensorShape:
        rows = self.scale_operator.domain_dimension
        return TensorShape([rows, rows])

    def _batch_shape_tensor(self) -> Any:
        return self.scale_operator.batch_shape_tensor()

    def _batch_shape(self) -> TensorShape:
        return self.scale_operator.batch_shape

    def _sample_n(self, n: Any, seed: int | None = None) -> Any:
        batch, event = self.batch_shape_tensor(), self.event_shape_tensor()
        rank = arrays.shape(batch)[0] + 3
        x = random.random_normal(joining.concat([[n], batch, event], 0), 0.0, 1.0, self.dtype, seed)
        freedom = self.df * constants.ones(self.scale_operator.batch_shape_tensor(), dtype=self.df.dtype.base_dtype)
        squares = variates.random_gamma(
            shape=[n], alpha=self._sequence(0.5 * freedom, self.dimension), beta=0.5, dtype=self.dtype,
            seed=gen_new_seed(seed, "wishart"),
        )  # fmt: skip
        x = diagonals.matrix_band_part(x, -1, 0)
        x = diagonals.matrix_set_diag(x, powers.sqrt(squares))
        # the draws stand behind the columns for one product with L
        x = permuting.transpose(x, joining.concat([constants.range_(1, rank), [0]], 0))
        x = arrays.reshape(x, joining.concat([batch, [event[0]], [-1]], 0))
        x = self.scale_operator.matmul(x)
        x = arrays.reshape(x, joining.concat([batch, event, [n]], 0))
        x = permuting.transpose(x, joining.concat([[rank - 1], constants.range_(0, rank - 1)], 0))
        return x if self.cholesky_input_output_matrices else matrices.matmul(x, x, adjoint_b=True)

    def _log_prob(self, x: Any) -> Any:
        root = x if self.cholesky_input_output_matrices else solving.cholesky(x)
        batch, event = self.batch_shape_tensor(), self.event_shape_tensor()
        rank = arrays.rank(root)
        samples = rank - arrays.shape(batch)[0] - 2
        sample_shape = slicing.strided_slice(arrays.shape(root), [0], [samples])
        order = joining.concat([constants.range_(samples, rank), constants.range_(0, samples)], 0)
        inner = permuting.transpose(root, order)
        rows = casts.cast(self.dimension, dtype=dtypes.int32)
        inner = arrays.reshape(inner, joining.concat((batch, (rows, -1)), 0))
        inner = self.scale_operator.solve(inner)
        inner = arrays.reshape(inner, joining.concat([batch, event, sample_shape], 0))
        order = joining.concat([constants.range_(rank - samples, rank), constants.range_(0, rank - samples)], 0)
        inner = permuting.transpose(inner, order)
        trace = reductions.reduce_sum(powers.square(inner), axis=[-2, -1])
        half_log_det = reductions.reduce_sum(exponentials.log(diagonals.matrix_diag_part(root)), axis=[-1])
        log_prob = (self.df - self.dimension - 1.0) * half_log_det - 0.5 * trace - self.log_normalization()
        if x.shape.ndims is not None:
            log_prob.set_shape(x.shape[:-2])
        return log_prob

    def _prob(self, x: Any) -> Any:
        return exponentials.exp(self._log_prob(x))

    def _entropy(self) -> Any:
        half_more = 0.5 * self.dimension + 0.5
        half_df = 0.5 * self.df
        return (
            self.dimension * (half_df + half_more * math.log(2.0))
            + 2 * half_more * self.scale_operator.log_abs_determinant()
            + self._multi_lgamma(half_df, self.dimension)
            + (half_more - half_df) * self._multi_digamma(half_df, self.dimension)
        )

    def _mean(self) -> Any:
        if self.cholesky_input_output_matrices:
            return powers.sqrt(self.df) * self.scale_operator.to_dense()
        return self.df * self._squared_scale()

    def _variance(self) -> Any:
        x = powers.sqrt(self.df) * self._squared_scale()
        d = arrays.expand_dims(diagonals.matrix_diag_part(x), -1)
        v = powers.square(x) + matrices.matmul(d, d, adjoint_b=True)
        return solving.cholesky(v) if self.cholesky_input_output_matrices else v

    def _stddev(self) -> Any:
        if self.cholesky_input_output_matrices:
            raise ValueError("Computing std. dev. when is cholesky_input_output_matrices=True does not make sense.")
        return solving.cholesky(self.variance())

    def _mode(self) -> Any:
        s = self.df - self.dimension - 1.0
        nan = constants.constant(float("NaN"), dtype=self.dtype, name="nan")
        s = comparison.where_v2(comparison.less(s, 0.0), nan, s)
        if self.cholesky_input_output_matrices:
            return powers.sqrt(s) * self.scale_operator.to_dense()
        return s * self._squared_scale()

    def mean_log_det(self, name: str = "mean_log_det") -> Any:
        """``E[log |X|]``."""
        with self._name_scope(name):
            return (
                self._multi_digamma(0.5 * self.df, self.dimension)
                + self.dimension * math.log(2.0)
                + 2 * self.scale_operator.log_abs_determinant()
            )

    def log_normalization(self, name: str = "log_normalization") -> Any:
        """The logarithm of what the density is divided by."""
        with self._name_scope(name):
            return (
                self.df * self.scale_operator.log_abs_determinant()
                + 0.5 * self.df * self.dimension * math.log(2.0)
                + self._multi_lgamma(0.5 * self.df, self.dimension)
            )

    def _sequence(self, a: Any, p: Any) -> Any:
        """``a, a - 1/2, ..., a - (p - 1)/2``, from the last on."""
        with self._name_scope("multi_gamma_sequence", values=[a, p]):
            zero = constants.constant(0.0, dtype=self.dtype)
            steps = grids.linspace(zero, 0.5 - 0.5 * p, casts.cast(p, dtypes.int32))
            return steps + arrays.expand_dims(a, [-1])

    def _multi_lgamma(self, a: Any, p: Any) -> Any:
        with self._name_scope("multi_lgamma", values=[a, p]):
            terms = self._sequence(a, p)
            return 0.25 * p * (p - 1.0) * math.log(math.pi) + reductions.reduce_sum(special.lgamma(terms), axis=[-1])

    def _multi_digamma(self, a: Any, p: Any) -> Any:
        with self._name_scope("multi_digamma", values=[a, p]):
            return reductions.reduce_sum(special.digamma(self._sequence(a, p)), axis=[-1])


def _of_factor(factor: Any) -> LinearOperator:
    return LinearOperatorLowerTriangular(factor, is_non_singular=True, is_positive_definite=True, is_square=True)


class WishartCholesky(_Wishart):
    """Positive definite matrices, by the Cholesky factor of their scale."""

    def __init__(
        self, df: Any, scale: Any, cholesky_input_output_matrices: bool = False, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "WishartCholesky",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name, values=[scale]) as name:
            with name_scope("init", values=[scale]):
                scale = as_tensor(scale)
                if validate_args:
                    diagonal = diagonals.matrix_diag_part(scale)
                    positive = checks.assert_positive(diagonal, message="scale must be positive definite")
                    rows, columns = arrays.shape(scale)[-1], arrays.shape(scale)[-2]
                    square = checks.assert_equal(rows, columns, message="scale must be square")
                    scale = with_dependencies([positive, square], scale)
            super().__init__(
                df, _of_factor(scale), cholesky_input_output_matrices, validate_args, allow_nan_stats, name
            )
        self._parameters = parameters


class WishartFull(_Wishart):
    """Positive definite matrices, by their scale."""

    def __init__(
        self, df: Any, scale: Any, cholesky_input_output_matrices: bool = False, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "WishartFull",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name) as name:
            with name_scope("init", values=[scale]):
                scale = as_tensor(scale)
                if validate_args:
                    scale = assert_symmetric(scale)
                factor = solving.cholesky(scale)
                positive = [checks.assert_positive(diagonals.matrix_diag_part(factor))] if validate_args else []
                factor = with_dependencies(positive, factor)
            super().__init__(
                df, _of_factor(factor), cholesky_input_output_matrices, validate_args, allow_nan_stats, name
            )
        self._parameters = parameters
