"""Counts of events: the Poisson, geometric, negative binomial and binomial distribution."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.arguments import (
    assert_integer_form,
    embed_check_nonnegative_integer_form,
    gen_new_seed,
    get_logits_and_probs,
)
from retrograd.nn.distributions.distribution import NOT_REPARAMETERIZED, ScalarDistribution
from retrograd.ops import (
    activations,
    arrays,
    checks,
    comparison,
    constants,
    exponentials,
    joining,
    random,
    repeating,
    rounding,
    special,
    variates,
)
from retrograd.ops.control import with_dependencies


class Poisson(ScalarDistribution):
    """``P[X = k] = rate^k * exp(-rate) / k!``."""

    def __init__(
        self,
        rate: Any = None,
        log_rate: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Poisson",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[rate]) as name:
            if (rate is None) == (log_rate is None):
                raise ValueError("Must specify exactly one of `rate` and `log_rate`.")
            if log_rate is None:
                rate = as_tensor(rate, name="rate")
                if not rate.dtype.is_floating:
                    raise TypeError(f"rate.dtype ({rate.dtype.name}) is a not a float-type.")
                with control_dependencies([checks.assert_positive(rate)] if validate_args else []):
                    self._rate = arrays.identity(rate, name="rate")
                    self._log_rate = exponentials.log(rate, name="log_rate")
            else:
                log_rate = as_tensor(log_rate, name="log_rate")
                if not log_rate.dtype.is_floating:
                    raise TypeError(f"log_rate.dtype ({log_rate.dtype.name}) is a not a float-type.")
                self._rate = exponentials.exp(log_rate, name="rate")
                self._log_rate = as_tensor(log_rate, name="log_rate")
        super().__init__(
            self._rate.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [self._rate], name
        )

    @property
    def rate(self) -> Tensor:
        return self._rate

    @property
    def log_rate(self) -> Tensor:
        return self._log_rate

    def _batch_shape_tensor(self) -> Tensor:
        return arrays.shape(self.rate)

    def _batch_shape(self) -> TensorShape:
        return self.rate.shape

    def _log_prob(self, x: Any) -> Tensor:
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _log_cdf(self, x: Any) -> Tensor:
        return exponentials.log(self.cdf(x))

    def _cdf(self, x: Any) -> Tensor:
        if self.validate_args:
            x = embed_check_nonnegative_integer_form(x)
        return special.igammac(1.0 + x, self.rate)

    def _log_normalization(self) -> Tensor:
        return self.rate

    def _log_unnormalized_prob(self, x: Any) -> Tensor:
        if self.validate_args:
            x = embed_check_nonnegative_integer_form(x)
        return x * self.log_rate - special.lgamma(1.0 + x)

    def _mean(self) -> Tensor:
        return arrays.identity(self.rate)

    def _variance(self) -> Tensor:
        return arrays.identity(self.rate)

    def _mode(self) -> Tensor:
        """The largest integer below the rate; the one before is as likely where the rate is an integer."""
        return rounding.floor(self.rate)

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        return variates.random_poisson(self.rate, [n], dtype=self.dtype, seed=seed)


class Geometric(ScalarDistribution):
    """How many trials fail before one succeeds: ``P[X = k] = (1 - probs)^k * probs``."""

    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Geometric",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs]) as name:
            self._logits, self._probs = get_logits_and_probs(logits, probs, validate_args=validate_args, name=name)
            with control_dependencies([checks.assert_positive(self._probs)] if validate_args else []):
                self._probs = arrays.identity(self._probs, name="probs")
        super().__init__(
            self._probs.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._probs, self._logits], name,
        )  # fmt: skip

    @property
    def logits(self) -> Tensor:
        """``log(probs / (1 - probs))``."""
        return self._logits

    @property
    def probs(self) -> Tensor:
        """The probability that a trial succeeds."""
        return self._probs

    def _batch_shape_tensor(self) -> Tensor:
        return arrays.shape(self._probs)

    def _batch_shape(self) -> TensorShape:
        return self.probs.shape

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        shape = joining.concat([[n], arrays.shape(self._probs)], 0)
        uniform = random.random_uniform(shape, np.finfo(self.dtype.as_numpy_dtype).tiny, 1.0, self.dtype, seed)
        return rounding.floor(exponentials.log(uniform) / exponentials.log1p(-self.probs))

    def _whole(self, x: Any) -> Any:
        x = embed_check_nonnegative_integer_form(x) if self.validate_args else rounding.floor(x)
        return x * constants.ones_like(self.probs)

    def _cdf(self, x: Any) -> Tensor:
        x = self._whole(x)
        below = x < 0.0
        zeros = constants.zeros_like(x)
        return comparison.where(below, zeros, -exponentials.expm1((1.0 + x) * exponentials.log1p(-self.probs)))

    def _log_prob(self, x: Any) -> Tensor:
        x = self._whole(x)
        probs = self.probs * constants.ones_like(x)
        safe = comparison.where(comparison.equal(x, 0.0), constants.zeros_like(probs), probs)
        return x * exponentials.log1p(-safe) + exponentials.log(probs)

    def _entropy(self) -> Tensor:
        probs = self._probs
        if self.validate_args:
            message = "Entropy is undefined when logits = inf or probs = 1."
            one = constants.constant(1.0, probs.dtype)
            probs = with_dependencies([checks.assert_less(probs, one, message=message)], probs)
        return activations.softplus(self.logits) / probs - self.logits

    def _mean(self) -> Tensor:
        return exponentials.exp(-self.logits)

    def _variance(self) -> Tensor:
        return self._mean() / self.probs

    def _mode(self) -> Tensor:
        return constants.zeros(self.batch_shape_tensor(), dtype=self.dtype)


class _CountDistribution(ScalarDistribution):
    """The shape of the batch is what ``total_count`` and ``probs`` broadcast to."""

    _total_count: Tensor
    _logits: Tensor
    _probs: Tensor

    @property
    def total_count(self) -> Tensor:
        return self._total_count

    @property
    def logits(self) -> Tensor:
        """``log(probs / (1 - probs))``."""
        return self._logits

    @property
    def probs(self) -> Tensor:
        """The probability that a trial succeeds."""
        return self._probs

    def _batch_shape_tensor(self) -> Tensor:
        return repeating.broadcast_dynamic_shape(arrays.shape(self.total_count), arrays.shape(self.probs))

    def _batch_shape(self) -> TensorShape:
        return repeating.broadcast_static_shape(self.total_count.shape, self.probs.shape)


class NegativeBinomial(_CountDistribution):
    """How many trials succeed before ``total_count`` fail."""

    def __init__(
        self,
        total_count: Any,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "NegativeBinomial",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[total_count, logits, probs]) as name:
            self._logits, self._probs = get_logits_and_probs(logits, probs, validate_args=validate_args, name=name)
            with control_dependencies([checks.assert_positive(total_count)] if validate_args else []):
                self._total_count = arrays.identity(total_count)
        super().__init__(
            self._probs.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._total_count, self._probs, self._logits], name,
        )  # fmt: skip

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        """Poisson numbers with rates from a gamma distribution."""
        rate = variates.random_gamma([n], self.total_count, exponentials.exp(-self.logits), self.dtype, seed)
        seed = gen_new_seed(seed, "negative_binom")
        return variates.random_poisson(rate, [], dtype=self.dtype, seed=seed)

    def _checked(self, x: Any) -> Any:
        return embed_check_nonnegative_integer_form(x) if self.validate_args else x

    def _cdf(self, x: Any) -> Tensor:
        x = self._checked(x)
        return special.betainc(self.total_count, 1.0 + x, exponentials.sigmoid(-self.logits))

    def _log_prob(self, x: Any) -> Tensor:
        return self._log_unnormalized_prob(x) - self._log_normalization(x)

    def _log_unnormalized_prob(self, x: Any) -> Tensor:
        x = self._checked(x)
        failures = self.total_count * activations.log_sigmoid(-self.logits)
        return failures + x * activations.log_sigmoid(self.logits)

    def _log_normalization(self, x: Any) -> Tensor:
        x = self._checked(x)
        return -special.lgamma(self.total_count + x) + special.lgamma(1.0 + x) + special.lgamma(self.total_count)

    def _mean(self) -> Tensor:
        return self.total_count * exponentials.exp(self.logits)

    def _mode(self) -> Tensor:
        above = comparison.greater(self.total_count, 1.0)
        count = comparison.where_v2(above, self.total_count - 1.0, constants.zeros_like(self.total_count))
        return rounding.floor(count * exponentials.exp(self.logits))

    def _variance(self) -> Tensor:
        return self._mean() / exponentials.sigmoid(-self.logits)


class Binomial(_CountDistribution):
    """How many of ``total_count`` trials succeed."""

    def __init__(
        self,
        total_count: Any,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Binomial",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[total_count, logits, probs]) as name:
            total_count = as_tensor(total_count, name="total_count")
            if validate_args:
                conditions = [
                    checks.assert_non_negative(total_count, message="total_count must be non-negative."),
                    assert_integer_form(total_count, message="total_count cannot contain fractional components."),
                ]
                total_count = with_dependencies(conditions, total_count)
            self._total_count = total_count
            self._logits, self._probs = get_logits_and_probs(logits, probs, validate_args=validate_args, name=name)
        super().__init__(
            self._probs.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._total_count, self._logits, self._probs], name,
        )  # fmt: skip

    def _checked(self, counts: Any) -> Any:
        if not self.validate_args:
            return counts
        counts = embed_check_nonnegative_integer_form(counts)
        message = "counts are not less than or equal to n."
        return with_dependencies([checks.assert_less_equal(counts, self.total_count, message=message)], counts)

    def _log_prob(self, counts: Any) -> Tensor:
        return self._log_unnormalized_prob(counts) - self._log_normalization(counts)

    def _prob(self, counts: Any) -> Tensor:
        return exponentials.exp(self._log_prob(counts))

    def _cdf(self, counts: Any) -> Tensor:
        """``I(1 - probs; n - k, k + 1)``, the regularized incomplete beta function; 1 for ``k = n``."""
        k, p, n = self._checked(counts), self.probs, self.total_count
        known = k.shape.is_fully_defined() and p.shape.is_fully_defined()
        if not (known and k.shape.is_compatible_with(p.shape)):
            p = p + constants.zeros_like(k)
            k = k + constants.zeros_like(self.probs)
        ones = constants.ones_like(n - k)
        is_all = comparison.equal(k, n)
        others = comparison.where_v2(is_all, ones, n - k)
        return comparison.where_v2(is_all, ones, special.betainc(others, k + 1, 1 - p))

    def _log_unnormalized_prob(self, counts: Any) -> Tensor:
        counts = self._checked(counts)
        successes = counts * exponentials.log(self.probs)
        return successes + (self.total_count - counts) * exponentials.log1p(-self.probs)

    def _log_normalization(self, counts: Any) -> Tensor:
        counts = self._checked(counts)
        return (
            special.lgamma(1.0 + self.total_count - counts)
            + special.lgamma(1.0 + counts)
            - special.lgamma(1.0 + self.total_count)
        )

    def _mean(self) -> Tensor:
        return self.total_count * self.probs

    def _variance(self) -> Tensor:
        return self._mean() * (1.0 - self.probs)

    def _mode(self) -> Tensor:
        return rounding.floor((1.0 + self.total_count) * self.probs)
