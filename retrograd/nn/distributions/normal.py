"""The normal distribution."""

from __future__ import annotations

import math
from typing import Any

from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions import special_math
from retrograd.nn.distributions.distribution import FULLY_REPARAMETERIZED, BroadcastDistribution
from retrograd.nn.distributions.divergences import RegisterKL
from retrograd.ops import activations, arithmetic, arrays, checks, constants, exponentials, joining, powers, random


class Normal(BroadcastDistribution):
    """``p(x) = exp(-((x - loc) / scale)^2 / 2) / (scale * sqrt(2 * pi))``."""

    _PARAMETERS = ("loc", "scale")

    def __init__(
        self,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Normal",
    ) -> None:
        parameters = dict(locals())
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
        """The mean."""
        return self._loc

    @property
    def scale(self) -> Tensor:
        """The standard deviation."""
        return self._scale

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        shape = joining.concat([[n], self.batch_shape_tensor()], 0)
        return random.random_normal(shape, 0.0, 1.0, self.loc.dtype, seed) * self.scale + self.loc

    def _log_prob(self, x: Any) -> Tensor:
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _log_cdf(self, x: Any) -> Tensor:
        return special_math.log_ndtr(self._z(x))

    def _cdf(self, x: Any) -> Tensor:
        return special_math.ndtr(self._z(x))

    def _log_survival_function(self, x: Any) -> Tensor:
        return special_math.log_ndtr(-self._z(x))

    def _survival_function(self, x: Any) -> Tensor:
        return special_math.ndtr(-self._z(x))

    def _log_unnormalized_prob(self, x: Any) -> Tensor:
        return -0.5 * powers.square(self._z(x))

    def _log_normalization(self) -> Tensor:
        return 0.5 * math.log(2.0 * math.pi) + exponentials.log(self.scale)

    def _entropy(self) -> Tensor:
        scale = self.scale * constants.ones_like(self.loc)
        return 0.5 * math.log(2.0 * math.pi * math.e) + exponentials.log(scale)

    def _mean(self) -> Tensor:
        return self.loc * constants.ones_like(self.scale)

    def _quantile(self, p: Any) -> Tensor:
        z = special_math.ndtri(p)
        with name_scope("reconstruct", values=[z]):
            return z * self.scale + self.loc

    def _stddev(self) -> Tensor:
        return self.scale * constants.ones_like(self.loc)

    def _mode(self) -> Tensor:
        return self._mean()

    def _z(self, x: Any) -> Tensor:
        with name_scope("standardize", values=[x]):
            return (x - self.loc) / self.scale


class NormalWithSoftplusScale(Normal):
    """``Normal(loc, softplus(scale))``."""

    def __init__(
        self,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "NormalWithSoftplusScale",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[scale]) as name:
            scale = activations.softplus(scale, name="softplus_scale")
            super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


@RegisterKL(Normal, Normal)
def _kl_normal_normal(n_a: Normal, n_b: Normal, name: str | None = None) -> Tensor:
    """``(mu_a - mu_b)^2 / (2 s_b^2) + (r - 1 - log(r)) / 2`` with ``r = s_a^2 / s_b^2``."""
    with name_scope(name, "kl_normal_normal", [n_a.loc, n_b.loc]):
        one, two, half = (constants.constant(value, dtype=n_a.dtype) for value in (1, 2, 0.5))
        s_a_squared, s_b_squared = powers.square(n_a.scale), powers.square(n_b.scale)
        ratio = s_a_squared / s_b_squared
        distance = arithmetic.squared_difference(n_a.loc, n_b.loc) / (two * s_b_squared)
        return distance + half * (ratio - one - exponentials.log(ratio))
