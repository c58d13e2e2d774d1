"""The logistic, Cauchy and Gumbel distribution, and the half-normal one: shapes that are moved and stretched."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions import special_math
from retrograd.nn.distributions.distribution import FULLY_REPARAMETERIZED, BroadcastDistribution, ScalarDistribution
from retrograd.ops import (
    activations,
    arrays,
    casts,
    checks,
    constants,
    exponentials,
    joining,
    powers,
    random,
    rounding,
    special,
    trigonometry,
)


class _LocationScale(BroadcastDistribution):
    """``p(x) = f((x - loc) / scale) / scale``."""

    _PARAMETERS = ("loc", "scale")

    def __init__(
        self, loc: Any, scale: Any, validate_args: bool, allow_nan_stats: bool, parameters: dict[str, Any], name: str
    ) -> None:
        with (
            name_scope(name, values=[loc, scale]) as name,
            control_dependencies([checks.assert_positive(scale)] if validate_args else []),
        ):
            self._loc = arrays.identity(loc, name="loc")
            self._scale = arrays.identity(scale, name="scale")
            checks.assert_same_float_dtype([self._loc, self._scale])
        super().__init__(
            self._scale.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._loc, self._scale], name,
        )  # fmt: skip

    @property
    def loc(self) -> Tensor:
        return self._loc

    @property
    def scale(self) -> Tensor:
        return self._scale

    def _uniform(self, n: Any, seed: int | None) -> Tensor:
        """Numbers between 0 and 1, without 0."""
        shape = joining.concat([[n], self.batch_shape_tensor()], 0)
        return random.random_uniform(shape, np.finfo(self.dtype.as_numpy_dtype).tiny, 1.0, self.dtype, seed)

    def _log_unnormalized_prob(self, x: Any) -> Tensor:
        raise self._without("log_unnormalized_prob")

    def _log_prob(self, x: Any) -> Tensor:
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _log_normalization(self) -> Tensor:
        return exponentials.log(self.scale)

    def _mode(self) -> Tensor:
        return self.loc * constants.ones_like(self.scale)

    def _z(self, x: Any) -> Tensor:
        with name_scope("standardize", values=[x]):
            return (x - self.loc) / self.scale


class Logistic(_LocationScale):
    """``P[X <= x] = sigmoid(z)`` with ``z = (x - loc) / scale``."""

    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Logistic"
    ) -> None:
        super().__init__(loc, scale, validate_args, allow_nan_stats, dict(locals()), name)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        uniform = self._uniform(n, seed)
        return (exponentials.log(uniform) - exponentials.log1p(-1.0 * uniform)) * self.scale + self.loc

    def _log_cdf(self, x: Any) -> Tensor:
        return -activations.softplus(-self._z(x))

    def _cdf(self, x: Any) -> Tensor:
        return exponentials.sigmoid(self._z(x))

    def _log_survival_function(self, x: Any) -> Tensor:
        return -activations.softplus(self._z(x))

    def _survival_function(self, x: Any) -> Tensor:
        return exponentials.sigmoid(-self._z(x))

    def _log_unnormalized_prob(self, x: Any) -> Tensor:
        z = self._z(x)
        return -z - 2.0 * activations.softplus(-z)

    def _entropy(self) -> Tensor:
        scale = self.scale * constants.ones_like(self.loc)
        return 2 + exponentials.log(scale)

    def _mean(self) -> Tensor:
        return self.loc * constants.ones_like(self.scale)

    def _stddev(self) -> Tensor:
        return self.scale * constants.ones_like(self.loc) * math.pi / math.sqrt(3)


class Cauchy(_LocationScale):
    """``p(x) = 1 / (pi * scale * (1 + z^2))`` with ``z = (x - loc) / scale``."""

    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Cauchy"
    ) -> None:
        super().__init__(loc, scale, validate_args, allow_nan_stats, dict(locals()), name)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        shape = joining.concat([[n], self.batch_shape_tensor()], 0)
        return self._quantile(random.random_uniform(shape, 0.0, 1.0, self.dtype, seed))

    def _cdf(self, x: Any) -> Tensor:
        return trigonometry.atan(self._z(x)) / np.pi + 0.5

    def _log_cdf(self, x: Any) -> Tensor:
        return exponentials.log1p(2 / np.pi * trigonometry.atan(self._z(x))) - np.log(2)

    def _log_unnormalized_prob(self, x: Any) -> Tensor:
        return -exponentials.log1p(powers.square(self._z(x)))

    def _log_normalization(self) -> Tensor:
        return np.log(np.pi) + exponentials.log(self.scale)

    def _entropy(self) -> Tensor:
        return (np.log(4 * np.pi) + exponentials.log(self.scale)) * constants.ones_like(self.loc)

    def _quantile(self, p: Any) -> Tensor:
        return self.loc + self.scale * trigonometry.tan(np.pi * (p - 0.5))

    def _mean(self) -> Tensor:
        return self._undefined("mean")

    def _stddev(self) -> Tensor:
        return self._undefined("stddev")

    def _undefined(self, statistic: str) -> Tensor:
        if not self.allow_nan_stats:
            raise ValueError(f"`{statistic}` is undefined for Cauchy distribution.")
        return constants.fill(self.batch_shape_tensor(), self.dtype.as_numpy_dtype(np.nan))


class Gumbel(_LocationScale):
    """``P[X <= x] = exp(-exp(-z))`` with ``z = (x - loc) / scale``."""

    def __init__(
        self, loc: Any, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Gumbel"
    ) -> None:
        super().__init__(loc, scale, validate_args, allow_nan_stats, dict(locals()), name)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        return -exponentials.log(-exponentials.log(self._uniform(n, seed))) * self.scale + self.loc

    def _log_cdf(self, x: Any) -> Tensor:
        return -exponentials.exp(-self._z(x))

    def _cdf(self, x: Any) -> Tensor:
        return exponentials.exp(-exponentials.exp(-self._z(x)))

    def _log_unnormalized_prob(self, x: Any) -> Tensor:
        z = self._z(x)
        return -z - exponentials.exp(-z)

    def _entropy(self) -> Tensor:
        scale = self.scale * constants.ones_like(self.loc)
        return 1 + exponentials.log(scale) + np.euler_gamma

    def _mean(self) -> Tensor:
        return self.loc + self.scale * np.euler_gamma

    def _stddev(self) -> Tensor:
        return self.scale * constants.ones_like(self.loc) * math.pi / math.sqrt(6)


class HalfNormal(ScalarDistribution):
    """The absolute value of a normal number with mean 0 and deviation ``scale``."""

    _PARAMETERS = ("scale",)

    def __init__(
        self, scale: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "HalfNormal"
    ) -> None:
        parameters = dict(locals())
        with (
            name_scope(name, values=[scale]) as name,
            control_dependencies([checks.assert_positive(scale)] if validate_args else []),
        ):
            self._scale = arrays.identity(scale, name="scale")
        super().__init__(
            self._scale.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [self._scale], name
        )

    @property
    def scale(self) -> Tensor:
        return self._scale

    def _batch_shape_tensor(self) -> Tensor:
        return arrays.shape(self.scale)

    def _batch_shape(self) -> TensorShape:
        return self.scale.shape

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        shape = joining.concat([[n], self.batch_shape_tensor()], 0)
        return rounding.abs_(random.random_normal(shape, 0.0, 1.0, self.dtype, seed) * self.scale)

    def _prob(self, x: Any) -> Tensor:
        highest = np.sqrt(2) / self.scale / np.sqrt(np.pi)
        return highest * exponentials.exp(-0.5 * (x / self.scale) ** 2) * casts.cast(x >= 0, self.dtype)

    def _cdf(self, x: Any) -> Tensor:
        return special.erf(activations.relu(x) / self.scale / np.sqrt(2.0))

    def _entropy(self) -> Tensor:
        return 0.5 * exponentials.log(np.pi * self.scale**2.0 / 2.0) + 0.5

    def _mean(self) -> Tensor:
        return self.scale * np.sqrt(2.0) / np.sqrt(np.pi)

    def _quantile(self, p: Any) -> Tensor:
        return np.sqrt(2.0) * self.scale * special_math.erfinv(p)

    def _mode(self) -> Tensor:
        return constants.zeros(self.batch_shape_tensor())

    def _variance(self) -> Tensor:
        return self.scale**2.0 * (1.0 - 2.0 / np.pi)
