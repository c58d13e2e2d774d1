"""One-hot vectors and their smooth relaxation (Maddison et al., https://arxiv.org/abs/1611.00712)."""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions import bijectors
from retrograd.nn.distributions.arguments import get_logits_and_probs
from retrograd.nn.distributions.distribution import FULLY_REPARAMETERIZED, NOT_REPARAMETERIZED, Distribution
from retrograd.nn.distributions.divergences import RegisterKL
from retrograd.nn.distributions.location_scale import Logistic
from retrograd.nn.distributions.transformed import TransformedDistribution
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    checks,
    constants,
    diagonals,
    exponentials,
    indexing,
    joining,
    matrices,
    permuting,
    random,
    ranking,
    reductions,
    softmax,
    special,
)
from retrograd.ops.control import with_dependencies


class _OneOfClasses(Distribution):
    """A draw is a vector with one element for each class; ``logits`` hold the classes along their last axis."""

    _logits: Tensor
    _probs: Tensor

    def _set_sizes(self) -> None:
        static = self._logits.shape.with_rank_at_least(1)
        if static.ndims is not None:
            self._batch_rank = as_tensor(static.ndims - 1, dtype=dtypes.int32, name="batch_rank")
        else:
            with name_scope("batch_rank"):
                self._batch_rank = arrays.rank(self._logits) - 1
        with name_scope("event_size"):
            self._event_size = arrays.shape(self._logits)[-1]

    @property
    def event_size(self) -> Tensor:
        """The number of classes."""
        return self._event_size

    @property
    def logits(self) -> Tensor:
        return self._logits

    @property
    def probs(self) -> Tensor:
        """``softmax(logits)``"""
        return self._probs

    def _batch_shape_tensor(self) -> Tensor:
        return arrays.shape(self.logits)[:-1]

    def _batch_shape(self) -> TensorShape:
        return self.logits.shape[:-1]

    def _event_shape_tensor(self) -> Tensor:
        return arrays.shape(self.logits)[-1:]

    def _event_shape(self) -> TensorShape:
        return self.logits.shape.with_rank_at_least(1)[-1:]

    def _matched(self, x: Tensor) -> tuple[Tensor, Tensor]:
        """``x`` and the logits at one shape."""
        logits = self.logits
        known = x.shape.is_fully_defined() and logits.shape.is_fully_defined()
        if not known or x.shape != logits.shape:
            logits = constants.ones_like(x, dtype=logits.dtype) * logits
            x = constants.ones_like(logits, dtype=x.dtype) * x
        return x, logits

    def _checked(self, x: Any) -> Any:
        if not self.validate_args:
            return x
        sums = [
            checks.assert_non_positive(x),
            checks.assert_near(constants.zeros([], dtype=self.dtype), reductions.reduce_logsumexp(x, axis=[-1])),
        ]
        return with_dependencies(sums, x)


class OneHotCategorical(_OneOfClasses):
    """The one-hot vector of ``k`` with probability ``probs[k]``, ``probs = softmax(logits)`` along the last axis."""

    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = dtypes.int32,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "OneHotCategorical",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs]) as name:
            self._logits, self._probs = get_logits_and_probs(logits, probs, True, validate_args, name)
            self._set_sizes()
        super().__init__(
            dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters, [self._logits, self._probs], name
        )

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        shape = joining.concat([[n], arrays.shape(self.logits)], 0)
        rows = self.logits
        if rows.shape.ndims != 2:
            rows = arrays.reshape(rows, [-1, self.event_size])
        samples = permuting.transpose(random.multinomial(rows, n, seed=seed))
        return arrays.reshape(indexing.one_hot(samples, self.event_size, dtype=self.dtype), shape)

    def _log_prob(self, x: Any) -> Tensor:
        x, logits = self._matched(self._checked(x))
        shape = arrays.shape(reductions.reduce_sum(logits, -1))
        logits = arrays.reshape(logits, [-1, self.event_size])
        x = arrays.reshape(x, [-1, self.event_size])
        losses = -softmax.softmax_cross_entropy_with_logits(labels=x, logits=logits)
        return arrays.reshape(losses, shape)

    def _entropy(self) -> Tensor:
        return -reductions.reduce_sum(softmax.log_softmax(self.logits) * self.probs, axis=-1)

    def _mode(self) -> Tensor:
        likeliest = ranking.argmax(self.logits, axis=self._batch_rank)
        mode = indexing.one_hot(likeliest, self.event_size, dtype=self.dtype)
        mode.set_shape(self.logits.shape)
        return mode

    def _covariance(self) -> Tensor:
        p = self.probs
        products = -matrices.matmul(p[..., None], p[..., None, :])
        return diagonals.matrix_set_diag(products, self._variance())

    def _variance(self) -> Tensor:
        return self.probs * (1.0 - self.probs)


