"""The Bernoulli and categorical distribution."""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn import cross_entropy
from retrograd.nn.distributions.arguments import (
    embed_check_categorical_event_shape,
    embed_check_integer_casting_closed,
    get_logits_and_probs,
)
from retrograd.nn.distributions.distribution import NOT_REPARAMETERIZED, ScalarDistribution
from retrograd.nn.distributions.divergences import RegisterKL
from retrograd.ops import (
    activations,
    arrays,
    casts,
    comparison,
    constants,
    exponentials,
    grids,
    joining,
    permuting,
    random,
    ranking,
    reductions,
    softmax,
)


class Bernoulli(ScalarDistribution):
    """1 with probability ``probs = sigmoid(logits)``, else 0."""

    _PARAMETERS = ("logits",)

    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = dtypes.int32,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Bernoulli",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name) as name:
            self._logits, self._probs = get_logits_and_probs(logits, probs, validate_args=validate_args, name=name)
        super().__init__(
            dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._logits, self._probs], name,
        )  # fmt: skip

    @property
    def logits(self) -> Tensor:
        """``log(probs / (1 - probs))``."""
        return self._logits

    @property
    def probs(self) -> Tensor:
        """The probability of 1."""
        return self._probs

    def _batch_shape_tensor(self) -> Tensor:
        return arrays.shape(self._logits)

    def _batch_shape(self) -> TensorShape:
        return self._logits.shape

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        shape = joining.concat([[n], self.batch_shape_tensor()], 0)
        uniform = random.random_uniform(shape, seed=seed, dtype=self.probs.dtype)
        return casts.cast(comparison.less(uniform, self.probs), self.dtype)

    def _log_prob(self, event: Any) -> Tensor:
        if self.validate_args:
            event = embed_check_integer_casting_closed(event, target_dtype=dtypes.bool)
        logits = self.logits
        event = casts.cast(event, logits.dtype)
        known = event.shape.is_fully_defined() and logits.shape.is_fully_defined()
        if not known or event.shape != logits.shape:
            logits, event = constants.ones_like(event) * logits, constants.ones_like(logits) * event
        return -cross_entropy.sigmoid_cross_entropy_with_logits(labels=event, logits=logits)

    def _entropy(self) -> Tensor:
        return -self.logits * (exponentials.sigmoid(self.logits) - 1) + activations.softplus(-self.logits)

    def _mean(self) -> Tensor:
        return arrays.identity(self.probs)

    def _variance(self) -> Tensor:
        return self._mean() * (1.0 - self.probs)

    def _mode(self) -> Tensor:
        """1 if its probability is above a half."""
        return casts.cast(self.probs > 0.5, self.dtype)


@RegisterKL(Bernoulli, Bernoulli)
def _kl_bernoulli_bernoulli(a: Bernoulli, b: Bernoulli, name: str | None = None) -> Tensor:
    with name_scope(name, "kl_bernoulli_bernoulli", values=[a.logits, b.logits]):
        of_one = activations.softplus(-b.logits) - activations.softplus(-a.logits)
        of_zero = activations.softplus(b.logits) - activations.softplus(a.logits)
        return exponentials.sigmoid(a.logits) * of_one + exponentials.sigmoid(-a.logits) * of_zero


