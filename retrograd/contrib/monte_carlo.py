"""``tf.contrib.bayesflow.monte_carlo``: expectations as means over samples.

Source: TensorFlow 1.15.5, ``contrib/bayesflow/python/ops/monte_carlo_impl.py``; importance sampling:
Robert and Casella, Monte Carlo Statistical Methods, section 3.3.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops.activations import relu
from retrograd.ops.arrays import stop_gradient
from retrograd.ops.exponentials import exp, log
from retrograd.ops.reductions import reduce_max, reduce_mean


def expectation(
    f: Callable[[Tensor], Any], samples: Any, log_prob: Callable[[Tensor], Any] | None = None,
    use_reparametrization: bool = True, axis: Any = 0, keep_dims: bool = False, name: str | None = None,
) -> Tensor:  # fmt: skip
    """``E[f(X)]`` as the mean of ``f(samples)`` over ``axis``.

    Its derivative goes through the samples, or, not ``use_reparametrization``, by ``f(x) d log p(x)`` (the score).

    Raises:
      ValueError: ``f`` is no function, or ``log_prob`` where it is needed.
    """
    with name_scope(name, "expectation", [samples]):
        if not callable(f):
            raise ValueError("`f` must be a callable function.")
        if use_reparametrization:
            return reduce_mean(f(samples), axis=axis, keepdims=keep_dims)
        if not callable(log_prob):
            raise ValueError("`log_prob` must be a callable function.")
        x = stop_gradient(samples)
        log_p, value = log_prob(x), f(x)
        value += stop_gradient(value) * (log_p - stop_gradient(log_p))
        return reduce_mean(value, axis=axis, keepdims=keep_dims)


def expectation_importance_sampler(
    f: Callable[[Tensor], Any], log_p: Callable[[Tensor], Any], sampling_dist_q: Any, z: Any = None,
    n: int | None = None, seed: int | None = None, name: str = "expectation_importance_sampler",
) -> Tensor:  # fmt: skip
    """``E_p[f(Z)]`` as the mean of ``f(z) p(z) / q(z)`` over samples of ``q``; what is above 0 and below, each by logs.

    Raises:
      ValueError: not exactly one of ``z`` and ``n`` is given.
    """
    with name_scope(name, values=[z, n]):
        z = _samples(sampling_dist_q, z, n, seed)
        log_p_z, log_q_z = log_p(z), sampling_dist_q.log_prob(z)
        f_z = f(z)
        log_above, log_below = log(relu(f_z) + 1.0), log(relu(-1.0 * f_z) + 1.0)
        above, below = (_log_mean_exp(log_f + log_p_z - log_q_z) for log_f in (log_above, log_below))
    return exp(above) - exp(below)


def expectation_importance_sampler_logspace(
    log_f: Callable[[Tensor], Any], log_p: Callable[[Tensor], Any], sampling_dist_q: Any, z: Any = None,
    n: int | None = None, seed: int | None = None, name: str = "expectation_importance_sampler_logspace",
) -> Tensor:  # fmt: skip
    """``log E_p[f(Z)]`` of an ``f`` that is never negative, given by its logarithm.

    Raises:
      ValueError: not exactly one of ``z`` and ``n`` is given.
    """
    with name_scope(name, values=[z, n]):
        z = _samples(sampling_dist_q, z, n, seed)
        return _log_mean_exp(log_f(z) + log_p(z) - sampling_dist_q.log_prob(z))


def _log_mean_exp(values: Tensor) -> Tensor:
    """``log(mean(exp(values)))`` over the first axis, from the largest."""
    center = stop_gradient(reduce_max(values, axis=[0]))
    return log(reduce_mean(exp(values - center), axis=[0])) + center


def _samples(distribution: Any, z: Any, n: int | None, seed: int | None) -> Tensor:
    with name_scope("get_samples", values=[z, n]):
        if (n is None) == (z is None):
            raise ValueError(f'Must specify exactly one of arguments "n" and "z".  Found: n = {n}, z = {z}')
        return as_tensor(z, name="z") if n is None else distribution.sample(n, seed=seed)
