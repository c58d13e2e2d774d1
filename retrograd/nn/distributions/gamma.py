"""The gamma, exponential and beta distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.arguments import gen_new_seed
from retrograd.nn.distributions.distribution import FULLY_REPARAMETERIZED, BroadcastDistribution, ScalarDistribution
from retrograd.nn.distributions.divergences import RegisterKL
from retrograd.ops import (
    activations,
    arrays,
    checks,
    comparison,
    constants,
    exponentials,
    joining,
    powers,
    random,
    repeating,
    special,
    variates,
)
from retrograd.ops.control import with_dependencies


class Gamma(BroadcastDistribution):
    """``p(x) = x^(concentration - 1) * exp(-x * rate) * rate^concentration / gamma(concentration)``."""

    _PARAMETERS: tuple[str, ...] = ("concentration", "rate")

    def __init__(
        self,
        concentration: Any,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Gamma",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[concentration, rate]) as name:
            positive = [checks.assert_positive(concentration), checks.assert_positive(rate)] if validate_args else []
            with control_dependencies(positive):
                self._concentration = arrays.identity(concentration, name="concentration")
                self._rate = arrays.identity(rate, name="rate")
                checks.assert_same_float_dtype([self._concentration, self._rate])
        super().__init__(
            self._concentration.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._concentration, self._rate], name,
        )  # fmt: skip

    @property
    def concentration(self) -> Tensor:
        return self._concentration

    @property
    def rate(self) -> Tensor:
        return self._rate

    def _batch_shape_tensor(self) -> Tensor:
        return repeating.broadcast_dynamic_shape(arrays.shape(self.concentration), arrays.shape(self.rate))

    def _batch_shape(self) -> TensorShape:
        return repeating.broadcast_static_shape(self.concentration.shape, self.rate.shape)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        return variates.random_gamma([n], self.concentration, self.rate, self.dtype, seed)

    def _log_prob(self, x: Any) -> Tensor:
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _cdf(self, x: Any) -> Tensor:
        x = self._checked(x)
        return special.igamma(self.concentration, self.rate * x)

    def _log_unnormalized_prob(self, x: Any) -> Tensor:
        x = self._checked(x)
        return exponentials.xlogy(self.concentration - 1.0, x) - self.rate * x

    def _log_normalization(self) -> Tensor:
        return special.lgamma(self.concentration) - self.concentration * exponentials.log(self.rate)

    def _entropy(self) -> Tensor:
        return (
            self.concentration
            - exponentials.log(self.rate)
            + special.lgamma(self.concentration)
            + (1.0 - self.concentration) * special.digamma(self.concentration)
        )

    def _mean(self) -> Tensor:
        return self.concentration / self.rate

    def _variance(self) -> Tensor:
        return self.concentration / powers.square(self.rate)

    def _stddev(self) -> Tensor:
        return powers.sqrt(self.concentration) / self.rate

    def _mode(self) -> Tensor:
        """``(concentration - 1) / rate`` if ``concentration > 1``, else undefined."""
        mode = (self.concentration - 1.0) / self.rate
        if self.allow_nan_stats:
            nan = constants.fill(self.batch_shape_tensor(), np.array(np.nan, self.dtype.as_numpy_dtype), name="nan")
            return comparison.where_v2(self.concentration > 1.0, mode, nan)
        message = "mode not defined when any concentration <= 1"
        return with_dependencies(
            [checks.assert_less(constants.ones([], self.dtype), self.concentration, message=message)], mode
        )

    def _checked(self, x: Any) -> Any:
        checks.assert_same_float_dtype([x], self.dtype)
        return with_dependencies([checks.assert_positive(x)], x) if self.validate_args else x


class GammaWithSoftplusConcentrationRate(Gamma):
    """``Gamma(softplus(concentration), softplus(rate))``."""

    def __init__(
        self,
        concentration: Any,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "GammaWithSoftplusConcentrationRate",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[concentration, rate]) as name:
            concentration = activations.softplus(concentration, name="softplus_concentration")
            rate = activations.softplus(rate, name="softplus_rate")
            super().__init__(concentration, rate, validate_args, allow_nan_stats, name)
        self._parameters = parameters


@RegisterKL(Gamma, Gamma)
def _kl_gamma_gamma(g0: Gamma, g1: Gamma, name: str | None = None) -> Tensor:
    with name_scope(name, "kl_gamma_gamma", values=[g0.concentration, g0.rate, g1.concentration, g1.rate]):
        return (
            (g0.concentration - g1.concentration) * special.digamma(g0.concentration)
            + special.lgamma(g1.concentration)
            - special.lgamma(g0.concentration)
            + g1.concentration * exponentials.log(g0.rate)
            - g1.concentration * exponentials.log(g1.rate)
            + g0.concentration * (g1.rate / g0.rate - 1.0)
        )


class Exponential(Gamma):
    """``p(x) = rate * exp(-rate * x)``."""

    _PARAMETERS = ("rate",)

    def __init__(
        self, rate: Any, validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Exponential"
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[rate]) as name:
            self._rate = as_tensor(rate, name="rate")
        super().__init__(constants.ones([], dtype=self._rate.dtype), self._rate, validate_args, allow_nan_stats, name)
        self._parameters = parameters
        self._graph_parents += [self._rate]

    def _log_survival_function(self, value: Any) -> Tensor:
        return self._log_prob(value) - exponentials.log(self._rate)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        """``-log(u) / rate`` for u between the least positive number and 1."""
        shape = joining.concat([[n], arrays.shape(self._rate)], 0)
        least = np.finfo(self.dtype.as_numpy_dtype).tiny
        return -exponentials.log(random.random_uniform(shape, least, 1.0, self.dtype, seed)) / self._rate


class ExponentialWithSoftplusRate(Exponential):
    """``Exponential(softplus(rate))``."""

    def __init__(
        self,
        rate: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "ExponentialWithSoftplusRate",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[rate]) as name:
            super().__init__(activations.softplus(rate, name="softplus_rate"), validate_args, allow_nan_stats, name)
        self._parameters = parameters


class Beta(ScalarDistribution):
    """``p(x)`` in proportion to ``x^(concentration1 - 1) * (1 - x)^(concentration0 - 1)`` for ``0 < x < 1``."""

    _PARAMETERS = ("concentration1", "concentration0")

    def __init__(
        self,
        concentration1: Any = None,
        concentration0: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Beta",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[concentration1, concentration0]) as name:
            self._concentration1 = _positive(as_tensor(concentration1, name="concentration1"), validate_args)
            self._concentration0 = _positive(as_tensor(concentration0, name="concentration0"), validate_args)
            checks.assert_same_float_dtype([self._concentration1, self._concentration0])
            self._total_concentration = self._concentration1 + self._concentration0
        super().__init__(
            self._total_concentration.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._concentration1, self._concentration0, self._total_concentration], name,
        )  # fmt: skip

    @property
    def concentration1(self) -> Tensor:
        return self._concentration1

    @property
    def concentration0(self) -> Tensor:
        return self._concentration0

    @property
    def total_concentration(self) -> Tensor:
        """The sum of both."""
        return self._total_concentration

    def _batch_shape_tensor(self) -> Tensor:
        return arrays.shape(self.total_concentration)

    def _batch_shape(self) -> TensorShape:
        return self.total_concentration.shape

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        """``g1 / (g1 + g0)`` for gamma numbers ``g1`` and ``g0``."""
        one = constants.ones_like(self.total_concentration, dtype=self.dtype) * self.concentration1
        zero = constants.ones_like(self.total_concentration, dtype=self.dtype) * self.concentration0
        g1 = variates.random_gamma([n], one, dtype=self.dtype, seed=seed)
        g0 = variates.random_gamma([n], zero, dtype=self.dtype, seed=gen_new_seed(seed, "beta"))
        return g1 / (g1 + g0)

    def _log_prob(self, x: Any) -> Tensor:
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _prob(self, x: Any) -> Tensor:
        return exponentials.exp(self._log_prob(x))

    def _log_cdf(self, x: Any) -> Tensor:
        return exponentials.log(self._cdf(x))

    def _cdf(self, x: Any) -> Tensor:
        return special.betainc(self.concentration1, self.concentration0, x)

    def _log_unnormalized_prob(self, x: Any) -> Tensor:
        if self.validate_args:
            positive = checks.assert_positive(x, message="sample must be positive")
            below_one = checks.assert_less(x, constants.ones([], self.dtype), message="sample must be less than `1`.")
            x = with_dependencies([positive, below_one], x)
        return exponentials.xlogy(self.concentration1 - 1.0, x) + (self.concentration0 - 1.0) * exponentials.log1p(-x)

    def _log_normalization(self) -> Tensor:
        return (
            special.lgamma(self.concentration1)
            + special.lgamma(self.concentration0)
            - special.lgamma(self.total_concentration)
        )

    def _entropy(self) -> Tensor:
        return (
            self._log_normalization()
            - (self.concentration1 - 1.0) * special.digamma(self.concentration1)
            - (self.concentration0 - 1.0) * special.digamma(self.concentration0)
            + (self.total_concentration - 2.0) * special.digamma(self.total_concentration)
        )

    def _mean(self) -> Tensor:
        return self._concentration1 / self._total_concentration

    def _variance(self) -> Tensor:
        return self._mean() * (1.0 - self._mean()) / (1.0 + self.total_concentration)

    def _mode(self) -> Tensor:
        """``(concentration1 - 1) / (total - 2)`` if both concentrations are above 1, else undefined."""
        mode = (self.concentration1 - 1.0) / (self.total_concentration - 2.0)
        if self.allow_nan_stats:
            nan = constants.fill(self.batch_shape_tensor(), np.array(np.nan, self.dtype.as_numpy_dtype), name="nan")
            defined = comparison.logical_and(self.concentration1 > 1.0, self.concentration0 > 1.0)
            return comparison.where_v2(defined, mode, nan)
        one_above = checks.assert_less(
            constants.ones([], dtype=self.dtype), self.concentration1, message="Mode undefined for concentration1 <= 1."
        )
        zero_above = checks.assert_less(
            constants.ones([], dtype=self.dtype), self.concentration0, message="Mode undefined for concentration0 <= 1."
        )
        return with_dependencies([one_above, zero_above], mode)


def _positive(concentration: Tensor, validate_args: bool) -> Tensor:
    if not validate_args:
        return concentration
    message = "Concentration parameter must be positive."
    return with_dependencies([checks.assert_positive(concentration, message=message)], concentration)


class BetaWithSoftplusConcentration(Beta):
    """``Beta(softplus(concentration1), softplus(concentration0))``."""

    def __init__(
        self,
        concentration1: Any,
        concentration0: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "BetaWithSoftplusConcentration",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[concentration1, concentration0]) as name:
            one = activations.softplus(concentration1, name="softplus_concentration1")
            zero = activations.softplus(concentration0, name="softplus_concentration0")
            super().__init__(one, zero, validate_args, allow_nan_stats, name)
        self._parameters = parameters


@RegisterKL(Beta, Beta)
def _kl_beta_beta(d1: Beta, d2: Beta, name: str | None = None) -> Tensor:
    values = [
        d1.concentration1, d1.concentration0, d1.total_concentration,
        d2.concentration1, d2.concentration0, d2.total_concentration,
    ]  # fmt: skip
    with name_scope(name, "kl_beta_beta", values=values):
        return (
            (d2._log_normalization() - d1._log_normalization())
            - special.digamma(d1.concentration1) * (d2.concentration1 - d1.concentration1)
            - special.digamma(d1.concentration0) * (d2.concentration0 - d1.concentration0)
            + special.digamma(d1.total_concentration) * (d2.total_concentration - d1.total_concentration)
        )
