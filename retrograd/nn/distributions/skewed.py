"""Skewed and heavy-tailed numbers: y = sinh((asinh(x) + skewness) * tailweight).

Source: Jones and Pewsey, "Sinh-arcsinh distributions", 2009; order of nodes: TensorFlow 1.15.5.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.affine import Affine
from retrograd.nn.distributions.bijector import Bijector
from retrograd.nn.distributions.bijectors import AffineScalar, Chain
from retrograd.nn.distributions.distribution import FULLY_REPARAMETERIZED, Distribution
from retrograd.nn.distributions.normal import Normal
from retrograd.nn.distributions.normal_vectors import make_diag_scale, shapes_from_loc_and_scale
from retrograd.nn.distributions.transformed import TransformedDistribution
from retrograd.nn.linear_operators.operator import LinearOperator
from retrograd.ops import arrays, checks, comparison, constants, exponentials, powers, repeating, rounding, trigonometry
from retrograd.ops.control import with_dependencies


def broadcast_shape(*tensors: Tensor) -> Any:
    """The shape that the tensors have together, as a list if it is known."""
    static = tensors[0].shape
    for x in tensors[1:]:
        static = repeating.broadcast_static_shape(static, x.shape)
    if static.is_fully_defined():
        return static.as_list()
    shape = arrays.shape(tensors[0])
    for x in tensors[1:]:
        shape = repeating.broadcast_dynamic_shape(shape, arrays.shape(x))
    return shape


def _root_of_square_and_one(x: Any) -> Any:
    """``sqrt(x^2 + 1)``, which is |x| where the square is too large for the 1 to count."""
    small = rounding.abs_(x) * np.sqrt(np.finfo(x.dtype.as_numpy_dtype).eps) <= 1.0
    return comparison.where_v2(small, powers.sqrt(x**2.0 + 1.0), rounding.abs_(x))


class SinhArcsinhBijector(Bijector):
    """``sinh((asinh(x) + skewness) * tailweight)``."""

    def __init__(
        self, skewness: Any = None, tailweight: Any = None, validate_args: bool = False, name: str = "SinhArcsinh"
    ) -> None:
        self._graph_parents = []
        self._name = name
        self._validate_args = validate_args
        with self._name_scope("init", values=[skewness, tailweight]):
            self._skewness = as_tensor(0.0 if skewness is None else skewness, name="skewness")
            tailweight = 1.0 if tailweight is None else tailweight
            self._tailweight = as_tensor(tailweight, name="tailweight", dtype=self._skewness.dtype)
            checks.assert_same_float_dtype([self._skewness, self._tailweight])
            if validate_args:
                message = "Argument tailweight was not positive"
                positive = checks.assert_positive(self._tailweight, message=message)
                self._tailweight = with_dependencies([positive], self._tailweight)
        super().__init__(forward_min_event_ndims=0, validate_args=validate_args, name=name)

    @property
    def skewness(self) -> Tensor:
        return self._skewness

    @property
    def tailweight(self) -> Tensor:
        return self._tailweight

    def _forward(self, x: Any) -> Any:
        return trigonometry.sinh((trigonometry.asinh(x) + self.skewness) * self.tailweight)

    def _inverse(self, y: Any) -> Any:
        return trigonometry.sinh(trigonometry.asinh(y) / self.tailweight - self.skewness)

    def _inverse_log_det_jacobian(self, y: Any) -> Any:
        slope = trigonometry.cosh(trigonometry.asinh(y) / self.tailweight - self.skewness)
        return exponentials.log(slope / _root_of_square_and_one(y)) - exponentials.log(self.tailweight)

    def _forward_log_det_jacobian(self, x: Any) -> Any:
        slope = trigonometry.cosh((trigonometry.asinh(x) + self.skewness) * self.tailweight)
        return exponentials.log(slope / _root_of_square_and_one(x)) + exponentials.log(self.tailweight)


def _scalar_conditions(distribution: Distribution, dtype: Any, validate_args: bool) -> list[Any]:
    """What must hold in a run for a distribution of single numbers.

    Raises:
      TypeError, ValueError: it is of another dtype, not reparameterized, or not of single numbers.
    """
    if distribution.dtype != dtype:
        raise TypeError(f'dtype mismatch; distribution.dtype="{distribution.dtype.name}" is not "{dtype.name}"')
    if validate_args and distribution.reparameterization_type != FULLY_REPARAMETERIZED:
        raise ValueError(
            "Base distribution should be reparameterized or be a function of non-trainable variables; "
            f'distribution.reparameterization_type = "{distribution.reparameterization_type}" != '
            '"FULLY_REPARAMETERIZED".'
        )
    conditions = []
    with name_scope("check_distribution"):
        for word in ("is_scalar_event", "is_scalar_batch"):
            is_scalar = getattr(distribution, word)()
            known = constant_value(as_tensor(is_scalar))
            message = f"distribution must be scalar; distribution.{word}=False is not True"
            if known is None and validate_args:
                conditions.append(checks.assert_equal(is_scalar, True, message=message))
            elif known is not None and not known:
                raise ValueError(message)
    return conditions


def _standard(dtype: Any, allow_nan_stats: bool) -> Normal:
    zero, one = constants.zeros([], dtype=dtype), constants.ones([], dtype=dtype)
    return Normal(zero, one, allow_nan_stats=allow_nan_stats)


def _unskewed(f: SinhArcsinhBijector, skewness: Any, tailweight: Any, is_skewed: bool) -> SinhArcsinhBijector:
    return SinhArcsinhBijector(skewness.dtype.as_numpy_dtype(0.0), tailweight) if is_skewed else f


class SinhArcsinh(TransformedDistribution):
    """``loc + scale * f(Z) * 2 / f_0(2)`` for Z of ``distribution`` (normal), f_0 without skewness."""

    def __init__(
        self, loc: Any, scale: Any, skewness: Any = None, tailweight: Any = None,
        distribution: Distribution | None = None, validate_args: bool = False, allow_nan_stats: bool = True,
        name: str = "SinhArcsinh",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        is_skewed = skewness is not None
        with name_scope(name, values=[loc, scale, skewness, tailweight]) as name:
            loc = as_tensor(loc, name="loc")
            dtype = loc.dtype
            scale = as_tensor(scale, name="scale", dtype=dtype)
            tailweight = as_tensor(1.0 if tailweight is None else tailweight, name="tailweight", dtype=dtype)
            skewness = as_tensor(skewness if is_skewed else 0.0, name="skewness", dtype=dtype)
            batch_shape = broadcast_shape(loc, scale, tailweight, skewness)
            if distribution is None:
                distribution = _standard(dtype, allow_nan_stats)
            else:
                conditions = _scalar_conditions(distribution, dtype, validate_args)
                loc = with_dependencies(conditions, loc) if conditions else loc
            f = SinhArcsinhBijector(skewness, tailweight)
            c = 2 * scale / _unskewed(f, skewness, tailweight, is_skewed).forward(as_tensor(2, dtype=dtype))
            affine = AffineScalar(shift=loc, scale=c, validate_args=validate_args)
            super().__init__(
                distribution, Chain([affine, f]), batch_shape, validate_args=validate_args, name=name
            )  # fmt: skip
        self._parameters = parameters
        self._loc, self._scale, self._tailweight, self._skewness = loc, scale, tailweight, skewness

    @property
    def loc(self) -> Tensor:
        return self._loc

    @property
    def scale(self) -> Tensor:
        return self._scale

    @property
    def tailweight(self) -> Tensor:
        return self._tailweight

    @property
    def skewness(self) -> Tensor:
        return self._skewness


class VectorSinhArcsinhDiag(TransformedDistribution):
    """Vectors of such numbers, each with its own scale."""

    def __init__(
        self, loc: Any = None, scale_diag: Any = None, scale_identity_multiplier: Any = None, skewness: Any = None,
        tailweight: Any = None, distribution: Distribution | None = None, validate_args: bool = False,
        allow_nan_stats: bool = True, name: str = "MultivariateNormalLinearOperator",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        is_skewed = skewness is not None
        with name_scope(name, values=[loc, scale_diag, scale_identity_multiplier, skewness, tailweight]) as name:
            loc = None if loc is None else as_tensor(loc, name="loc")
            scale = make_diag_scale(loc, scale_diag, scale_identity_multiplier)
            batch_shape, event_shape = shapes_from_loc_and_scale(loc, scale)
            diagonal = scale.diag_part()
            dtype = diagonal.dtype
            if distribution is None:
                distribution = _standard(dtype, allow_nan_stats)
            else:
                conditions = _scalar_conditions(distribution, dtype, validate_args)
                diagonal = with_dependencies(conditions, diagonal) if conditions else diagonal
            skewness = as_tensor(skewness if is_skewed else 0.0, dtype=dtype, name="skewness")
            tailweight = as_tensor(1.0 if tailweight is None else tailweight, dtype=dtype, name="tailweight")
            f = SinhArcsinhBijector(skewness, tailweight)
            c = 2 * diagonal / _unskewed(f, skewness, tailweight, is_skewed).forward(as_tensor(2, dtype=dtype))
            affine = Affine(shift=loc, scale_diag=c, validate_args=validate_args)
            super().__init__(distribution, Chain([affine, f]), batch_shape, event_shape, validate_args, name)
        self._parameters = parameters
        self._loc, self._scale, self._tailweight, self._skewness = loc, scale, tailweight, skewness

    @property
    def loc(self) -> Any:
        return self._loc

    @property
    def scale(self) -> LinearOperator:
        return self._scale

    @property
    def tailweight(self) -> Tensor:
        return self._tailweight

    @property
    def skewness(self) -> Tensor:
        return self._skewness
