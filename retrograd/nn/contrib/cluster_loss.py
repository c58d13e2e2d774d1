"""The loss of a clustering: examples of one kind are to lie around one of them.

With distances D and chosen examples S, ``F(S) = -sum_j min_{i in S} D[i, j]`` is the energy of S, and every example
belongs to the nearest one of S.  Source: Song, Jegelka, Rathod, Murphy, 2017, arXiv:1612.01213.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.graph.tensor import Tensor
from retrograd.nn import summaries
from retrograd.nn.contrib.metric_losses import pairwise_distance
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
    host,
    indexing,
    printing,
    reductions,
    segments,
    uniqueness,
)

_SCORES = {
    "nmi": "normalized_mutual_info_score",
    "ami": "adjusted_mutual_info_score",
    "ari": "adjusted_rand_score",
    "vmeasure": "v_measure_score",
    "const": None,
}
_PAM_ROUNDS = 5


def _score_of(margin_type: str) -> Callable[[np.ndarray, np.ndarray], np.float32]:
    """How much two clusterings agree, from 0 to 1."""
    if margin_type not in _SCORES:
        raise ValueError(f"Unrecognized margin_type: {margin_type}")
    name = _SCORES[margin_type]
    if name is None:
        return lambda labels, clusters: np.float32(np.array_equal(labels, clusters))
    from sklearn import metrics

    function = getattr(metrics, name)
    return lambda labels, clusters: np.maximum(np.float32(function(labels, clusters)), np.float32(0))


def _clusters(distances: np.ndarray, chosen: np.ndarray) -> np.ndarray:
    """The place in ``chosen`` of each example's nearest one; a chosen example's is its own."""
    nearest = distances[chosen].argmin(0)
    nearest[chosen] = np.arange(len(chosen))
    return nearest


def _chosen(
    distances: np.ndarray, labels: np.ndarray, margin: np.float32, refined: bool, score: Callable[..., np.float32]
) -> np.ndarray:
    """As many examples as there are kinds, chosen one by one for the largest ``F(S) + margin * (1 - score)``.

    Refined, each one is then replaced by the best example of its cluster (PAM).
    """

    def best(energies: np.ndarray, candidates: list[np.ndarray]) -> np.ndarray:
        scores = np.array([score(labels, _clusters(distances, chosen)) for chosen in candidates], np.float32)
        return candidates[int((energies + margin * (1 - scores)).argmax())]

    count = len(np.unique(labels))
    chosen = np.zeros(0, np.int32)
    for _ in range(count):
        rest = np.setdiff1d(np.arange(len(labels), dtype=np.int32), chosen)
        reach = np.minimum(distances[rest], distances[chosen].min(0, initial=np.inf))
        chosen = best(-reach.sum(1), [np.append(chosen, i) for i in rest])
    for _ in range(_PAM_ROUNDS if refined else 0):
        clusters = _clusters(distances, chosen)
        for k in range(count):
            members = np.flatnonzero(clusters == k).astype(np.int32)
            energies = -distances[np.ix_(members, members)].sum(0)
            chosen = best(energies, [np.where(np.arange(count) == k, i, chosen) for i in members])
    return chosen


def cluster_loss(
    labels: Any, embeddings: Any, margin_multiplier: float, enable_pam_finetuning: bool = True,
    margin_type: str = "nmi", print_losses: bool = False,
) -> Tensor:  # fmt: skip
    """``max(F(S) + margin_multiplier * (1 - score) - F(labels), 0)``, with the worst S that a greedy search finds.

    Args:
      labels: the kind of each example, ``[n]`` or ``[n, 1]``.
      embeddings: ``[n, d]``, float32, of length 1.
      margin_multiplier: how much it counts that the clusters of S and the labels disagree.
      enable_pam_finetuning: is the search refined?
      margin_type: the score of scikit-learn: ``nmi``, ``ami``, ``ari``, ``vmeasure``; or ``const``, 1 for equal ones.
      print_losses: print the loss in every run?

    Raises:
      ImportError: scikit-learn is not installed.
      ValueError: there is no such ``margin_type``.
    """
    if importlib.util.find_spec("sklearn") is None:
        raise ImportError("Cluster loss depends on sklearn.")
    score = _score_of(margin_type)
    distances = pairwise_distance(embeddings)
    labels = arrays.squeeze(labels)

    def search(distances: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.float32]:
        chosen = _chosen(distances, labels, np.float32(margin_multiplier), enable_pam_finetuning, score)
        return chosen, score(labels, _clusters(distances, chosen))

    chosen, agreement = host.py_func(search, [distances, labels], ["int32", "float32"], name="clusters")
    agreement.set_shape([])
    found = -1.0 * reductions.reduce_sum(reductions.reduce_min(indexing.gather(distances, chosen), axis=0))
    kinds, kind = uniqueness.unique(labels)
    alike = casts.cast(comparison.equal(arrays.expand_dims(kind, 0), arrays.expand_dims(kind, 1)), "float32")
    around = reductions.reduce_sum(arithmetic.multiply(distances, alike), axis=0)
    true = -1.0 * reductions.reduce_sum(segments.unsorted_segment_min(around, kind, arrays.size(kinds)))
    loss = arithmetic.maximum(found + margin_multiplier * (1.0 - agreement) - true, 0.0, name="clustering_loss")
    if print_losses:
        loss = printing.Print(loss, ["clustering_loss: ", loss, arrays.shape(loss)])
    summaries.scalar("losses/score_pred", found)
    summaries.scalar(f"losses/{margin_type}", agreement)
    summaries.scalar("losses/score_gt", true)
    return loss
