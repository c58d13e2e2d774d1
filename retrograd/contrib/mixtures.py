"""Mixtures of normal distributions, fitted by expectation and maximization.

With memberships w_ik = a_k N(x_i; m_k, S_k) / sum_l a_l N(x_i; m_l, S_l), a step takes n_k = sum_i w_ik,
a_k = n_k / n, m_k = sum_i w_ik x_i / n_k and S_k = sum_i w_ik x_i x_i^T / n_k - m_k m_k^T + 0.001.  Source: Dempster,
Laird and Rubin, "Maximum likelihood from incomplete data via the EM algorithm", 1977; names and numbers: TensorFlow
1.15.5, ``contrib/factorization/python/ops/gmm_ops.py``.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from retrograd.graph import dtypes
from retrograd.graph.scopes import colocate_with, control_dependencies
from retrograd.graph.tensor import Tensor
from retrograd.nn.embeddings import embedding_lookup
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    checks,
    constants,
    control,
    diagonals,
    exponentials,
    joining,
    powers,
    ranking,
    reductions,
    repeating,
    solving,
)
from retrograd.ops import random as random_ops
from retrograd.ops import state as state_ops
from retrograd.ops.conditions import cond
from retrograd.ops.matrices import matmul
from retrograd.ops.permuting import transpose
from retrograd.ops.sums import add_n
from retrograd.state.variables import Variable as variable

FULL_COVARIANCE, DIAG_COVARIANCE = "full", "diag"
_EPSILON = float(np.finfo(float).eps)
_LEAST = 1e-3  # of a variance


def covariance(x: Any, diag: bool) -> Tensor:
    """The covariances of the columns of a matrix; only the variances, as a row, with ``diag``."""
    count = casts.cast(arrays.shape(x)[0], dtypes.float32)
    x = x - reductions.reduce_mean(x, 0, keepdims=True)
    if diag:
        return reductions.reduce_sum(powers.square(x), 0, keepdims=True) / (count - 1)
    return matmul(x, x, transpose_a=True) / (count - 1)


class GmmAlgorithm:
    """The graph of a mixture over points.

    Args:
      data: matrices of points, of one number of columns.
      num_classes: how many distributions are mixed.
      initial_means: their first means; None: points that are drawn.
      params: what a step changes: of "w" weights, "m" means, "c" covariances.
      covariance_type: "full" or "diag".
      random_seed: of the draws.

    Raises:
      Exception: another type of covariances.
    """

    CLUSTERS_WEIGHT, CLUSTERS_VARIABLE, CLUSTERS_COVS_VARIABLE = "alphas", "clusters", "clusters_covs"

    def __init__(
        self,
        data: list[Any],
        num_classes: int,
        initial_means: Any = None,
        params: str = "wmc",
        covariance_type: str = FULL_COVARIANCE,
        random_seed: int = 0,
    ) -> None:
        if covariance_type not in (DIAG_COVARIANCE, FULL_COVARIANCE):
            raise Exception(f"programmer error: Invalid covariance type: {covariance_type}")
        self._is_full = covariance_type == FULL_COVARIANCE
        self._count, self._params, self._seed = num_classes, params, random_seed
        self._width = arrays.shape(data[0])[1]
        self._least = diagonals.diag(constants.ones(joining.stack([self._width]))) * _LEAST
        nothing = constants.constant([], dtype=dtypes.float32)
        self._means = variable(nothing, name=self.CLUSTERS_VARIABLE, validate_shape=False)
        self._covs = variable(nothing, name=self.CLUSTERS_COVS_VARIABLE, validate_shape=False)
        even = repeating.tile([1.0 / num_classes], [num_classes])
        self._alpha = variable(even, name=self.CLUSTERS_WEIGHT, validate_shape=False)
        self._is_initialized = variable(False, dtype=dtypes.bool, name="initialized")
        self._init_ops = self._first_values(data, initial_means)
        densities = [self._log_densities(x) for x in data]
        evidence = [reductions.reduce_logsumexp(d, axis=1, keepdims=True) for d in densities]
        self._w = [
            arrays.reshape(exponentials.exp(d - e), joining.stack([arrays.shape(x)[0], num_classes]))
            for x, d, e in zip(data, densities, evidence, strict=True)
        ]
        self._train_ops = self._step(data)
        self._log_likelihood = reductions.reduce_logsumexp([reductions.reduce_logsumexp(e) for e in evidence])
        terms = [e + exponentials.log(w) for e, w in zip(evidence, self._w, strict=True)]
        self._scores = arrays.squeeze(reductions.reduce_logsumexp(terms, axis=2, keepdims=True), axis=0)

    def init_ops(self) -> Any:
        """The op that chooses the first means and covariances; it does nothing where there are some."""
        return control.group(*self._init_ops)

    def training_ops(self) -> Any:
        """The op of one step."""
        return control.group(*self._train_ops)

    def is_initialized(self) -> Any:
        """Whether there are means."""
        return self._is_initialized

    def alphas(self) -> Any:
        """The weights of the distributions."""
        return self._alpha

    def clusters(self) -> Any:
        """The means, of shape [classes, 1, columns]."""
        return self._means

    def covariances(self) -> Any:
        """The covariances, of shape [classes, columns, columns], or [classes, columns] where they are diagonal."""
        return self._covs

    def assignments(self) -> list[Tensor]:
        """For each matrix of points, the likeliest distribution of each."""
        return [ranking.argmax(w, 1) for w in self._w]

    def scores(self) -> Tensor:
        """The logarithm of how likely each point is."""
        return self._scores

    def log_likelihood_op(self) -> Tensor:
        """The logarithm of the sum of how likely all points are."""
        return self._log_likelihood

    def _first_values(self, data: list[Any], initial_means: Any) -> list[Any]:
        if initial_means is None:
            initial_means = self._drawn(data)
        means = arrays.expand_dims(initial_means, 1)
        spread = covariance(data[0], not self._is_full) + self._least
        spread = spread if self._is_full else diagonals.diag_part(spread)
        repeats = [self._count, 1, 1] if self._is_full else [self._count, 1]
        covs = repeating.tile(arrays.expand_dims(spread, 0), repeats)
        with colocate_with(self._is_initialized):
            done = control.with_dependencies([means, covs], arrays.identity(self._is_initialized))
        return [self._unless(done, self._means, means), self._unless(done, self._covs, covs)]

    def _unless(self, done: Tensor, held: Any, value: Tensor) -> Any:
        with colocate_with(held):
            stored = state_ops.assign(held, value, validate_shape=False)
            known = control.with_dependencies([stored], state_ops.assign(self._is_initialized, True))
            return cond(done, control.no_op, lambda: known).op

    def _drawn(self, data: list[Any]) -> Tensor:
        total = add_n([arrays.shape(x)[0] for x in data])
        with control_dependencies([checks.assert_less_equal(self._count, total)]):
            places = random_ops.random_uniform(
                [self._count], minval=0, maxval=casts.cast(total, dtypes.int64), seed=self._seed, dtype=dtypes.int64
            )
        places = places % casts.cast(total, dtypes.int64)
        return embedding_lookup(data, places, partition_strategy="div")

    def _log_densities(self, x: Any) -> Tensor:
        """log a_k N(x_i; m_k, S_k), of shape [points, classes]."""
        constant = casts.cast(self._width, dtypes.float32) * math.log(2 * math.pi)
        x = arrays.expand_dims(x, 0)
        if self._is_full:
            root = solving.cholesky(self._covs + self._least)
            volume = 2.0 * reductions.reduce_sum(exponentials.log(diagonals.matrix_diag_part(root)), 1)
            away = transpose(x - self._means, perm=[0, 2, 1])
            squares = powers.square(solving.matrix_triangular_solve(root, away, lower=True))
            distances = transpose(reductions.reduce_sum(squares, 1))
        else:
            variances = arithmetic.add(self._covs, _LEAST)
            volume = transpose(reductions.reduce_sum(exponentials.log(variances), 1, keepdims=True))
            squares = arithmetic.squared_difference(x, self._means)
            distances = matmul(squares, arrays.expand_dims(1.0 / variances, 2))
            distances = transpose(arrays.squeeze(distances, [2]))
        return -0.5 * (distances + constant + volume) + exponentials.log(self._alpha)

    def _step(self, data: list[Any]) -> list[Any]:
        sizes = [reductions.reduce_sum(w, 0, keepdims=True) for w in self._w]
        sums = [arrays.expand_dims(matmul(w, x, transpose_a=True), 1) for w, x in zip(self._w, data, strict=True)]
        squares = [self._weighted_squares(w, x) for w, x in zip(self._w, data, strict=True)]
        with control_dependencies(self._w):
            n = arrays.squeeze(add_n(sizes), axis=[0])
            column = arrays.reshape(n, [self._count, 1, 1]) + _EPSILON
            weights: Any = control.no_op()
            if "w" in self._params:
                share = n / float(len(data))
                weights = self._alpha.assign(share / (reductions.reduce_sum(share) + _EPSILON))
            means = self._means.assign(add_n(sums) / column) if "m" in self._params else control.no_op()
            with control_dependencies([means]):
                held = self._means.value()
                covs = add_n(squares) / column - matmul(held, held, transpose_a=True) + self._least
                if not self._is_full:
                    covs = diagonals.matrix_diag_part(covs)
        if "c" not in self._params:
            return [weights, means]
        with control_dependencies([means, covs]):
            return [weights, means, state_ops.assign(self._covs, covs, validate_shape=False)]

    def _weighted_squares(self, w: Tensor, x: Any) -> Tensor:
        """sum_i w_ik x_i x_i^T for each k."""
        weighted = arrays.expand_dims(transpose(x), 0) * arrays.expand_dims(transpose(w), 1)
        return matmul(weighted, repeating.tile(arrays.expand_dims(x, 0), [self._count, 1, 1]))


def gmm(
    inp: Any,
    initial_clusters: Any,
    num_clusters: int,
    random_seed: int,
    covariance_type: str = FULL_COVARIANCE,
    params: str = "wmc",
) -> tuple[Any, Any, Any, Any, Any, Any]:
    """The graph of a mixture of ``num_clusters`` normal distributions over points.

    Args:
      inp: a matrix of points, or a list of them.
      initial_clusters: the first means, or "random".
      random_seed, covariance_type, params: as of ``GmmAlgorithm``.

    Returns:
      (log likelihood, scores of points, [likeliest distributions], op of a step, op that begins, whether it has begun)
    """
    if isinstance(initial_clusters, Tensor) or (isinstance(initial_clusters, str) and initial_clusters == "random"):
        means = None  # as in TensorFlow, tensors are not looked at
    else:
        means = constants.constant(initial_clusters, dtype=dtypes.float32)
    data = inp if isinstance(inp, list) else [inp]
    made = GmmAlgorithm(data, num_clusters, means, params, covariance_type, random_seed)
    return (
        made.log_likelihood_op(), made.scores(), [made.assignments()], made.training_ops(), made.init_ops(),
        made.is_initialized(),
    )  # fmt: skip
