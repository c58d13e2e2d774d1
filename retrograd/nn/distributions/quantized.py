"""Distributions over integers that round a continuous one up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.arguments import assert_integer_form
from retrograd.nn.distributions.distribution import NOT_REPARAMETERIZED, Distribution
from retrograd.ops import checks, comparison, constants, exponentials, rounding
from retrograd.ops.control import with_dependencies


def _log_difference(big: Any, small: Any) -> Tensor:
    """``log(exp(big) - exp(small))``"""
    with name_scope("logsum_expbig_minus_expsmall", values=[small, big]):
        return exponentials.log(1.0 - exponentials.exp(small - big)) + big


class QuantizedDistribution(Distribution):
    """``ceil(X)``, moved into ``[low, high]``: ``P[Y = j] = P[j - 1 < X <= j]`` between the bounds."""

    def __init__(
        self,
        distribution: Any,
        low: Any = None,
        high: Any = None,
        validate_args: bool = False,
        name: str = "QuantizedDistribution",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[*distribution.parameters.values(), low, high]) as name:
            self._dist = distribution
            low = None if low is None else as_tensor(low, name="low")
            high = None if high is None else as_tensor(high, name="high")
            checks.assert_same_float_dtype([distribution, low, high])
            parents = distribution._graph_parents
            conditions = []
            if validate_args and low is not None and high is not None:
                conditions.append(checks.assert_less(low, high, message="low must be strictly less than high."))
            self._validate_args = validate_args
            with control_dependencies(conditions):
                self._low = None if low is None else self._whole(low)
                self._high = None if high is None else self._whole(high)
                parents += [bound for bound in (self._low, self._high) if bound is not None]
        super().__init__(
            distribution.dtype, NOT_REPARAMETERIZED, validate_args, distribution.allow_nan_stats, parameters, parents,
            name,
        )  # fmt: skip

    def _whole(self, value: Any) -> Tensor:
        with name_scope("check_integer", values=[value]):
            value = as_tensor(value, name="value")
            if not self.validate_args:
                return value
            check = assert_integer_form(value, message="value has non-integer components.")
            return with_dependencies([check], value)

    @property
    def distribution(self) -> Any:
        """The distribution that is rounded."""
        return self._dist

    @property
    def low(self) -> Tensor | None:
        return self._low

    @property
    def high(self) -> Tensor | None:
        return self._high

    def _batch_shape_tensor(self) -> Tensor:
        return self.distribution.batch_shape_tensor()

    def _batch_shape(self) -> TensorShape:
        return self.distribution.batch_shape

    def _event_shape_tensor(self) -> Tensor:
        return self.distribution.event_shape_tensor()

    def _event_shape(self) -> TensorShape:
        return self.distribution.event_shape

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        with name_scope("transform"):
            n = as_tensor(n, name="n")
            samples = self.distribution.sample(n, seed=seed)
            ones = constants.ones_like(samples)
            result = rounding.ceil(samples)
            if self._low is not None:
                result = comparison.where(result < self._low, self._low * ones, result)
            if self._high is not None:
                result = comparison.where(result > self._high, self._high * ones, result)
            return result

    def _log_prob(self, y: Any) -> Tensor:
        """From the side on which less probability lies."""
        y = self._whole(y)
        try:
            above, above_last = self.log_survival_function(y), self.log_survival_function(y - 1)
            below, below_last = self.log_cdf(y), self.log_cdf(y - 1)
            big = comparison.where(above < below, above_last, below)
            return _log_difference(big, comparison.where(above < below, above, below_last))
        except NotImplementedError:
            return _log_difference(self.log_cdf(y), self.log_cdf(y - 1))

    def _prob(self, y: Any) -> Tensor:
        y = self._whole(y)
        try:
            above, above_last = self.survival_function(y), self.survival_function(y - 1)
            below, below_last = self.cdf(y), self.cdf(y - 1)
            return comparison.where(above < below, above_last - above, below - below_last)
        except NotImplementedError:
            return self.cdf(y) - self.cdf(y - 1)

    def _within(
        self, j: Tensor, value: Tensor, below: Callable[[Tensor], Tensor], from_high: Callable[[Tensor], Tensor]
    ) -> Tensor:
        """``value`` between the bounds; beyond, what ``below`` and ``from_high`` make of its shape."""
        j += constants.zeros_like(value)
        if self._low is not None:
            outside = below(value)
            value = comparison.where(j < self._low, outside, value)
        if self._high is not None:
            outside = from_high(value)
            value = comparison.where(j >= self._high, outside, value)
        return value

    def _log_cdf(self, y: Any) -> Tensor:
        j = rounding.floor(y)
        return self._within(j, self.distribution.log_cdf(j), _minus_infinity, constants.zeros_like)

    def _cdf(self, y: Any) -> Tensor:
        j = rounding.floor(y)
        return self._within(j, self.distribution.cdf(j), constants.zeros_like, constants.ones_like)

    def _log_survival_function(self, y: Any) -> Tensor:
        j = rounding.ceil(y)
        return self._within(j, self.distribution.log_survival_function(j), constants.zeros_like, _minus_infinity)

    def _survival_function(self, y: Any) -> Tensor:
        j = rounding.ceil(y)
        return self._within(j, self.distribution.survival_function(j), constants.ones_like, constants.zeros_like)


def _minus_infinity(x: Tensor) -> Tensor:
    return -np.inf * constants.ones_like(x)
