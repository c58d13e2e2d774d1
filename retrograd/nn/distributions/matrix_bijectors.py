"""Bijectors of triangular matrices, and batch normalization as one: ``tf.contrib.distributions.bijectors``.

Source: order of nodes from TensorFlow 1.15.5; normalization as a flow: Papamakarios et al., 2017.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import dimension_value
from retrograd.nn.distributions import vectors
from retrograd.nn.distributions.bijector import Bijector
from retrograd.nn.distributions.bijectors import AffineScalar, Chain, Softplus
from retrograd.nn.layers import normalization
from retrograd.nn.moments import moments
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
    powers,
    reductions,
    rounding,
    shape_checks,
    solving,
)
from retrograd.ops.activations import relu
from retrograd.ops.control import with_dependencies


def vector_size_to_square_matrix_size(d: Any, validate_args: bool, name: str | None = None) -> Any:
    """The n for which a triangle of n by n has d elements.

    Raises:
      ValueError: there is none.
    """
    if isinstance(d, float | int | np.generic | np.ndarray):
        n: Any = (-1 + np.sqrt(1 + 8 * float(d))) / 2.0
        if float(int(n)) != n:
            raise ValueError("Vector length is not a triangular number.")
        return int(n)
    with name_scope(name, "vector_size_to_square_matrix_size", [d]):
        n = (-1.0 + powers.sqrt(1 + 8.0 * casts.cast(d, dtypes.float32))) / 2.0
        if validate_args:
            whole = casts.cast(casts.cast(n, dtypes.int32), dtypes.float32)
            message = "Vector length is not a triangular number"
            with control_dependencies([checks.assert_equal(whole, n, message=message)]):
                n = arrays.identity(n)
        return casts.cast(n, d.dtype)


class FillTriangular(Bijector):
    """A vector as the elements of a triangular matrix."""

    def __init__(self, upper: bool = False, validate_args: bool = False, name: str = "fill_triangular") -> None:
        self._upper = upper
        super().__init__(
            forward_min_event_ndims=1, inverse_min_event_ndims=2, validate_args=validate_args, name=name
        )  # fmt: skip

    def _forward(self, x: Any) -> Any:
        return vectors.fill_triangular(x, upper=self._upper)

    def _inverse(self, y: Any) -> Any:
        return vectors.fill_triangular_inverse(y, upper=self._upper)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return constants.zeros_like(x[..., 0])

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return constants.zeros_like(y[..., 0, 0])

    def _forward_event_shape(self, input_shape: Any) -> Any:
        d = input_shape[-1].value
        n = None if d is None else vector_size_to_square_matrix_size(d, self.validate_args)
        return input_shape[:-1].concatenate([n, n])

    def _inverse_event_shape(self, output_shape: Any) -> Any:
        rows, columns = dimension_value(output_shape[-2]), dimension_value(output_shape[-1])
        if rows is None or columns is None:
            return output_shape[:-2].concatenate([None])
        if rows != columns:
            raise ValueError(f"Matrix must be square. (saw [{rows}, {columns}])")
        return output_shape[:-2].concatenate([rows * (rows + 1) // 2])

    def _forward_event_shape_tensor(self, input_shape_tensor: Any) -> Any:
        batch, d = input_shape_tensor[:-1], input_shape_tensor[-1]
        n = vector_size_to_square_matrix_size(d, self.validate_args)
        return joining.concat([batch, [n, n]], axis=0)

    def _inverse_event_shape_tensor(self, output_shape_tensor: Any) -> Any:
        batch, n = output_shape_tensor[:-2], output_shape_tensor[-1]
        if self.validate_args:
            square = checks.assert_equal(n, output_shape_tensor[-2], message="Matrix must be square.")
            with control_dependencies([square]):
                n = arrays.identity(n)
        d = casts.cast(n * (n + 1) / 2, output_shape_tensor.dtype)
        return joining.concat([batch, [d]], axis=0)


class TransformDiagonal(Bijector):
    """A bijector on the diagonal of a matrix; the rest stays."""

    def __init__(self, diag_bijector: Any, validate_args: bool = False, name: str = "transform_diagonal") -> None:
        self._diag_bijector = diag_bijector
        super().__init__(
            forward_min_event_ndims=2, inverse_min_event_ndims=2, validate_args=validate_args, name=name
        )  # fmt: skip

    def _forward(self, x: Any) -> Any:
        diagonal = self._diag_bijector.forward(diagonals.matrix_diag_part(x))
        return diagonals.matrix_set_diag(x, diagonal)

    def _inverse(self, y: Any) -> Any:
        diagonal = self._diag_bijector.inverse(diagonals.matrix_diag_part(y))
        return diagonals.matrix_set_diag(y, diagonal)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return self._diag_bijector.forward_log_det_jacobian(diagonals.matrix_diag_part(x), event_ndims=1)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        return self._diag_bijector.inverse_log_det_jacobian(diagonals.matrix_diag_part(y), event_ndims=1)


class ScaleTriL(Chain):
    """A vector as a lower triangular matrix with a positive diagonal, ``diag_bijector(d) + diag_shift``."""

    def __init__(
        self, diag_bijector: Any = None, diag_shift: Any = 1e-5, validate_args: bool = False, name: str = "scale_tril"
    ) -> None:  # fmt: skip
        if diag_bijector is None:
            diag_bijector = Softplus(validate_args=validate_args)
        if diag_shift is not None:
            diag_bijector = Chain([AffineScalar(shift=diag_shift), diag_bijector])
        parts = [TransformDiagonal(diag_bijector=diag_bijector), FillTriangular()]
        super().__init__(parts, validate_args=validate_args, name=name)


class MatrixInverseTriL(Bijector):
    """``Y = inv(X)`` for lower triangular X: ``log|det J| = -2 n sum(log|x_ii|)``."""

    def __init__(self, validate_args: bool = False, name: str = "matrix_inverse_tril") -> None:
        self._graph_parents, self._name = [], name
        super().__init__(forward_min_event_ndims=2, validate_args=validate_args, name=name)

    def _forward(self, x: Any) -> Any:
        with control_dependencies(self._assertions(x)):
            shape = arrays.shape(x)
            return solving.matrix_triangular_solve(x, grids.eye(shape[-1], batch_shape=shape[:-2]), lower=True)

    def _inverse(self, y: Any) -> Any:
        return self._forward(y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        with control_dependencies(self._assertions(x)):
            twice = -2.0 * casts.cast(arrays.shape(x)[-1], x.dtype.base_dtype)
            logs = exponentials.log(rounding.abs_(diagonals.matrix_diag_part(x)))
            return twice * reductions.reduce_sum(logs, axis=-1)

    def _assertions(self, x: Any) -> list[Any]:
        if not self.validate_args:
            return []
        shape = arrays.shape(x)
        matrix = shape_checks.assert_rank_at_least(x, 2, message="Input must have rank at least 2.")
        square = checks.assert_equal(shape[-2], shape[-1], message="Input must be a square matrix.")
        hollow = diagonals.matrix_set_diag(x, constants.zeros(shape[:-1], dtype=dtypes.float32))
        above = diagonals.matrix_band_part(hollow, 0, -1)
        lower = checks.assert_equal(above, constants.zeros_like(above), message="Input must be lower triangular.")
        diagonal = diagonals.matrix_diag_part(x)
        regular = checks.assert_none_equal(
            diagonal, constants.zeros_like(diagonal), message="Input must have all diagonal entries nonzero."
        )
        return [matrix, square, lower, regular]


class CholeskyOuterProduct(Bijector):
    """``Y = X X'`` for lower triangular X: ``log|det J| = n log 2 + sum((n - i) log x_ii)``, i from 0."""

    def __init__(self, validate_args: bool = False, name: str = "cholesky_outer_product") -> None:
        self._graph_parents, self._name = [], name
        super().__init__(forward_min_event_ndims=2, validate_args=validate_args, name=name)

    def _forward(self, x: Any) -> Any:
        if self.validate_args:
            matrix = shape_checks.assert_rank_at_least(x, 2)
            shape = arrays.shape(x)
            x = with_dependencies([matrix, checks.assert_equal(shape[-2], shape[-1])], x)
        x = diagonals.matrix_band_part(x, -1, 0)
        return matrices.matmul(x, x, adjoint_b=True)

    def _inverse(self, y: Any) -> Any:
        return solving.cholesky(y)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        diagonal = _as_rows(diagonals.matrix_diag_part(x))
        if self.validate_args:
            matrix = shape_checks.assert_rank_at_least(x, 2, message="Input must be a (batch of) matrix.")
            shape = arrays.shape(x)
            square = checks.assert_equal(
                shape[-2], shape[-1], message="Input must be a (batch of) square matrix."
            )  # fmt: skip
            positive = checks.assert_positive(diagonal, message="Input must be positive definite.")
            x = with_dependencies([matrix, square, positive], x)
        known = None if x.shape.ndims is None else x.shape[-1].value
        count: Any = arrays.shape(x)[-1] if known is None else known
        n = casts.cast(count, dtype=x.dtype) if known is None else np.array(known, dtype=x.dtype.as_numpy_dtype)
        weights = grids.linspace(n, 1.0, count)
        weighted = arrays.squeeze(matrices.matmul(exponentials.log(diagonal), weights[..., None]), axis=-1)
        result = n * np.log(2.0) + weighted
        if x.shape.ndims is not None:
            return arrays.squeeze(result, axis=-1) if x.shape.ndims == 2 else result
        shape = arrays.shape(result)
        batch, single = shape[:-1], comparison.equal(arrays.rank(x), 2)
        last = vectors.pick_vector(single, np.array([], dtype=np.int32), shape[-1:])
        return arrays.reshape(result, joining.concat([batch, last], 0))


