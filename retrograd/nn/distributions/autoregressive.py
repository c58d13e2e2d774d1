"""Vectors whose numbers depend on those before them; beliefs about the mean of normal numbers after observations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph.scopes import name_scope
from retrograd.nn.distributions.arguments import gen_new_seed
from retrograd.nn.distributions.distribution import Distribution
from retrograd.nn.distributions.normal import Normal
from retrograd.ops import casts, powers


class Autoregressive(Distribution):
    """``p(x) = prod_i p(x_i | x_1 ... x_{i-1})``, where ``distribution_fn(x)`` gives all conditional distributions.

    Raises:
      ValueError: the size of an event is unknown, or there are no steps.
    """

    def __init__(
        self, distribution_fn: Callable[..., Any], sample0: Any = None, num_steps: int | None = None,
        validate_args: bool = False, allow_nan_stats: bool = True, name: str = "Autoregressive",
    ) -> None:  # fmt: skip
        parameters = dict(locals())
        with name_scope(name) as name:
            self._distribution_fn = distribution_fn
            self._sample0 = sample0
            self._distribution0 = distribution_fn() if sample0 is None else distribution_fn(sample0)
            if num_steps is None:
                num_steps = self._distribution0.event_shape.num_elements()
                if num_steps is None:
                    raise ValueError("distribution_fn must generate a distribution with fully known `event_shape`.")
            if num_steps < 1:
                raise ValueError(f"num_steps ({num_steps}) must be at least 1.")
            self._num_steps = num_steps
        first = self._distribution0
        super().__init__(
            first.dtype, first.reparameterization_type, validate_args, allow_nan_stats, parameters,
            first._graph_parents, name,
        )  # fmt: skip

    @property
    def distribution_fn(self) -> Callable[..., Any]:
        return self._distribution_fn

    @property
    def sample0(self) -> Any:
        return self._sample0

    @property
    def num_steps(self) -> int:
        return self._num_steps

    @property
    def distribution0(self) -> Any:
        """The distribution of the first number."""
        return self._distribution0

    def _batch_shape(self) -> Any:
        return self.distribution0.batch_shape

    def _batch_shape_tensor(self) -> Any:
        return self.distribution0.batch_shape_tensor()

    def _event_shape(self) -> Any:
        return self.distribution0.event_shape

    def _event_shape_tensor(self) -> Any:
        return self.distribution0.event_shape_tensor()

    def _sample_n(self, n: Any, seed: int | None = None) -> Any:
        """Each step settles one more number: so many steps settle all."""
        if seed is None:
            seed = gen_new_seed(np.random.randint(2**32 - 1), "autoregressive")
        samples = self.distribution0.sample(n, seed=seed)
        for _ in range(self._num_steps):
            samples = self.distribution_fn(samples).sample(seed=seed)
        return samples

    def _log_prob(self, value: Any) -> Any:
        return self.distribution_fn(value).log_prob(value)

    def _prob(self, value: Any) -> Any:
        return self.distribution_fn(value).prob(value)


def _updated(prior: Normal, scale: Any, s: Any, n: Any) -> tuple[Any, Any, Any]:
    """The mean and the variance after ``n`` observations that sum to ``s``, and the variance of one observation."""
    if not isinstance(prior, Normal):
        raise TypeError("Expected prior to be an instance of type Normal")
    if s.dtype != prior.dtype:
        raise TypeError(f"Observation sum s.dtype does not match prior dtype: {s.dtype} vs. {prior.dtype}")
    n = casts.cast(n, prior.dtype)
    before = powers.square(prior.scale)
    of_one = powers.square(scale)
    after = 1.0 / (1 / before + n / of_one)
    return (prior.loc / before + s / of_one) * after, after, of_one


def normal_conjugates_known_scale_posterior(prior: Normal, scale: Any, s: Any, n: Any) -> Normal:
    """The belief about the mean of normal numbers of a known ``scale``, of which ``n`` sum to ``s``.

    Raises:
      TypeError: the prior is not normal, or the dtypes differ.
    """
    loc, after, _ = _updated(prior, scale, s, n)
    return Normal(loc=loc, scale=powers.sqrt(after))


def normal_conjugates_known_scale_predictive(prior: Normal, scale: Any, s: Any, n: Any) -> Normal:
    """The distribution of the next of such numbers.

    Raises:
      TypeError: the prior is not normal, or the dtypes differ.
    """
    loc, after, of_one = _updated(prior, scale, s, n)
    return Normal(loc=loc, scale=powers.sqrt(after + of_one))