class Categorical(ScalarDistribution):
    """``k`` with probability ``probs[k]``, ``probs = softmax(logits)`` along the last axis."""

    def __init__(
        self,
        logits: Any = None,
        probs: Any = None,
        dtype: Any = dtypes.int32,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Categorical",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[logits, probs]) as name:
            self._logits, self._probs = get_logits_and_probs(logits, probs, True, validate_args, name)
            if validate_args:
                self._logits = embed_check_categorical_event_shape(self._logits)
            static = self._logits.shape.with_rank_at_least(1)
            if static.ndims is not None:
                self._batch_rank = as_tensor(static.ndims - 1, dtype=dtypes.int32, name="batch_rank")
            else:
                with name_scope("batch_rank"):
                    self._batch_rank = arrays.rank(self._logits) - 1
            shape = arrays.shape(self._logits, name="logits_shape")
            if static[-1].value is not None:
                self._event_size = as_tensor(static[-1].value, dtype=dtypes.int32, name="event_size")
            else:
                with name_scope("event_size"):
                    self._event_size = shape[self._batch_rank]
            if static[:-1].is_fully_defined():
                self._batch_shape_val = constants.constant(
                    static[:-1].as_list(), dtype=dtypes.int32, name="batch_shape"
                )
            else:
                with name_scope("batch_shape"):
                    self._batch_shape_val = shape[:-1]
        super().__init__(
            dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._logits, self._probs], name,
        )  # fmt: skip

    @property
    def event_size(self) -> Tensor:
        """The number of classes."""
        return self._event_size

    @property
    def logits(self) -> Tensor:
        return self._logits

    @property
    def probs(self) -> Tensor:
        return self._probs

    def _batch_shape_tensor(self) -> Tensor:
        return arrays.identity(self._batch_shape_val)

    def _batch_shape(self) -> TensorShape:
        return self.logits.shape[:-1]

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        logits = self.logits
        if logits.shape.ndims != 2:
            logits = arrays.reshape(logits, [-1, self.event_size])
        dtype = dtypes.int64 if self.dtype.size > 4 else dtypes.int32
        draws = random.multinomial(logits, n, seed=seed, output_dtype=dtype)
        draws = arrays.reshape(permuting.transpose(draws), joining.concat([[n], self.batch_shape_tensor()], 0))
        return casts.cast(draws, self.dtype)

    def _cdf(self, k: Any) -> Tensor:
        k, probs = self._beside(k, self.probs)
        rows = arrays.reshape(probs, (-1, self._event_size))
        below = grids.sequence_mask(arrays.reshape(k, [-1]), self._event_size)
        total = reductions.reduce_sum(comparison.where(below, rows, constants.zeros_like(rows)), axis=-1)
        return arrays.reshape(total, arrays.shape(k))

    def _log_prob(self, k: Any) -> Tensor:
        k, logits = self._beside(k, self.logits)
        return -cross_entropy.sparse_softmax_cross_entropy_with_logits(labels=k, logits=logits)

    def _beside(self, k: Any, parameter: Tensor) -> tuple[Tensor, Tensor]:
        """The value and a parameter, each repeated to the shape of both."""
        k = as_tensor(k, name="k")
        if self.validate_args:
            k = embed_check_integer_casting_closed(k, target_dtype=dtypes.int32)
        if k.dtype.is_floating:
            k = casts.cast(k, dtype=dtypes.int32)
        elif not k.dtype.is_integer:
            raise TypeError(f"`value` should have integer `dtype` or `self.dtype` ({self.dtype.base_dtype})")
        shape = parameter.shape
        known = shape.ndims is not None and shape[:-1].is_fully_defined() and k.shape.is_fully_defined()
        if not known or shape[:-1] != k.shape:
            parameter *= constants.ones_like(k[..., None], dtype=parameter.dtype)
            k *= constants.ones(arrays.shape(parameter)[:-1], dtype=k.dtype)
            if parameter.shape.ndims is not None:
                k.set_shape(parameter.shape[:-1])
        return k, parameter

    def _entropy(self) -> Tensor:
        return -reductions.reduce_sum(softmax.log_softmax(self.logits) * self.probs, axis=-1)

    def _mode(self) -> Tensor:
        mode = casts.cast(ranking.argmax(self.logits, axis=self._batch_rank), self.dtype)
        mode.set_shape(self.batch_shape)
        return mode


@RegisterKL(Categorical, Categorical)
def _kl_categorical_categorical(a: Categorical, b: Categorical, name: str | None = None) -> Tensor:
    with name_scope(name, "kl_categorical_categorical", values=[a.logits, b.logits]):
        difference = softmax.log_softmax(a.logits) - softmax.log_softmax(b.logits)
        return reductions.reduce_sum(softmax.softmax(a.logits) * difference, axis=-1)