@RegisterKL(OneHotCategorical, OneHotCategorical)
def _kl_categorical_categorical(a: OneHotCategorical, b: OneHotCategorical, name: str | None = None) -> Tensor:
    with name_scope(name, "kl_categorical_categorical", values=[a.logits, b.logits]):
        ratio = softmax.softmax(a.logits) * (softmax.log_softmax(a.logits) - softmax.log_softmax(b.logits))
        return reductions.reduce_sum(ratio, axis=-1)


class ExpRelaxedOneHotCategorical(_OneOfClasses):
    """``log_softmax((logits + g) / temperature)`` for Gumbel noise ``g``: logarithms of a relaxed one-hot vector."""

    def __init__(
        self,
        temperature: Any,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "ExpRelaxedOneHotCategorical",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs, temperature]) as name:
            self._logits, self._probs = get_logits_and_probs(logits, probs, True, validate_args, name)
            if dtype is None:
                dtype = self._logits.dtype
                if not validate_args:
                    temperature = casts.cast(temperature, dtype)
            with control_dependencies([checks.assert_positive(temperature)] if validate_args else []):
                self._temperature = arrays.identity(temperature, name="temperature")
                self._temperature_2d = arrays.reshape(temperature, [-1, 1], name="temperature_2d")
            self._set_sizes()
        super().__init__(
            dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._logits, self._probs, self._temperature], name,
        )  # fmt: skip

    @property
    def temperature(self) -> Tensor:
        """How smooth: towards 0 draws are one-hot vectors."""
        return self._temperature

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        shape = joining.concat([[n], arrays.shape(self.logits)], 0)
        logits = self.logits * constants.ones(shape, dtype=self.dtype)
        rows = arrays.reshape(logits, [-1, self.event_size])
        least = np.finfo(self.dtype.as_numpy_dtype).tiny
        uniform = random.random_uniform(arrays.shape(rows), least, 1.0, self.dtype, seed)
        gumbel = -exponentials.log(-exponentials.log(uniform))
        samples = softmax.log_softmax(arithmetic.div(gumbel + rows, self._temperature_2d))
        return arrays.reshape(samples, shape)

    def _log_prob(self, x: Any) -> Tensor:
        x, logits = self._matched(self._checked(x))
        shape = arrays.shape(reductions.reduce_sum(logits, axis=[-1]))
        logits = arrays.reshape(logits, [-1, self.event_size])
        x = arrays.reshape(x, [-1, self.event_size])
        k = casts.cast(self.event_size, x.dtype)
        log_normalizer = special.lgamma(k) + (k - 1.0) * exponentials.log(self.temperature)
        log_shares = softmax.log_softmax(logits - x * self._temperature_2d)
        return arrays.reshape(log_normalizer + reductions.reduce_sum(log_shares, [-1], keepdims=False), shape)


class RelaxedOneHotCategorical(TransformedDistribution):
    """``softmax((logits + g) / temperature)`` for Gumbel noise ``g``."""

    def __init__(
        self,
        temperature: Any,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "RelaxedOneHotCategorical",
    ) -> None:
        logarithms = ExpRelaxedOneHotCategorical(temperature, logits, probs, dtype, validate_args, allow_nan_stats)
        super().__init__(logarithms, bijectors.Exp(), name=name)


class RelaxedBernoulli(TransformedDistribution):
    """``sigmoid((logits + L) / temperature)`` for logistic noise ``L``."""

    _PARAMETERS = ("logits",)

    def __init__(
        self,
        temperature: Any,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "RelaxedBernoulli",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs, temperature]) as name:
            with control_dependencies([checks.assert_positive(temperature)] if validate_args else []):
                self._temperature = arrays.identity(temperature, name="temperature")
            self._logits, self._probs = get_logits_and_probs(logits, probs, validate_args=validate_args)
            noise = Logistic(
                self._logits / self._temperature, 1.0 / self._temperature, validate_args, allow_nan_stats,
                name=name + "/Logistic",
            )  # fmt: skip
            sigmoid = bijectors.Sigmoid(validate_args=validate_args)
            super().__init__(noise, sigmoid, validate_args=validate_args, name=name)
        self._parameters = parameters

    @property
    def temperature(self) -> Tensor:
        """How smooth: towards 0 draws are 0 or 1."""
        return self._temperature

    @property
    def logits(self) -> Tensor:
        """``log(probs / (1 - probs))``."""
        return self._logits

    @property
    def probs(self) -> Tensor:
        return self._probs
