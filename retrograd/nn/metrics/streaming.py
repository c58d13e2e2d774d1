"""What metrics share: local variables that count, shapes made alike, collections."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import add_to_collections
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.ops import arithmetic, arrays, comparison, conditions, constants
from retrograd.ops.confusion import remove_squeezable_dimensions
from retrograd.state.variables import VariableAggregation, VariableSynchronization, VariableV1


def metric_variable(shape: Any, dtype: Any, validate_shape: bool = True, name: str | None = None) -> Any:
    """A local variable of zeros, in ``GraphKeys.LOCAL_VARIABLES`` and ``GraphKeys.METRIC_VARIABLES``.

    Raises:
      RuntimeError: ops run at once: a metric needs an object that keeps its variables.
    """
    if default_graph().is_eager:
        name = sys._getframe(1).f_code.co_name.strip("_")
        error = RuntimeError(f"tf.metrics.{name} is not supported when eager execution is enabled.")
        error.add_note("  Fix:   tf.keras.metrics or tf.contrib.eager.metrics, called with each batch")
        raise error
    return VariableV1(
        lambda: constants.zeros(shape, dtype), trainable=False,
        collections=[GraphKeys.LOCAL_VARIABLES, GraphKeys.METRIC_VARIABLES], validate_shape=validate_shape,
        synchronization=VariableSynchronization.ON_READ, aggregation=VariableAggregation.SUM, name=name,
    )  # fmt: skip


def collected(collections: Any, result: Any) -> Any:
    """``result``, which joins the collections."""
    if collections:
        add_to_collections(collections, result)
    return result


def ratio(total: Any, count: Any, name: str) -> Tensor:
    """``total / count``, 0 where there is nothing to count."""
    return arithmetic.div_no_nan(total, arithmetic.maximum(count, 0), name=name)


def alike(predictions: Any, labels: Any, weights: Any) -> tuple[Tensor, Any, Any]:
    """The three with a last dimension of 1 taken away or added, so that their ranks are equal.

    Raises:
      ValueError: predictions and labels are of different shapes.
    """
    predictions = as_tensor(predictions)
    if labels is not None:
        labels, predictions = remove_squeezable_dimensions(labels, predictions)
        predictions.shape.assert_is_compatible_with(labels.shape)
    if weights is None:
        return predictions, labels, None
    weights = as_tensor(weights)
    if weights.rank == 0:
        return predictions, labels, weights
    if weights.rank is not None and predictions.rank is not None:
        if weights.rank - predictions.rank == 1:
            weights = arrays.squeeze(weights, [-1])
        elif predictions.rank - weights.rank == 1:
            weights = arrays.expand_dims(weights, [-1])
        return predictions, labels, weights
    return predictions, labels, _of_rank_of(predictions, weights)


def _of_rank_of(predictions: Tensor, weights: Tensor) -> Any:
    """``weights`` with the rank of the predictions, which only a run knows."""
    rank = arrays.rank(weights)
    extra = rank - arrays.rank(predictions)
    cannot_lose = weights.dims is not None and weights.dims[-1] not in (1, None)

    def shorter() -> Tensor:
        return weights if cannot_lose else arrays.squeeze(weights, [-1])

    def longer_or_same() -> Any:
        return conditions.cond(comparison.equal(extra, -1), lambda: arrays.expand_dims(weights, [-1]), lambda: weights)

    def adjusted() -> Any:
        return conditions.cond(comparison.equal(extra, 1), shorter, longer_or_same)

    return conditions.cond(comparison.equal(rank, 0), lambda: weights, adjusted)


Values = dict[str, Any]
Formula = Callable[..., Tensor]
