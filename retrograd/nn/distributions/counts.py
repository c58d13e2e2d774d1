"""The Dirichlet, multinomial and Dirichlet-multinomial distribution."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.nn.distributions.arguments import (
    embed_check_categorical_event_shape,
    embed_check_nonnegative_integer_form,
    gen_new_seed,
    get_logits_and_probs,
    log_combinations,
)
from retrograd.nn.distributions.distribution import FULLY_REPARAMETERIZED, NOT_REPARAMETERIZED, Distribution
from retrograd.nn.distributions.divergences import RegisterKL
from retrograd.nn.functional import map_fn
from retrograd.ops import (
    arrays,
    casts,
    checks,
    comparison,
    constants,
    diagonals,
    exponentials,
    indexing,
    joining,
    matrices,
    permuting,
    powers,
    random,
    reductions,
    shape_checks,
    softmax,
    special,
    variates,
)
from retrograd.ops.control import with_dependencies


def _outer(x: Tensor, y: Tensor) -> Tensor:
    return matrices.matmul(x[..., None], y[..., None, :])


class Dirichlet(Distribution):
    """``p(x)`` in proportion to ``prod(x^(concentration - 1))``, for positive ``x`` that add up to 1."""

    def __init__(
        self,
        concentration: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Dirichlet",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[concentration]) as name:
            concentration = as_tensor(concentration, name="concentration")
            self._concentration = _checked_concentration(concentration) if validate_args else concentration
            self._total_concentration = reductions.reduce_sum(self._concentration, -1)
        super().__init__(
            self._concentration.dtype, FULLY_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._concentration, self._total_concentration], name,
        )  # fmt: skip

    @property
    def concentration(self) -> Tensor:
        return self._concentration

    @property
    def total_concentration(self) -> Tensor:
        """The sum over the last axis."""
        return self._total_concentration

    def _batch_shape_tensor(self) -> Tensor:
        return arrays.shape(self.total_concentration)

    def _batch_shape(self) -> TensorShape:
        return self.total_concentration.shape

    def _event_shape_tensor(self) -> Tensor:
        return arrays.shape(self.concentration)[-1:]

    def _event_shape(self) -> TensorShape:
        return self.concentration.shape.with_rank_at_least(1)[-1:]

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        gamma = variates.random_gamma([n], self.concentration, dtype=self.dtype, seed=seed)
        return gamma / reductions.reduce_sum(gamma, -1, keepdims=True)

    def _log_prob(self, x: Any) -> Tensor:
        return self._log_unnormalized_prob(x) - self._log_normalization()

    def _prob(self, x: Any) -> Tensor:
        return exponentials.exp(self._log_prob(x))

    def _log_unnormalized_prob(self, x: Any) -> Tensor:
        if self.validate_args:
            positive = checks.assert_positive(x, message="samples must be positive")
            one = constants.ones([], dtype=self.dtype)
            message = "sample last-dimension must sum to `1`"
            x = with_dependencies([positive, checks.assert_near(one, reductions.reduce_sum(x, -1), message=message)], x)
        return reductions.reduce_sum(exponentials.xlogy(self.concentration - 1.0, x), -1)

    def _log_normalization(self) -> Tensor:
        return special.lbeta(self.concentration)

    def _entropy(self) -> Tensor:
        k = casts.cast(self.event_shape_tensor()[0], self.dtype)
        return (
            self._log_normalization()
            + (self.total_concentration - k) * special.digamma(self.total_concentration)
            - reductions.reduce_sum((self.concentration - 1.0) * special.digamma(self.concentration), axis=-1)
        )

    def _mean(self) -> Tensor:
        return self.concentration / self.total_concentration[..., None]

    def _covariance(self) -> Tensor:
        x = self._spread() * self._mean()
        return diagonals.matrix_set_diag(-_outer(x, x), self._variance())

    def _variance(self) -> Tensor:
        spread = self._spread()
        x = spread * self._mean()
        return x * (spread - x)

    def _spread(self) -> Tensor:
        """``1 / sqrt(1 + total)``."""
        return powers.rsqrt(1.0 + self.total_concentration[..., None])

    def _mode(self) -> Tensor:
        """``(concentration - 1) / (total - k)`` if every concentration is above 1, else undefined."""
        k = casts.cast(self.event_shape_tensor()[0], self.dtype)
        mode = (self.concentration - 1.0) / (self.total_concentration[..., None] - k)
        if self.allow_nan_stats:
            nan = constants.fill(arrays.shape(mode), np.array(np.nan, dtype=self.dtype.as_numpy_dtype), name="nan")
            return comparison.where_v2(reductions.reduce_all(self.concentration > 1.0, axis=-1), mode, nan)
        message = "Mode undefined when any concentration <= 1"
        return with_dependencies(
            [checks.assert_less(constants.ones([], self.dtype), self.concentration, message=message)], mode
        )


def _checked_concentration(concentration: Tensor) -> Tensor:
    conditions = [
        checks.assert_positive(concentration, message="Concentration parameter must be positive."),
        shape_checks.assert_rank_at_least(
            concentration, 1, message="Concentration parameter must have >=1 dimensions."
        ),
        checks.assert_less(
            1, arrays.shape(concentration)[-1], message="Concentration parameter must have event_size >= 2."
        ),
    ]
    return with_dependencies(conditions, concentration)


@RegisterKL(Dirichlet, Dirichlet)
def _kl_dirichlet_dirichlet(d1: Dirichlet, d2: Dirichlet, name: str | None = None) -> Tensor:
    with name_scope(name, "kl_dirichlet_dirichlet", values=[d1.concentration, d2.concentration]):
        of_total = special.digamma(reductions.reduce_sum(d1.concentration, axis=-1, keepdims=True))
        slopes = special.digamma(d1.concentration) - of_total
        difference = d1.concentration - d2.concentration
        return (
            reductions.reduce_sum(difference * slopes, axis=-1)
            - special.lbeta(d1.concentration)
            + special.lbeta(d2.concentration)
        )


class Multinomial(Distribution):
    """How many of ``total_count`` draws are of each class, ``probs = softmax(logits)`` along the last axis."""

    def __init__(
        self,
        total_count: Any,
        logits: Any = None,
        probs: Any = None,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "Multinomial",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[total_count, logits, probs]) as name:
            self._total_count = as_tensor(total_count, name="total_count")
            if validate_args:
                self._total_count = embed_check_nonnegative_integer_form(self._total_count)
            self._logits, self._probs = get_logits_and_probs(logits, probs, True, validate_args, name)
            self._mean_val = self._total_count[..., None] * self._probs
        super().__init__(
            self._probs.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._total_count, self._logits, self._probs], name,
        )  # fmt: skip

    @property
    def total_count(self) -> Tensor:
        return self._total_count

    @property
    def logits(self) -> Tensor:
        return self._logits

    @property
    def probs(self) -> Tensor:
        return self._probs

    def _batch_shape_tensor(self) -> Tensor:
        return arrays.shape(self._mean_val)[:-1]

    def _batch_shape(self) -> TensorShape:
        return self._mean_val.shape.with_rank_at_least(1)[:-1]

    def _event_shape_tensor(self) -> Tensor:
        return arrays.shape(self._mean_val)[-1:]

    def _event_shape(self) -> TensorShape:
        return self._mean_val.shape.with_rank_at_least(1)[-1:]

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        """All draws of one row of the batch at a time, counted by class."""
        n_draws = casts.cast(self.total_count, dtype=dtypes.int32)
        k = self.event_shape_tensor()[0]
        n_draws = constants.ones_like(self.logits[..., 0], dtype=n_draws.dtype) * n_draws
        logits = constants.ones_like(n_draws[..., None], dtype=self.logits.dtype) * self.logits
        rows, draws = arrays.reshape(logits, [-1, k]), n * arrays.reshape(n_draws, [-1])

        def of_row(row: Sequence[Tensor]) -> Tensor:
            x = random.multinomial(row[0][None, ...], row[1], seed)
            x = arrays.reshape(x, shape=[n, -1])
            return reductions.reduce_sum(indexing.one_hot(x, depth=k), axis=-2)

        x = map_fn(of_row, [rows, draws], dtype=self.dtype)
        x = permuting.transpose(x, perm=[1, 0, 2])
        return arrays.reshape(x, joining.concat([[n], self.batch_shape_tensor(), [k]], 0))

    def _log_prob(self, counts: Any) -> Tensor:
        return self._log_unnormalized_prob(counts) - self._log_normalization(counts)

    def _log_unnormalized_prob(self, counts: Any) -> Tensor:
        counts = self._checked(counts)
        return reductions.reduce_sum(counts * softmax.log_softmax(self.logits), -1)

    def _log_normalization(self, counts: Any) -> Tensor:
        counts = self._checked(counts)
        return -log_combinations(self.total_count, counts)

    def _mean(self) -> Tensor:
        return arrays.identity(self._mean_val)

    def _covariance(self) -> Tensor:
        p = self.probs * constants.ones_like(self.total_count)[..., None]
        return diagonals.matrix_set_diag(-_outer(self._mean_val, p), self._variance())

    def _variance(self) -> Tensor:
        p = self.probs * constants.ones_like(self.total_count)[..., None]
        return self._mean_val - self._mean_val * p

    def _checked(self, counts: Any) -> Any:
        if not self.validate_args:
            return counts
        counts = embed_check_nonnegative_integer_form(counts)
        message = "counts must sum to `self.total_count`"
        complete = checks.assert_equal(self.total_count, reductions.reduce_sum(counts, -1), message=message)
        return with_dependencies([complete], counts)


class DirichletMultinomial(Distribution):
    """``Multinomial(total_count, probs)`` for ``probs`` drawn from ``Dirichlet(concentration)``."""

    def __init__(
        self,
        total_count: Any,
        concentration: Any,
        validate_args: bool = False,
        allow_nan_stats: bool = True,
        name: str = "DirichletMultinomial",
    ) -> None:
        parameters = dict(locals())
        with name_scope(name, values=[total_count, concentration]) as name:
            self._total_count = as_tensor(total_count, name="total_count")
            if validate_args:
                self._total_count = embed_check_nonnegative_integer_form(self._total_count)
            concentration = as_tensor(concentration, name="concentration")
            if validate_args:
                concentration = embed_check_categorical_event_shape(concentration)
                positive = checks.assert_positive(concentration, message="Concentration parameter must be positive.")
                concentration = with_dependencies([positive], concentration)
            self._concentration = concentration
            self._total_concentration = reductions.reduce_sum(self._concentration, -1)
        super().__init__(
            self._concentration.dtype, NOT_REPARAMETERIZED, validate_args, allow_nan_stats, parameters,
            [self._total_count, self._concentration], name,
        )  # fmt: skip

    @property
    def total_count(self) -> Tensor:
        return self._total_count

    @property
    def concentration(self) -> Tensor:
        return self._concentration

    @property
    def total_concentration(self) -> Tensor:
        """The sum over the last axis."""
        return self._total_concentration

    def _batch_shape_tensor(self) -> Tensor:
        return arrays.shape(self.total_concentration)

    def _batch_shape(self) -> TensorShape:
        return self.total_concentration.shape

    def _event_shape_tensor(self) -> Tensor:
        return arrays.shape(self.concentration)[-1:]

    def _event_shape(self) -> TensorShape:
        return self.concentration.shape.with_rank_at_least(1)[-1:]

    def _sample_n(self, n: Any, seed: int | None = None) -> Tensor:
        n_draws = casts.cast(self.total_count, dtype=dtypes.int32)
        k = self.event_shape_tensor()[0]
        gamma = variates.random_gamma([n], self.concentration, dtype=self.dtype, seed=seed)
        logits = arrays.reshape(exponentials.log(gamma), shape=[-1, k])
        draws = random.multinomial(logits, n_draws, seed=gen_new_seed(seed, "dirichlet_multinomial"))
        x = reductions.reduce_sum(indexing.one_hot(draws, depth=k), -2)
        x = arrays.reshape(x, joining.concat([[n], self.batch_shape_tensor(), [k]], 0))
        return casts.cast(x, self.dtype)

    def _log_prob(self, counts: Any) -> Tensor:
        if self.validate_args:
            counts = embed_check_nonnegative_integer_form(counts)
            message = "counts last-dimension must sum to `self.total_count`"
            complete = checks.assert_equal(self.total_count, reductions.reduce_sum(counts, -1), message=message)
            counts = with_dependencies([complete], counts)
        in_order = special.lbeta(self.concentration + counts) - special.lbeta(self.concentration)
        return in_order + log_combinations(self.total_count, counts)

    def _prob(self, counts: Any) -> Tensor:
        return exponentials.exp(self._log_prob(counts))

    def _mean(self) -> Tensor:
        return self.total_count * (self.concentration / self.total_concentration[..., None])

    def _covariance(self) -> Tensor:
        x = self._spread() * self._mean()
        return diagonals.matrix_set_diag(-_outer(x, x), self._variance())

    def _variance(self) -> Tensor:
        spread = self._spread()
        x = spread * self._mean()
        return x * (self.total_count * spread - x)

    def _spread(self) -> Tensor:
        """``sqrt((1 + total / n) / (1 + total))``."""
        c0 = self.total_concentration[..., None]
        return powers.sqrt((1.0 + c0 / self.total_count) / (1.0 + c0))