def _as_rows(x: Any) -> Any:
    """A vector as a matrix of one row; what has more dimensions as it is."""
    if x.shape.ndims is not None:
        return x[None, :] if x.shape.ndims == 1 else x
    shape = arrays.shape(x)
    batch, single = shape[:-1], comparison.equal(arrays.rank(x), 1)
    row = vectors.pick_vector(single, [1], np.array([], dtype=np.int32))
    return arrays.reshape(x, joining.concat([batch, row, shape[-1:]], 0))


class BatchNormalization(Bijector):
    """The inverse of batch normalization: ``inverse`` normalizes, ``forward`` undoes it by the moving statistics.

    Raises:
      ValueError: ``batchnorm_layer`` is no layer of that kind, or one with renormalization or virtual batches.
    """

    def __init__(
        self, batchnorm_layer: Any = None, training: Any = True, validate_args: bool = False,
        name: str = "batch_normalization",
    ) -> None:  # fmt: skip
        self.batchnorm = batchnorm_layer or normalization.BatchNormalization(gamma_constraint=lambda x: relu(x) + 1e-6)
        if not isinstance(self.batchnorm, normalization.BatchNormalization):
            raise ValueError("batchnorm_layer must be an instance of BatchNormalization layer.")
        if self.batchnorm.renorm:
            raise ValueError("BatchNorm Bijector does not support renormalization.")
        if self.batchnorm.virtual_batch_size:
            raise ValueError("BatchNorm Bijector does not support virtual batch sizes.")
        self._training = training
        axis: Any = self.batchnorm.axis
        rank = 1 if isinstance(axis, int) else len(axis)
        super().__init__(forward_min_event_ndims=rank, validate_args=validate_args, name=name)

    def _forward(self, x: Any) -> Any:
        layer: Any = self.batchnorm
        if not layer.built:
            layer.build(x.shape)
        spread = self._spread(x)
        mean, variance = spread(layer.moving_mean), spread(layer.moving_variance)
        beta = spread(layer.beta) if layer.center else None
        gamma = spread(layer.gamma) if layer.scale else None
        with name_scope(None, "undo_batchnorm", [x, mean, variance, gamma, beta]):
            rescale = powers.sqrt(variance + layer.epsilon)
            if gamma is not None:
                rescale /= gamma
            return x * rescale + (mean if beta is None else mean - beta * rescale)

    def _spread(self, x: Any) -> Any:
        """What makes statistics fit for ``x``, where its channels are not last."""
        if not x.shape.is_fully_defined():
            raise ValueError("Input must have shape known at graph construction.")
        axis: Any = self.batchnorm.axis
        sizes = x.shape.as_list()
        shape = [1] * len(sizes)
        shape[axis[0]] = sizes[axis[0]]
        last = [i for i in range(len(sizes)) if i not in axis] == list(range(len(sizes) - 1))
        return lambda v: v if len(v.shape) == len(sizes) or last else arrays.reshape(v, shape)

    def _inverse(self, y: Any) -> Any:
        return self.batchnorm.apply(y, training=self._training)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        return -self._inverse_log_det_jacobian(x, use_saved_statistics=True)

    def _inverse_log_det_jacobian(self, y: Any, use_saved_statistics: bool = False) -> Any:
        if not y.shape.is_fully_defined():
            raise ValueError("Input must have shape known at graph construction.")
        layer: Any = self.batchnorm
        if not layer.built:
            layer.build(y.shape)
        if use_saved_statistics or not self._training:
            log_variance = exponentials.log(layer.moving_variance + layer.epsilon)
        else:
            axes = [i for i in range(y.shape.ndims) if i not in layer.axis]
            log_variance = exponentials.log(moments(y, axes=axes, keepdims=True)[1] + layer.epsilon)
        of_gamma = reductions.reduce_sum(exponentials.log(layer.gamma))
        return of_gamma - 0.5 * reductions.reduce_sum(log_variance)
