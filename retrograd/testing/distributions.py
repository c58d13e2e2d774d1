"""Tests of distributions against their own draws, of ``tf.contrib.distributions``' test cases.

What is drawn has to have the mean and the (co)variance, and to fall where the probabilities say.
Source: TensorFlow 1.15.5's names, seeds and tolerances.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.ops import arrays, constants, exponentials
from retrograd.state.initialization import global_variables_initializer


class _Draws:
    """What both kinds of tests do; a test case has ``assertAllClose``."""

    assertAllClose: Callable[..., None]

    def _same_moments(self, found: dict[str, Any], wanted: dict[str, Any], close: dict[str, Any]) -> None:
        for name, value in wanted.items():
            self.assertAllClose(value, found[name], **close.get(name, close[""]))


class DiscreteScalarDistributionTestHelpers(_Draws):
    """For distributions of numbers that are whole."""

    def run_test_sample_consistent_log_prob(
        self, sess_run_fn: Any, dist: Any, num_samples: int = int(1e5), num_threshold: int = int(1e3), seed: int = 42,
        batch_size: int | None = None, rtol: float = 1e-2, atol: float = 0.0,
    ) -> None:  # fmt: skip
        """Each number that came more often than ``num_threshold`` times came as often as its probability says.

        Raises:
          ValueError: ``num_threshold`` is less than 1.
        """
        if num_threshold < 1:
            raise ValueError(f"num_threshold({num_threshold}) must be at least 1.")
        drawn, batch = sess_run_fn([dist.sample(num_samples, seed=seed), dist.batch_shape_tensor()])
        members = np.reshape(drawn, [num_samples, -1])
        for b, x in enumerate(members.T):
            values, counts = np.unique(x, return_counts=True)
            often = counts > num_threshold
            at = constants.constant(values[often].reshape([-1] + [1] * len(batch)), dtype=dist.dtype)
            probs = sess_run_fn(exponentials.exp(dist.log_prob(at))).reshape(often.sum(), -1)
            self.assertAllClose(probs[:, b], counts[often] / num_samples, rtol=rtol, atol=atol)

    def run_test_sample_consistent_mean_variance(
        self, sess_run_fn: Any, dist: Any, num_samples: int = int(1e5), seed: int = 24, rtol: float = 1e-2,
        atol: float = 0.0,
    ) -> None:  # fmt: skip
        """The draws have the mean, the variance and the deviation."""
        found, *wanted = sess_run_fn([dist.sample(num_samples, seed=seed), dist.mean(), dist.variance(), dist.stddev()])
        variance = np.var(np.float64(found), axis=0)
        drawn = {"mean": np.mean(found, axis=0, dtype=np.float64), "variance": variance, "stddev": np.sqrt(variance)}
        self._same_moments(drawn, dict(zip(drawn, wanted, strict=True)), {"": {"rtol": rtol, "atol": atol}})


class VectorDistributionTestHelpers(_Draws):
    """For distributions of vectors."""

    def run_test_sample_consistent_log_prob(
        self, sess_run_fn: Any, dist: Any, num_samples: int = int(1e5), radius: float = 1.0, center: Any = 0.0,
        seed: int = 42, rtol: float = 1e-2, atol: float = 0.0,
    ) -> None:  # fmt: skip
        """The mean of 1 / p(x) over the draws in a ball is the ball's volume."""
        x = arrays.identity(dist.sample(num_samples, seed=seed))  # a bijector knows what it gave, not this
        fetches = [x, dist.log_prob(x), dist.batch_shape_tensor(), dist.event_shape_tensor()]
        sess_run_fn(global_variables_initializer())  # of those that the distribution makes
        draws, log_prob, batch, event = sess_run_fn(fetches)
        n = int(event[0])
        center = sess_run_fn(arrays.identity(center)) if not isinstance(center, float | int) else center
        inside = np.linalg.norm(np.float64(draws) - center, axis=-1) <= radius
        found = np.mean(np.exp(-np.float64(log_prob)) * inside, axis=0)
        volume = math.exp(n / 2 * math.log(math.pi) - math.lgamma(1 + n / 2)) * np.asarray(radius, np.float64) ** n
        self.assertAllClose(np.tile(volume, batch), found, rtol=rtol, atol=atol)

    def run_test_sample_consistent_mean_covariance(
        self, sess_run_fn: Any, dist: Any, num_samples: int = int(1e5), seed: int = 24, rtol: float = 1e-2,
        atol: float = 0.1, cov_rtol: float | None = None, cov_atol: float | None = None,
    ) -> None:  # fmt: skip
        """The draws have the mean, the covariance, the variance and the deviation."""
        x, *wanted = sess_run_fn(
            [dist.sample(num_samples, seed=seed), dist.mean(), dist.covariance(), dist.variance(), dist.stddev()]
        )
        mean = np.mean(x, axis=0, dtype=np.float64)
        covariance = np.einsum("n...i,n...j->...ij", x - mean, x - mean) / num_samples
        variance = np.diagonal(covariance, axis1=-2, axis2=-1)
        drawn = {"mean": mean, "covariance": covariance, "variance": variance, "stddev": np.sqrt(variance)}
        close = {"": {"rtol": rtol, "atol": atol}}
        close["covariance"] = {"rtol": cov_rtol or rtol, "atol": cov_atol or atol}
        self._same_moments(drawn, dict(zip(drawn, wanted, strict=True)), close)
