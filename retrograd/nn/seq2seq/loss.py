"""The cross entropy of sequences of symbols."""

from __future__ import annotations

from typing import Any

from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn.cross_entropy import sparse_softmax_cross_entropy_with_logits
from retrograd.ops import arithmetic, arrays, casts, reductions


def sequence_loss(
    logits: Any, targets: Any, weights: Any, average_across_timesteps: bool = True, average_across_batch: bool = True,
    sum_over_timesteps: bool = False, sum_over_batch: bool = False, softmax_loss_function: Any = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The weighted cross entropy of ``targets [batch, time]`` under ``logits [batch, time, symbols]``.

    Args:
      average_across_timesteps, average_across_batch: divide by the sum of weights over that axis.
      sum_over_timesteps, sum_over_batch: divide by their number of symbols that count, instead.
      softmax_loss_function: called with ``labels`` and ``logits`` by name, instead of the sparse cross entropy.

    Raises:
      ValueError: a rank is wrong, or sums and averages contradict each other.
    """
    if len(logits.shape) != 3:
        raise ValueError("Logits must be a [batch_size x sequence_length x logits] tensor")
    if len(targets.shape) != 2:
        raise ValueError("Targets must be a [batch_size x sequence_length] tensor")
    if len(weights.shape) != 2:
        raise ValueError("Weights must be a [batch_size x sequence_length] tensor")
    if average_across_timesteps and sum_over_timesteps:
        raise ValueError("average_across_timesteps and sum_over_timesteps cannot be set to True at same time.")
    if average_across_batch and sum_over_batch:
        raise ValueError("average_across_batch and sum_over_batch cannot be set to True at same time.")
    with name_scope(name, "sequence_loss", [logits, targets, weights]):
        symbols = arrays.shape(logits)[2]
        flat = arrays.reshape(logits, [-1, symbols])
        labels = arrays.reshape(targets, [-1])
        if softmax_loss_function is None:
            losses = sparse_softmax_cross_entropy_with_logits(labels=labels, logits=flat)
        else:
            losses = softmax_loss_function(labels=labels, logits=flat)
        losses = losses * arrays.reshape(weights, [-1])
        if average_across_timesteps and average_across_batch:
            return arithmetic.div_no_nan(reductions.reduce_sum(losses), reductions.reduce_sum(weights))
        if sum_over_timesteps and sum_over_batch:
            losses = reductions.reduce_sum(losses)
            count = casts.cast(reductions.count_nonzero(weights), losses.dtype)
            return arithmetic.div_no_nan(losses, count)
        losses = arrays.reshape(losses, arrays.shape(logits)[0:2])
        if average_across_timesteps or average_across_batch:
            axis = [0 if average_across_batch else 1]
            losses = reductions.reduce_sum(losses, axis=axis)
            return arithmetic.div_no_nan(losses, reductions.reduce_sum(weights, axis=axis))
        if sum_over_timesteps or sum_over_batch:
            axis = [0 if sum_over_batch else 1]
            losses = reductions.reduce_sum(losses, axis=axis)
            count = casts.cast(reductions.count_nonzero(weights, axis=axis), losses.dtype)
            return arithmetic.div_no_nan(losses, count)
        return losses
