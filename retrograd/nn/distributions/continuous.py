"""The uniform, Laplace and Student's t distribution."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions import special_math
from retrograd.nn.distributions.arguments import gen_new_seed
from retrograd.nn.distributions.distribution import FULLY_REPARAMETERIZED, BroadcastDistribution, ScalarDistribution
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
    rounding,
    special,
    variates,
)
from retrograd.ops.control import with_dependencies


class Uniform(BroadcastDistribution):
    """``p(x) = 1 / (high - low)`` for ``low <= x < high``."""

    _PARAMETERS = ("low", "high")

    def __init__(
        self,
        low: Any = 0.0,
        high: Any = 1.0,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Uniform",
    ) -> None:
        parameters = dict(locals())
        message = "uniform not defined when low >= high."
        with (
            name_scope(name, values=[low, high]) as name,
            control_dependencies([checks.assert_less(low, high, message=message)] if validate_args else []),
        ):
            self._low = arrays.identity(low, name="low")
            self._high = arrays.identity(high, name="high")
            checks.assert_same_float_dtype([self._low, self._high])
        super().__init__(
            self._low.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._low, self._high], name,
        )  # fmt: skip

    @property
    def low(self) -> Tensor:
        return self._low

    @property
    def high(self) -> Tensor:
        return self._high

    def range(self, name: str = "range") -> Tensor:
        """``high - low``."""
        with self._name_scope(name):
            return self.high - self.low

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        shape = joining.concat([[n], self.batch_shape_tensor()], 0)
        samples = random.random_uniform(shape, dtype=self.dtype, seed=seed)
        return self.low + self.range() * samples

    def _prob(self, x: Any) -> Tensor:
        x = x * constants.ones(self.batch_shape_tensor(), dtype=x.dtype)
        return comparison.where_v2(
            rounding.is_nan(x),
            x,
            comparison.where_v2(
                comparison.logical_or(x < self.low, x >= self.high),
                constants.zeros_like(x),
                constants.ones_like(x) / self.range(),
            ),
        )

    def _cdf(self, x: Any) -> Tensor:
        shape = repeating.broadcast_dynamic_shape(arrays.shape(x), self.batch_shape_tensor())
        zeros, ones = constants.zeros(shape, dtype=self.dtype), constants.ones(shape, dtype=self.dtype)
        everywhere = x * ones
        below_high = comparison.where_v2(x < self.low, zeros, (everywhere - self.low) / self.range())
        return comparison.where_v2(x >= self.high, ones, below_high)

    def _entropy(self) -> Tensor:
        return exponentials.log(self.range())

    def _mean(self) -> Tensor:
        return (self.low + self.high) / 2.0

    def _variance(self) -> Tensor:
        return powers.square(self.range()) / 12.0

    def _stddev(self) -> Tensor:
        return self.range() / math.sqrt(12.0)


class Laplace(BroadcastDistribution):
    """``p(x) = exp(-|x - loc| / scale) / (2 * scale)``."""

    _PARAMETERS = ("loc", "scale")

    def __init__(
        self,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Laplace",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[loc, scale]) as name:
            with control_dependencies([checks.assert_positive(scale)] if validate_args else []):
                self._loc = arrays.identity(loc, name="loc")
                self._scale = arrays.identity(scale, name="scale")
                checks.assert_same_float_dtype([self._loc, self._scale])
            super().__init__(
                self._loc.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
                [self._loc, self._scale], name,
            )  # fmt: skip

    @property
    def loc(self) -> Tensor:
        return self._loc

    @property
    def scale(self) -> Tensor:
        return self._scale

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        """By inversion of the distribution function."""
        shape = joining.concat([[n], self.batch_shape_tensor()], 0)
        kind = self.dtype.as_numpy_dtype
        u = random.random_uniform(shape, np.nextafter(kind(-1.0), kind(0.0)), 1.0, self.dtype, seed)
        return self.loc - self.scale * rounding.sign(u) * exponentials.log1p(-rounding.abs_(u))

    def _log_prob(self, x: Any) -> Tensor:
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _prob(self, x: Any) -> Tensor:
        return exponentials.exp(self._log_prob(x))

    def _log_cdf(self, x: Any) -> Tensor:
        return special_math.log_cdf_laplace(self._z(x))

    def _log_survival_function(self, x: Any) -> Tensor:
        return special_math.log_cdf_laplace(-self._z(x))

    def _cdf(self, x: Any) -> Tensor:
        z = self._z(x)
        return 0.5 + 0.5 * rounding.sign(z) * (1.0 - exponentials.exp(-rounding.abs_(z)))

    def _log_unnormalized_prob(self, x: Any) -> Tensor:
        return -rounding.abs_(self._z(x))

    def _log_normalization(self) -> Tensor:
        return math.log(2.0) + exponentials.log(self.scale)

    def _entropy(self) -> Tensor:
        scale = self.scale + constants.zeros_like(self.loc)
        return math.log(2.0) + 1.0 + exponentials.log(scale)

    def _mean(self) -> Tensor:
        return self.loc + constants.zeros_like(self.scale)

    def _stddev(self) -> Tensor:
        return math.sqrt(2.0) * self.scale + constants.zeros_like(self.loc)

    def _median(self) -> Tensor:
        return self._mean()

    def _mode(self) -> Tensor:
        return self._mean()

    def _z(self, x: Any) -> Tensor:
        return (x - self.loc) / self.scale


class LaplaceWithSoftplusScale(Laplace):
    """``Laplace(loc, softplus(scale))``."""

    def __init__(
        self,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "LaplaceWithSoftplusScale",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[loc, scale]) as name:
            scale = activations.softplus(scale, name="softplus_scale")
            super().__init__(loc, scale, validate_args, allow_nan_stats, name)
        self._parameters = parameters


class StudentT(ScalarDistribution):
    """``p(x)`` in proportion to ``(1 + y^2 / df)^(-(df + 1) / 2)`` with ``y = (x - loc) / scale``."""

    _PARAMETERS = ("df", "loc", "scale")

    def __init__(
        self,
        df: Any,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "StudentT",
    ) -> None:
        parameters = dict(locals())
        with (
            name_scope(name, values=[df, loc, scale]) as name,
            control_dependencies([checks.assert_positive(df)] if validate_args else []),
        ):
            self._df = arrays.identity(df, name="df")
            self._loc = arrays.identity(loc, name="loc")
            self._scale = arrays.identity(scale, name="scale")
            checks.assert_same_float_dtype((self._df, self._loc, self._scale))
        super().__init__(
            self._scale.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._df, self._loc, self._scale], name,
        )  # fmt: skip

    @property
    def df(self) -> Tensor:
        """The degrees of freedom."""
        return self._df

    @property
    def loc(self) -> Tensor:
        return self._loc

    @property
    def scale(self) -> Tensor:
        return self._scale

    def _batch_shape_tensor(self) -> Tensor:
        df = arrays.shape(self.df)
        return repeating.broadcast_dynamic_shape(
            df, repeating.broadcast_dynamic_shape(arrays.shape(self.loc), arrays.shape(self.scale))
        )

    def _batch_shape(self) -> TensorShape:
        return repeating.broadcast_static_shape(
            repeating.broadcast_static_shape(self.df.shape, self.loc.shape), self.scale.shape
        )

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        """A normal number over the root of an independent chi-squared one over its degrees of freedom."""
        shape = joining.concat([[n], self.batch_shape_tensor()], 0)
        normal = random.random_normal(shape, dtype=self.dtype, seed=seed)
        df = self.df * constants.ones(self.batch_shape_tensor(), dtype=self.dtype)
        gamma = variates.random_gamma([n], 0.5 * df, 0.5, self.dtype, gen_new_seed(seed, "student_t"))
        return normal * powers.rsqrt(gamma / df) * self.scale + self.loc

    def _log_prob(self, x: Any) -> Tensor:
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _log_unnormalized_prob(self, x: Any) -> Tensor:
        y = (x - self.loc) / self.scale
        return -0.5 * (self.df + 1.0) * exponentials.log1p(y**2.0 / self.df)

    def _log_normalization(self) -> Tensor:
        return (
            exponentials.log(rounding.abs_(self.scale))
            + 0.5 * exponentials.log(self.df)
            + 0.5 * np.log(np.pi)
            + special.lgamma(0.5 * self.df)
            - special.lgamma(0.5 * (self.df + 1.0))
        )

    def _cdf(self, x: Any) -> Tensor:
        y = (x - self.loc) / rounding.abs_(self.scale)
        below = 0.5 * special.betainc(0.5 * self.df, 0.5, self.df / (y**2.0 + self.df))
        return comparison.where_v2(comparison.less(y, 0.0), below, 1.0 - below)

    def _entropy(self) -> Tensor:
        v = constants.ones(self.batch_shape_tensor(), dtype=self.dtype)[..., None]
        u = v * self.df[..., None]
        arguments = joining.concat([u, v], -1) / 2.0
        return (
            exponentials.log(rounding.abs_(self.scale))
            + 0.5 * exponentials.log(self.df)
            + special.lbeta(arguments)
            + 0.5 * (self.df + 1.0) * (special.digamma(0.5 * (self.df + 1.0)) - special.digamma(0.5 * self.df))
        )

    def _mean(self) -> Tensor:
        """``loc`` if ``df > 1``, else undefined."""
        mean = self.loc * constants.ones(self.batch_shape_tensor(), dtype=self.dtype)
        return self._defined_above_one(mean, "mean not defined for components of df <= 1")

    def _variance(self) -> Tensor:
        """``df / (df - 2)`` if ``df > 2``, infinite if ``df > 1``, else undefined."""
        denominator = comparison.where_v2(comparison.greater(self.df, 2.0), self.df - 2.0, constants.ones_like(self.df))
        finite = (
            constants.ones(self.batch_shape_tensor(), dtype=self.dtype)
            * powers.square(self.scale)
            * self.df
            / denominator
        )
        inf = np.array(np.inf, dtype=self.dtype.as_numpy_dtype)
        above_two = self.df > constants.fill(self.batch_shape_tensor(), 2.0)
        variance = comparison.where_v2(above_two, finite, constants.fill(self.batch_shape_tensor(), inf, name="inf"))
        return self._defined_above_one(variance, "variance not defined for components of df <= 1")

    def _defined_above_one(self, statistic: Tensor, message: str) -> Tensor:
        if self.allow_nan_stats:
            nan = np.array(np.nan, dtype=self.dtype.as_numpy_dtype)
            defined = comparison.greater(self.df, constants.ones(self.batch_shape_tensor(), dtype=self.dtype))
            return comparison.where_v2(defined, statistic, constants.fill(self.batch_shape_tensor(), nan, name="nan"))
        condition = checks.assert_less(constants.ones([], dtype=self.dtype), self.df, message=message)
        return with_dependencies([condition], statistic)

    def _mode(self) -> Tensor:
        return arrays.identity(self.loc)


class StudentTWithAbsDfSoftplusScale(StudentT):
    """``StudentT(floor(abs(df)), loc, softplus(scale))``."""

    def __init__(
        self,
        df: Any,
        loc: Any,
        scale: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "StudentTWithAbsDfSoftplusScale",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[df, scale]) as name:
            df = rounding.floor(rounding.abs_(df))
            super().__init__(
                df, loc, activations.softplus(scale, name="softplus_scale"), validate_args, allow_nan_stats, name
            )
        self._parameters = parameters
