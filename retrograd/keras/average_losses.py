"""Losses of one replica as its part of a global batch's: ``tf.nn.compute_average_loss``."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

from retrograd.distribute.contexts import get_strategy, has_strategy, in_cross_replica_context
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.tensor import Tensor
from retrograd.keras.losses import squeeze_or_expand
from retrograd.nn.weights import broadcast_weights
from retrograd.ops import arithmetic, arrays, casts, checks, reductions


def _check_replica(function: str) -> None:
    if has_strategy() and in_cross_replica_context():
        raise RuntimeError(
            f"You are calling `{function}` in cross replica context, while it was expected to be called in replica "
            "context."
        )


def _with_rank(loss: Tensor) -> AbstractContextManager[Any]:
    if loss.rank is None:
        message = "Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1."
        return control_dependencies(
            [checks.assert_greater_equal(arrays.rank(loss), casts.cast(1, "int32"), message=message)]
        )
    if loss.rank == 0:
        raise ValueError(
            f"Invalid value passed for `per_example_loss`. Expected a tensor with at least rank 1, received: {loss}"
        )
    return nullcontext()


def compute_average_loss(per_example_loss: Any, sample_weight: Any = None, global_batch_size: Any = None) -> Tensor:
    """The sum of the weighted losses over the size of the global batch: by default the replica's, times replicas.

    Raises:
      ValueError: the loss is one number.
      RuntimeError: called in the context of all replicas.
    """
    loss = as_tensor(per_example_loss)
    dtype = loss.dtype
    with _with_rank(loss):
        if sample_weight is not None:
            loss = casts.cast(loss, "float32")
            weights = casts.cast(sample_weight, "float32")
            loss, _, weights = squeeze_or_expand(loss, None, weights)
            loss = arithmetic.multiply(loss, broadcast_weights(weights, loss))
        loss = casts.cast(loss, dtype)
        if global_batch_size is None:
            _check_replica("compute_average_loss")
            global_batch_size = arrays.shape(loss)[0] * get_strategy().num_replicas_in_sync
            global_batch_size = casts.cast(global_batch_size, dtype)
        average: Tensor = reductions.reduce_sum(loss) / global_batch_size
        return average


def scale_regularization_loss(regularization_loss: Any) -> Tensor:
    """The sum over the number of replicas.

    Raises:
      RuntimeError: called in the context of all replicas.
    """
    _check_replica("scale_regularization_loss")
    part: Tensor = reductions.reduce_sum(regularization_loss) / get_strategy().num_replicas_in_sync
    return part
