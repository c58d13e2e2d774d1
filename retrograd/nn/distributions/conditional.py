"""Bijectors and distributions that take further arguments at each call, such as a state or a mask."""

from __future__ import annotations

from typing import Any

from retrograd.nn.distributions.bijector import Bijector
from retrograd.nn.distributions.distribution import Distribution
from retrograd.nn.distributions.transformed import TransformedDistribution
from retrograd.ops import casts, exponentials, joining, reductions


class ConditionalBijector(Bijector):
    """A bijector whose rules take the keyword arguments of a call."""

    def forward(self, x: Any, name: str = "forward", **condition_kwargs: Any) -> Any:
        return self._call_forward(x, name, **condition_kwargs)

    def inverse(self, y: Any, name: str = "inverse", **condition_kwargs: Any) -> Any:
        return self._call_inverse(y, name, **condition_kwargs)

    def inverse_log_det_jacobian(
        self, y: Any, event_ndims: Any, name: str = "inverse_log_det_jacobian", **condition_kwargs: Any
    ) -> Any:
        return self._call_inverse_log_det_jacobian(y, event_ndims, name, **condition_kwargs)

    def forward_log_det_jacobian(
        self, x: Any, event_ndims: Any, name: str = "forward_log_det_jacobian", **condition_kwargs: Any
    ) -> Any:
        return self._call_forward_log_det_jacobian(x, event_ndims, name, **condition_kwargs)


class ConditionalDistribution(Distribution):
    """A distribution whose rules take the keyword arguments of a call."""

    def sample(self, sample_shape: Any = (), seed: int | None = None, name: str = "sample", **kwargs: Any) -> Any:
        return self._call_sample_n(sample_shape, seed, name, **kwargs)

    def log_prob(self, value: Any, name: str = "log_prob", **condition_kwargs: Any) -> Any:
        return self._call_log_prob(value, name, **condition_kwargs)

    def prob(self, value: Any, name: str = "prob", **condition_kwargs: Any) -> Any:
        return self._call_prob(value, name, **condition_kwargs)

    def log_cdf(self, value: Any, name: str = "log_cdf", **condition_kwargs: Any) -> Any:
        return self._call_log_cdf(value, name, **condition_kwargs)

    def cdf(self, value: Any, name: str = "cdf", **condition_kwargs: Any) -> Any:
        return self._call_cdf(value, name, **condition_kwargs)

    def log_survival_function(self, value: Any, name: str = "log_survival_function", **condition_kwargs: Any) -> Any:
        return self._call_log_survival_function(value, name, **condition_kwargs)

    def survival_function(self, value: Any, name: str = "survival_function", **condition_kwargs: Any) -> Any:
        return self._call_survival_function(value, name, **condition_kwargs)


class ConditionalTransformedDistribution(ConditionalDistribution, TransformedDistribution):
    """``bijector(X)``, where calls give arguments to both: ``bijector_kwargs`` and ``distribution_kwargs``."""

    def _sample_n(self, n: Any, seed: int | None = None, **kwargs: Any) -> Any:
        return super()._sample_n(n, seed, **(kwargs.get("distribution_kwargs") or {}))

    def _mapped(self, x: Any, **kwargs: Any) -> Any:
        return self.bijector.forward(x, **(kwargs.get("bijector_kwargs") or {}))

    def _fibers_of(self, y: Any, kwargs: dict[str, Any]) -> tuple[Any, Any]:
        """Every ``x`` of ``y``, and the log-determinants there, as lists."""
        x = self.bijector.inverse(y, **kwargs)
        ildj = self.bijector.inverse_log_det_jacobian(y, event_ndims=self._event_ndims(), **kwargs)
        return ([x], [ildj]) if self.bijector._is_injective else (x, ildj)

    def _log_prob(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        terms = []
        for x, ildj in zip(*self._fibers_of(y, bijector_kwargs or {}), strict=True):
            log_prob = self.distribution.log_prob(self._rotated(x, to_the_right=True), **(distribution_kwargs or {}))
            if self._is_maybe_event_override:
                log_prob = reductions.reduce_sum(log_prob, self._reduce_event_indices)
            terms.append(casts.cast(ildj, log_prob.dtype) + log_prob)
        if self.bijector._is_injective:
            return terms[0]
        return reductions.reduce_logsumexp(joining.stack(terms), axis=0)

    def _prob(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        terms = []
        for x, ildj in zip(*self._fibers_of(y, bijector_kwargs or {}), strict=True):
            prob = self.distribution.prob(self._rotated(x, to_the_right=True), **(distribution_kwargs or {}))
            if self._is_maybe_event_override:
                prob = reductions.reduce_prod(prob, self._reduce_event_indices)
            terms.append(exponentials.exp(casts.cast(ildj, prob.dtype)) * prob)
        return terms[0] if self.bijector._is_injective else sum(terms)

    def _before(self, method: str, y: Any, bijector_kwargs: Any, distribution_kwargs: Any) -> Any:
        """A function of what is mapped, at the ``x`` of ``y``."""
        self._require_same_events(method)
        x = self.bijector.inverse(y, **(bijector_kwargs or {}))
        return getattr(self.distribution, method)(x, **(distribution_kwargs or {}))

    def _log_cdf(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        return self._before("log_cdf", y, bijector_kwargs, distribution_kwargs)

    def _cdf(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        return self._before("cdf", y, bijector_kwargs, distribution_kwargs)

    def _log_survival_function(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        return self._before("log_survival_function", y, bijector_kwargs, distribution_kwargs)

    def _survival_function(self, y: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        return self._before("survival_function", y, bijector_kwargs, distribution_kwargs)

    def _quantile(self, value: Any, bijector_kwargs: Any = None, distribution_kwargs: Any = None) -> Any:
        self._require_same_events("quantile")
        x = self.distribution.quantile(value, **(distribution_kwargs or {}))
        return self.bijector.forward(x, **(bijector_kwargs or {}))
