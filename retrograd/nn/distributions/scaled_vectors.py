"""Vectors ``loc + scale z`` of independent exponential or Laplace numbers z, by a linear operator."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.nn.distributions.continuous import Laplace
from retrograd.nn.distributions.gamma import Exponential
from retrograd.nn.distributions.normal_vectors import (
    AffineLinearOperator,
    is_diagonal,
    make_diag_scale,
    shapes_from_loc_and_scale,
)
from retrograd.nn.distributions.transformed import TransformedDistribution
from retrograd.nn.linear_operators import low_rank
from retrograd.nn.linear_operators.operator import LinearOperator
from retrograd.ops import arrays, constants, diagonals, joining, powers, rounding


def _checked(scale: LinearOperator | None) -> LinearOperator:
    if scale is None:
        raise ValueError("Missing required `scale` parameter.")
    if not scale.dtype.is_floating:
        raise TypeError("`scale` parameter must have floating-point dtype.")
    return scale


class _ScaledVectors(TransformedDistribution):
    """What both kinds share; the variance of one number z is 1 or 2."""

    @property
    def loc(self) -> Any:
        """What is added; None if nothing is."""
        return self.bijector.shift

    @property
    def scale(self) -> LinearOperator:
        """The operator."""
        return self.bijector.scale

    def _static_or_dynamic_shape(self) -> Any:
        shape = self.batch_shape.concatenate(self.event_shape)
        if shape.is_fully_defined():
            return shape
        return joining.concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0)

    def _is_low_rank(self) -> bool:
        return isinstance(self.scale, low_rank.LinearOperatorLowRankUpdate) and bool(self.scale.is_self_adjoint)

    def _squares(self) -> Any:
        dense = self.scale.to_dense()
        return self.scale.matmul(dense) if self._is_low_rank() else self.scale.matmul(dense, adjoint_arg=True)


class VectorExponentialLinearOperator(_ScaledVectors):
    """``loc + scale z`` for a vector z of independent exponential numbers of rate 1.

    Raises:
      ValueError: there is no scale.
      TypeError: it is no floating-point one.
    """

    def __init__(
        self, loc: Any = None, scale: LinearOperator | None = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "VectorExponentialLinearOperator",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        scale = _checked(scale)
        with name_scope(name, values=[loc, *scale.graph_parents]) as name:
            loc = None if loc is None else as_tensor(loc, name="loc")
            batch_shape, event_shape = shapes_from_loc_and_scale(loc, scale)
            super().__init__(
                Exponential(constants.ones([], dtype=scale.dtype), allow_nan_stats=allow_nan_stats),
                AffineLinearOperator(loc, scale, validate_args), batch_shape, event_shape, validate_args, name,
            )  # fmt: skip
            self._parameters = parameters

    def _moved(self, z: Any) -> Any:
        product = self.scale.matvec(z)
        return product if self.loc is None else arrays.identity(self.loc) + product

    def _mean(self) -> Any:
        return self._moved(constants.ones(self._static_or_dynamic_shape(), self.dtype))

    def _mode(self) -> Any:
        return self._moved(constants.zeros(self._static_or_dynamic_shape(), self.dtype))

    def _covariance(self) -> Any:
        if is_diagonal(self.scale):
            return diagonals.matrix_diag(powers.square(self.scale.diag_part()))
        return self.scale.matmul(self.scale.to_dense(), adjoint_arg=True)

    def _variance(self) -> Any:
        if is_diagonal(self.scale):
            return powers.square(self.scale.diag_part())
        return diagonals.matrix_diag_part(self._squares())

    def _stddev(self) -> Any:
        if is_diagonal(self.scale):
            return rounding.abs_(self.scale.diag_part())
        return powers.sqrt(diagonals.matrix_diag_part(self._squares()))


class VectorExponentialDiag(VectorExponentialLinearOperator):
    """Exponential numbers, each times a number of ``scale_diag`` or ``scale_identity_multiplier``."""

    def __init__(
        self, loc: Any = None, scale_diag: Any = None, scale_identity_multiplier: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True, name: str = "VectorExponentialDiag",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name) as name, name_scope("init", values=[loc, scale_diag, scale_identity_multiplier]):
            scale = make_diag_scale(loc, scale_diag, scale_identity_multiplier)
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class VectorLaplaceLinearOperator(_ScaledVectors):
    """``loc + scale z`` for a vector z of independent Laplace numbers of scale 1.

    Raises:
      ValueError: there is no scale.
      TypeError: it is no floating-point one.
    """

    def __init__(
        self, loc: Any = None, scale: LinearOperator | None = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "VectorLaplaceLinearOperator",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        scale = _checked(scale)
        with name_scope(name, values=[loc, *scale.graph_parents]):
            loc = None if loc is None else as_tensor(loc, name="loc")
            batch_shape, event_shape = shapes_from_loc_and_scale(loc, scale)
            super().__init__(
                Laplace(constants.zeros([], dtype=scale.dtype), constants.ones([], dtype=scale.dtype)),
                AffineLinearOperator(loc, scale, validate_args), batch_shape, event_shape, validate_args, name,
            )  # fmt: skip
            self._parameters = parameters

    def _mean(self) -> Any:
        shape = self._static_or_dynamic_shape()
        if self.loc is None:
            return constants.zeros(shape, self.dtype)
        if shape is not None and getattr(shape, "ndims", None) is not None and shape == self.loc.shape:
            return arrays.identity(self.loc)
        return arrays.identity(self.loc) + constants.zeros(shape, self.dtype)

    def _mode(self) -> Any:
        return self._mean()

    def _covariance(self) -> Any:
        if is_diagonal(self.scale):
            return 2.0 * diagonals.matrix_diag(powers.square(self.scale.diag_part()))
        return 2.0 * self.scale.matmul(self.scale.to_dense(), adjoint_arg=True)

    def _variance(self) -> Any:
        if is_diagonal(self.scale):
            return 2.0 * powers.square(self.scale.diag_part())
        if self._is_low_rank():
            return diagonals.matrix_diag_part(2.0 * self.scale.matmul(self.scale.to_dense()))
        return 2.0 * diagonals.matrix_diag_part(self.scale.matmul(self.scale.to_dense(), adjoint_arg=True))

    def _stddev(self) -> Any:
        if is_diagonal(self.scale):
            return np.sqrt(2) * rounding.abs_(self.scale.diag_part())
        return np.sqrt(2) * powers.sqrt(diagonals.matrix_diag_part(self._squares()))


class VectorLaplaceDiag(VectorLaplaceLinearOperator):
    """Laplace numbers, each times a number of ``scale_diag`` or ``scale_identity_multiplier``."""

    def __init__(
        self, loc: Any = None, scale_diag: Any = None, scale_identity_multiplier: Any = None,
        validate_args: bool = False, allow_nan_stats: bool = True, name: str = "VectorLaplaceDiag",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name), name_scope("init", values=[loc, scale_diag, scale_identity_multiplier]):
            scale = make_diag_scale(loc, scale_diag, scale_identity_multiplier)
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters
