"""Metrics of the heads of ``tf.contrib.learn``, over all examples or over those of one class."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph import dtypes, log
from retrograd.graph.scopes import name_scope
from retrograd.nn.metrics.means import accuracy, mean
from retrograd.nn.metrics.thresholds import auc
from retrograd.nn.weights import broadcast_weights
from retrograd.ops import (
    arrays,
    casts,
    comparison,
    constants,
)

_HALF = (0.5,)


def _float_or_none(weights: Any) -> Any:
    if weights is None:
        return None
    with name_scope(None, "float_weights", (weights,)) as name:
        return casts.cast(weights, dtypes.float32, name=name)


def _weights_of(weights: Any, values: Any, class_id: int | None) -> Any:
    """Weights of ``values``, or of a class's column of them."""
    weights = _float_or_none(weights)
    if weights is None:
        return None
    weights = broadcast_weights(weights, values)
    return weights if class_id is None else weights[:, class_id]


def _mean_of(x: Any, weights: Any = None, class_id: int | None = None) -> Any:
    x = casts.cast(x, dtypes.float32)
    weights = _weights_of(weights, x, class_id)
    return mean(x if class_id is None else x[:, class_id], weights)


def _share_of(x: Any, weights: Any, class_id: int) -> Any:
    found = comparison.equal(casts.cast(class_id, dtypes.int32), casts.cast(x, dtypes.int32))
    return mean(comparison.where(found, constants.ones_like(x), constants.zeros_like(x)), weights=weights)


def _area(predictions: Any, labels: Any, weights: Any, class_id: int | None = None, curve: str = "ROC") -> Any:
    predictions = casts.cast(predictions, dtypes.float32)
    if labels.dtype.base_dtype != dtypes.bool:
        log.warning("Casting %s labels to bool.", labels.dtype)
        labels = casts.cast(labels, dtypes.bool)
    weights = _weights_of(weights, predictions, class_id)
    if class_id is not None:
        predictions, labels = predictions[:, class_id], labels[:, class_id]
    return auc(labels, predictions, weights, curve=curve)


def _accuracy_from(predictions: Any, labels: Any, weights: Any, threshold: float) -> Any:
    return accuracy(labels, casts.cast(comparison.greater_equal(predictions, threshold), dtypes.float32), weights)


def _at(metric: Callable[..., Any], predictions: Any, labels: Any, weights: Any, threshold: float) -> Any:
    value, update = metric(labels, predictions, (threshold,), _float_or_none(weights))
    return arrays.squeeze(value), arrays.squeeze(update)
