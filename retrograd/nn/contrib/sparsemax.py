"""``tf.contrib.sparsemax``: the projection of logits onto the simplex, and its loss.

p = max(z - tau, 0) with tau such that p sums to 1.  Source: Martins and Astudillo, "From softmax to sparsemax", 2016.
"""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
    constants,
    joining,
    ranking,
    reductions,
    rounding,
    scans,
)
from retrograd.ops import indexing as indexing_ops


def sparsemax(logits: Any, name: str | None = None) -> Tensor:
    """For each row of ``logits`` the nearest vector of probabilities; nan where a row holds nan or infinity."""
    with name_scope(name, "sparsemax", [logits]):
        z = as_tensor(logits, name="logits")
        rows = arrays.shape(z)[0]
        columns = arrays.shape(z)[1]
        descending, _ = ranking.top_k(z, k=columns)
        sums = scans.cumsum(descending, axis=1)
        k = constants.range_(1, casts.cast(columns, z.dtype) + 1, dtype=z.dtype)
        support = reductions.reduce_sum(casts.cast(1 + k * descending > sums, dtypes.int32), axis=1)
        one_or_more = arithmetic.maximum(support, 1)
        last = joining.stack([constants.range_(0, rows), one_or_more - 1], axis=1)
        tau = (indexing_ops.gather_nd(sums, last) - 1) / casts.cast(support, z.dtype)
        p = arithmetic.maximum(casts.cast(0, z.dtype), z - tau[:, None])
        wrong = comparison.logical_or(comparison.equal(support, 0), rounding.is_nan(sums[:, -1]))
        nan = constants.fill([rows, columns], casts.cast(float("nan"), z.dtype))
        return comparison.where(wrong, nan, p)


def sparsemax_loss(logits: Any, sparsemax: Any, labels: Any, name: str | None = None) -> Tensor:
    """L = sum p (z - p / 2) + sum q (q / 2 - z) for each row, with p = sparsemax(z) and labels q."""
    with name_scope(name, "sparsemax_loss", [logits, sparsemax, labels]):
        z = as_tensor(logits, name="logits")
        p = as_tensor(sparsemax, name="sparsemax")
        q = as_tensor(labels, name="labels")
        counts = comparison.logical_or(p > 0, rounding.is_nan(p))
        of_p = comparison.where(counts, p * (z - 0.5 * p), constants.zeros_like(p))
        of_q = q * (0.5 * q - z)
        nothing = comparison.logical_and(comparison.equal(q, 0), rounding.is_inf(z))
        return reductions.reduce_sum(of_p + comparison.where(nothing, constants.zeros_like(z), of_q), axis=1)
