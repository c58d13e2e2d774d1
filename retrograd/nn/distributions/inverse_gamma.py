"""The inverse gamma and the chi-squared distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.distribution import NOT_REPARAMETERIZED, BroadcastDistribution
from retrograd.nn.distributions.gamma import Gamma
from retrograd.ops import (
    activations,
    arithmetic,
    arrays,
    checks,
    comparison,
    constants,
    exponentials,
    powers,
    rounding,
    special,
    variates,
)
from retrograd.ops.control import with_dependencies


class InverseGamma(BroadcastDistribution):
    """``1 / X`` for ``X`` of the gamma distribution of this ``concentration`` and ``rate``."""

    _PARAMETERS = ("concentration", "rate")

    def __init__(
        self,
        concentration: Any,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "InverseGamma",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[concentration, rate]) as name:
            positive = [checks.assert_positive(concentration), checks.assert_positive(rate)] if validate_args else []
            with control_dependencies(positive):
                self._concentration = arrays.identity(concentration, name="concentration")
                self._rate = arrays.identity(rate, name="rate")
                checks.assert_same_float_dtype([self._concentration, self._rate])
        super().__init__(
            self._concentration.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._concentration, self._rate], name,
        )  # fmt: skip

    @property
    def concentration(self) -> Tensor:
        return self._concentration

    @property
    def rate(self) -> Tensor:
        return self._rate

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        return 1.0 / variates.random_gamma([n], self.concentration, self.rate, self.dtype, seed)

    def _log_prob(self, x: Any) -> Tensor:
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _cdf(self, x: Any) -> Tensor:
        x = self._checked(x)
        return special.igammac(self.concentration, self.rate / x)

    def _log_unnormalized_prob(self, x: Any) -> Tensor:
        x = self._checked(x)
        return -(1.0 + self.concentration) * exponentials.log(x) - self.rate / x

    def _log_normalization(self) -> Tensor:
        return special.lgamma(self.concentration) - self.concentration * exponentials.log(self.rate)

    def _entropy(self) -> Tensor:
        return (
            self.concentration
            + exponentials.log(self.rate)
            + special.lgamma(self.concentration)
            - ((1.0 + self.concentration) * special.digamma(self.concentration))
        )

    def _mean(self) -> Tensor:
        """``rate / (concentration - 1)`` if ``concentration > 1``, else undefined."""
        mean = self.rate / (self.concentration - 1.0)
        return self._defined_above(1.0, mean, "mean undefined when any concentration <= 1")

    def _variance(self) -> Tensor:
        """``rate^2 / ((concentration - 1)^2 (concentration - 2))`` if ``concentration > 2``, else undefined."""
        squares = powers.square(self.rate) / arithmetic.squared_difference(self.concentration, 1.0)
        variance = squares / (self.concentration - 2.0)
        return self._defined_above(2.0, variance, "variance undefined when any concentration <= 2")

    def _defined_above(self, least: float, statistic: Tensor, message: str) -> Tensor:
        if self.allow_nan_stats:
            nan = constants.fill(self.batch_shape_tensor(), np.array(np.nan, self.dtype.as_numpy_dtype), name="nan")
            return comparison.where_v2(self.concentration > least, statistic, nan)
        if least == 1.0:
            bound = constants.ones([], self.dtype)
        else:
            bound = constants.constant(least, dtype=self.dtype)
        return with_dependencies([checks.assert_less(bound, self.concentration, message=message)], statistic)

    def _mode(self) -> Tensor:
        return self.rate / (1.0 + self.concentration)

    def _checked(self, x: Any) -> Any:
        checks.assert_same_float_dtype([x], self.dtype)
        return with_dependencies([checks.assert_positive(x)], x) if self.validate_args else x


class InverseGammaWithSoftplusConcentrationRate(InverseGamma):
    """``InverseGamma(softplus(concentration), softplus(rate))``."""

    def __init__(
        self,
        concentration: Any,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "InverseGammaWithSoftplusConcentrationRate",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[concentration, rate]) as name:
            concentration = activations.softplus(concentration, name="softplus_concentration")
            rate = activations.softplus(rate, name="softplus_rate")
            super().__init__(concentration, rate, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class Chi2(Gamma):
    """The sum of ``df`` squares of standard normal numbers: ``Gamma(df / 2, 1 / 2)``."""

    _PARAMETERS = ("df",)

    def __init__(self, df: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Chi2") -> None:
        parameters = dict(locals())
        with name_scope(name, values=[df]) as name:
            with control_dependencies([checks.assert_positive(df)] if validate_args else []):
                self._df = arrays.identity(df, name="df")
            concentration = 0.5 * self._df
            rate = constants.constant(0.5, dtype=self._df.dtype)
            super().__init__(concentration, rate, validate_args, allow_nan_stats, name)
        self._parameters = parameters

    @property
    def df(self) -> Tensor:
        """The degrees of freedom."""
        return self._df


class Chi2WithAbsDf(Chi2):
    """``Chi2(floor(abs(df)))``."""

    def __init__(
        self, df: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Chi2WithAbsDf"
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[df]) as name:
            df = rounding.floor(rounding.abs_(df, name="abs_df"), name="floor_abs_df")
            super().__init__(df, validate_args, allow_nan_stats, name)
        self._parameters = parameters
