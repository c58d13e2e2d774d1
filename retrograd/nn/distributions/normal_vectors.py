"""Vectors that are normally distributed, by a linear operator: ``loc + scale z``."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.bijector import Bijector
from retrograd.nn.distributions.divergences import RegisterKL
from retrograd.nn.distributions.normal import Normal
from retrograd.nn.distributions.sample_axes import SampleAxes
from retrograd.nn.distributions.transformed import TransformedDistribution
from retrograd.nn.distributions.vectors import dimension_size, prefer_static_broadcast_shape
from retrograd.nn.linear_operators import low_rank
from retrograd.nn.linear_operators.kinds import (
    LinearOperatorDiag,
    LinearOperatorIdentity,
    LinearOperatorLowerTriangular,
    LinearOperatorScaledIdentity,
)
from retrograd.nn.linear_operators.operator import LinearOperator
from retrograd.ops import (
    activations,
    arrays,
    casts,
    checks,
    constants,
    diagonals,
    joining,
    permuting,
    powers,
    reductions,
    repeating,
    rounding,
    solving,
)
from retrograd.ops.control import with_dependencies


class AffineLinearOperator(Bijector):
    """``y = scale x + shift`` for vectors."""

    def __init__(
        self,
        shift: Any = None,
        scale: LinearOperator | None = None,
        validate_args: bool = False,
        name: str = "affine_linear_operator",
    ) -> None:
        self._graph_parents = []
        self._name = name
        self._validate_args = validate_args
        parents: list[Any] = []
        with self._name_scope("init", [shift]):
            dtype = dtypes.float32
            if shift is not None:
                shift = as_tensor(shift, name="shift")
                parents.append(shift)
                dtype = shift.dtype.base_dtype
            self._shift = shift
            batch_ndims: Any = 0
            if scale is not None:
                if shift is not None and shift.dtype.base_dtype != scale.dtype.base_dtype:
                    raise TypeError(f"shift.dtype({shift.dtype}) is incompatible with scale.dtype({scale.dtype}).")
                if not isinstance(scale, LinearOperator):
                    raise TypeError("scale is not an instance of tf.LinearOperator")
                if validate_args and not scale.is_non_singular:
                    raise ValueError("Scale matrix must be non-singular.")
                parents += scale.graph_parents
                if scale.tensor_rank is not None:
                    batch_ndims = scale.tensor_rank - 2
                else:
                    batch_ndims = scale.tensor_rank_tensor() - 2
                    parents.append(batch_ndims)
                dtype = dtype if scale.dtype is None else scale.dtype.base_dtype
            self._scale = scale
            self._axes = SampleAxes(batch_ndims, 1, validate_args)
            super().__init__(
                graph_parents=parents, is_constant_jacobian=True, validate_args=validate_args, dtype=dtype,
                forward_min_event_ndims=1, name=name,
            )  # fmt: skip

    @property
    def shift(self) -> Any:
        return self._shift

    @property
    def scale(self) -> Any:
        return self._scale

    def _forward(self, x: Any) -> Any:
        y = x
        if self.scale is not None:
            y, sample_shape = self._axes.make_batch_of_event_sample_matrices(y, expand_batch_dim=False)
            with control_dependencies(self._conditions()):
                y = self.scale.matmul(y)
            y = self._axes.undo_make_batch_of_event_sample_matrices(y, sample_shape, expand_batch_dim=False)
        return y if self.shift is None else y + self.shift

    def _inverse(self, y: Any) -> Any:
        x = y if self.shift is None else y - self.shift
        if self.scale is not None:
            x, sample_shape = self._axes.make_batch_of_event_sample_matrices(x, expand_batch_dim=False)
            x = self.scale.solve(x)
            x = self._axes.undo_make_batch_of_event_sample_matrices(x, sample_shape, expand_batch_dim=False)
        return x

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        if self.scale is None:
            return constants.constant(0.0, dtype=x.dtype.base_dtype)
        with control_dependencies(self._conditions()):
            return self.scale.log_abs_determinant()

    def _conditions(self) -> list[Any]:
        if not self.validate_args:
            return []
        try:
            return [self.scale.assert_non_singular()]
        except NotImplementedError:
            return []


def _tensor(x: Any, name: str) -> Any:
    return None if x is None else as_tensor(x, name=name)


def make_diag_scale(
    loc: Any = None,
    scale_diag: Any = None,
    scale_identity_multiplier: Any = None,
    shape_hint: Any = None,
    validate_args: bool = False,
    assert_positive: bool = False,
    name: str | None = None,
) -> LinearOperator:
    """``diag(scale_diag + scale_identity_multiplier)`` as an operator, of the size of ``loc`` if nothing else has one.

    Raises:
      ValueError: the size is unknown.
    """

    def checked(x: Any) -> Any:
        if not validate_args:
            return x
        if assert_positive:
            condition = checks.assert_positive(x, message="diagonal part must be positive")
        else:
            condition = checks.assert_none_equal(
                x, constants.zeros([], x.dtype), message="diagonal part must be non-zero"
            )
        return with_dependencies([condition], x)

    with name_scope(name, "make_diag_scale", values=[loc, scale_diag, scale_identity_multiplier]):
        loc, scale_diag = _tensor(loc, "loc"), _tensor(scale_diag, "scale_diag")
        multiplier = _tensor(scale_identity_multiplier, "scale_identity_multiplier")
        if scale_diag is not None:
            if multiplier is not None:
                scale_diag += multiplier[..., None]
            return LinearOperatorDiag(checked(scale_diag), True, True, assert_positive)
        if loc is None and shape_hint is None:
            raise ValueError("Cannot infer `event_shape` unless `loc` or `shape_hint` is specified.")
        size = loc.shape[-1] if shape_hint is None else shape_hint
        if multiplier is None:
            return LinearOperatorIdentity(size, dtype=loc.dtype.base_dtype, assert_proper_shapes=validate_args)
        return LinearOperatorScaledIdentity(
            size, checked(multiplier), True, True, assert_positive, assert_proper_shapes=validate_args
        )


def shapes_from_loc_and_scale(loc: Any, scale: LinearOperator) -> tuple[Any, Any]:
    """The shapes of the batch and of the event."""
    with name_scope("shapes_from_loc_and_scale", values=[loc, *scale.graph_parents]):
        size = scale.range_dimension_tensor()
        known = constant_value(size)
        event_shape = known.reshape([1]) if known is not None else size[None]
        if loc is not None and known is not None and loc.shape[-1].value not in (None, 1, int(known)):
            raise ValueError(  # the sizes stand in TensorFlow's order
                f"Event size of 'scale' ({loc.shape[-1].value}) could not be broadcast up to that of 'loc' ({known})."
            )
        batch_shape = scale.batch_shape_tensor()
        if loc is None:
            static = constant_value(batch_shape)
            return (batch_shape if static is None else static), event_shape
        of_loc: Any = loc.shape.with_rank_at_least(1)[:-1]
        if loc.shape.ndims is None or not of_loc.is_fully_defined():
            of_loc = arrays.shape(loc)[:-1]
        else:
            of_loc = as_tensor(of_loc, name="loc_batch_shape")
        return prefer_static_broadcast_shape(batch_shape, of_loc), event_shape


def is_diagonal(scale: LinearOperator) -> bool:
    return isinstance(scale, LinearOperatorIdentity | LinearOperatorScaledIdentity | LinearOperatorDiag)


class MultivariateNormalLinearOperator(TransformedDistribution):
    """``loc + scale z`` for a vector ``z`` of independent standard normal numbers.

    Raises:
      ValueError: there is no scale.
      TypeError: it is no floating-point one.
    """

    def __init__(
        self,
        loc: Any = None,
        scale: LinearOperator | None = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalLinearOperator",
    ) -> None:
        parameters = dict(locals())
        if scale is None:
            raise ValueError("Missing required `scale` parameter.")
        if not scale.dtype.is_floating:
            raise TypeError("`scale` parameter must have floating-point dtype.")
        with name_scope(name, values=[loc, *scale.graph_parents]) as name:
            loc = _tensor(loc, "loc")
            batch_shape, event_shape = shapes_from_loc_and_scale(loc, scale)
        super().__init__(
            Normal(constants.zeros([], dtype=scale.dtype), constants.ones([], dtype=scale.dtype)),
            AffineLinearOperator(loc, scale, validate_args),
            batch_shape,
            event_shape,
            validate_args,
            name,
        )
        self._parameters = parameters

    @property
    def loc(self) -> Any:
        """The mean; None if it is zero."""
        return self.bijector.shift

    @property
    def scale(self) -> LinearOperator:
        return self.bijector.scale

    def _mean(self) -> Any:
        static = self.batch_shape.concatenate(self.event_shape)
        known = static.is_fully_defined()
        shape = static if known else joining.concat([self.batch_shape_tensor(), self.event_shape_tensor()], 0)
        if self.loc is None:
            return constants.zeros(shape, self.dtype)
        if known and static == self.loc.shape:
            return arrays.identity(self.loc)
        return arrays.identity(self.loc) + constants.zeros(shape, self.dtype)

    def _covariance(self) -> Any:
        if is_diagonal(self.scale):
            return diagonals.matrix_diag(powers.square(self.scale.diag_part()))
        return self.scale.matmul(self.scale.to_dense(), adjoint_arg=True)

    def _variance(self) -> Any:
        return powers.square(self.scale.diag_part()) if is_diagonal(self.scale) else self._dense_variance()

    def _stddev(self) -> Any:
        return rounding.abs_(self.scale.diag_part()) if is_diagonal(self.scale) else powers.sqrt(self._dense_variance())

    def _dense_variance(self) -> Any:
        if isinstance(self.scale, low_rank.LinearOperatorLowRankUpdate) and self.scale.is_self_adjoint:
            return diagonals.matrix_diag_part(self.scale.matmul(self.scale.to_dense()))
        return diagonals.matrix_diag_part(self.scale.matmul(self.scale.to_dense(), adjoint_arg=True))

    def _mode(self) -> Any:
        return self._mean()


@RegisterKL(MultivariateNormalLinearOperator, MultivariateNormalLinearOperator)
def _kl(a: MultivariateNormalLinearOperator, b: MultivariateNormalLinearOperator, name: str | None = None) -> Tensor:
    """``log|B| - log|A| + (|B^-1 A|^2 + |B^-1 (mu_b - mu_a)|^2 - k) / 2``."""

    def squared_norm(x: Any) -> Any:
        return reductions.reduce_sum(powers.square(x), axis=[-2, -1])

    with name_scope(name, "kl_mvn", values=[a.loc, b.loc, *a.scale.graph_parents, *b.scale.graph_parents]):
        if is_diagonal(a.scale) and is_diagonal(b.scale):
            b_inv_a = (a.stddev() / b.stddev())[..., None]
        else:
            b_inv_a = b.scale.solve(a.scale.to_dense())
        divergence = (
            b.scale.log_abs_determinant()
            - a.scale.log_abs_determinant()
            + 0.5
            * (
                -casts.cast(a.scale.domain_dimension_tensor(), a.dtype)
                + squared_norm(b_inv_a)
                + squared_norm(b.scale.solve((b.mean() - a.mean())[..., None]))
            )
        )
        divergence.set_shape(repeating.broadcast_static_shape(a.batch_shape, b.batch_shape))
        return divergence


class MultivariateNormalDiag(MultivariateNormalLinearOperator):
    """Independent normal numbers with means ``loc`` and standard deviations ``scale_diag``."""

    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalDiag",
    ) -> None:
        parameters = dict(locals())
        values = [loc, scale_diag, scale_identity_multiplier]
        with name_scope(name) as name, name_scope("init", values=values):
            scale = make_diag_scale(loc, scale_diag, scale_identity_multiplier)
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class MultivariateNormalDiagWithSoftplusScale(MultivariateNormalDiag):
    """``MultivariateNormalDiag(loc, softplus(scale_diag))``."""

    def __init__(
        self,
        loc: Any,
        scale_diag: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalDiagWithSoftplusScale",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[scale_diag]) as name:
            scale = activations.softplus(scale_diag)
            super().__init__(loc, scale, validate_args=validate_args, allow_nan_stats=allow_nan_stats, name=name)
        self._parameters = parameters


class MultivariateNormalDiagPlusLowRank(MultivariateNormalLinearOperator):
    """Normal vectors with means ``loc`` and ``scale = diag(scale_diag) + U diag(scale_perturb_diag) U^T``."""

    def __init__(
        self,
        loc: Any = None,
        scale_diag: Any = None,
        scale_identity_multiplier: Any = None,
        scale_perturb_factor: Any = None,
        scale_perturb_diag: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalDiagPlusLowRank",
    ) -> None:
        parameters = dict(locals())
        values = [loc, scale_diag, scale_identity_multiplier, scale_perturb_factor, scale_perturb_diag]
        with name_scope(name) as name, name_scope("init", values=values):
            is_perturbed = scale_perturb_factor is not None or scale_perturb_diag is not None
            scale = make_diag_scale(
                loc, scale_diag, scale_identity_multiplier, validate_args=validate_args, assert_positive=is_perturbed
            )
            factor = _tensor(scale_perturb_factor, "scale_perturb_factor")
            diagonal = _tensor(scale_perturb_diag, "scale_perturb_diag")
            if is_perturbed:
                scale = low_rank.LinearOperatorLowRankUpdate(
                    scale, factor, diagonal, is_diag_update_positive=diagonal is None, is_non_singular=True,
                    is_self_adjoint=True, is_positive_definite=True, is_square=True,
                )  # fmt: skip
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class MultivariateNormalTriL(MultivariateNormalLinearOperator):
    """``loc + scale_tril z`` with a lower triangular matrix.

    Raises:
      ValueError: neither is given.
    """

    def __init__(
        self,
        loc: Any = None,
        scale_tril: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalTriL",
    ) -> None:
        parameters = dict(locals())
        if loc is None and scale_tril is None:
            raise ValueError("Must specify one or both of `loc`, `scale_tril`.")
        with name_scope(name) as name, name_scope("init", values=[loc, scale_tril]):
            loc, scale_tril = _tensor(loc, "loc"), _tensor(scale_tril, "scale_tril")
            scale: LinearOperator
            if scale_tril is None:
                size = dimension_size(loc, -1)
                scale = LinearOperatorIdentity(size, dtype=loc.dtype, assert_proper_shapes=validate_args)
            else:
                scale = LinearOperatorLowerTriangular(scale_tril, True, False, False)
        super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class MultivariateNormalFullCovariance(MultivariateNormalTriL):
    """Normal vectors with a mean and a matrix of covariances."""

    def __init__(
        self,
        loc: Any = None,
        covariance_matrix: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "MultivariateNormalFullCovariance",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name) as name, name_scope("init", values=[loc, covariance_matrix]):
            factor = None
            if covariance_matrix is not None:
                matrix = as_tensor(covariance_matrix, name="covariance_matrix")
                if validate_args:
                    message = "Matrix was not symmetric"
                    symmetric = checks.assert_near(matrix, permuting.matrix_transpose(matrix), message=message)
                    matrix = with_dependencies([symmetric], matrix)
                factor = solving.cholesky(matrix)
            super().__init__(loc, factor, validate_args, allow_nan_stats, name)
        self._parameters = parameters
