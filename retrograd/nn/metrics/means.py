"""Means over all batches: of values, of errors, of classes."""

from __future__ import annotations

from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.dtypes import float32, float64, int64
from retrograd.graph.scopes import control_dependencies
from retrograd.nn.metrics.streaming import alike, collected, metric_variable, ratio
from retrograd.nn.weights import broadcast_weights
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
    constants,
    diagonals,
    powers,
    reductions,
    rounding,
    scatters,
    state,
)
from retrograd.ops.confusion import confusion_matrix, remove_squeezable_dimensions
from retrograd.state.scopes import variable_scope


def mean(
    values: Any, weights: Any = None, metrics_collections: Any = None, updates_collections: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The mean of all ``values`` so far, weighted, and an op that adds more and gives the new mean.

    Args:
      weights: of the rank of ``values``, with the same sizes or 1; a scalar; or of one dimension less.
      metrics_collections, updates_collections: the collections that get the value and the op.

    >>> value, update = mean([1.0, 2.0])
    >>> value.name, update.name
    ('mean/value:0', 'mean/update_op:0')
    """
    with variable_scope(name, "mean", (values, weights)):
        values = casts.cast(values, float32)
        total, count = metric_variable([], float32, name="total"), metric_variable([], float32, name="count")
        if weights is None:
            more = casts.cast(arrays.size(values), float32)
        else:
            values, weights = _weighted(values, weights)
            more = reductions.reduce_sum(weights)
        new_total = state.assign_add(total, reductions.reduce_sum(values))
        with control_dependencies([values]):
            new_count = state.assign_add(count, more)
        value = collected(metrics_collections, ratio(total, count, "value"))
        return value, collected(updates_collections, ratio(new_total, new_count, "update_op"))


def _weighted(values: Any, weights: Any) -> tuple[Any, Any]:
    values, _, weights = alike(values, None, weights)
    weights = broadcast_weights(casts.cast(weights, float32), values)
    return arithmetic.multiply(values, weights, name="Mul"), weights


def mean_tensor(
    values: Any, weights: Any = None, metrics_collections: Any = None, updates_collections: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """``mean`` of each element of ``values`` for itself."""
    with variable_scope(name, "mean", (values, weights)):
        values = casts.cast(values, float32)
        total = metric_variable(values.shape, float32, name="total_tensor")
        count = metric_variable(values.shape, float32, name="count_tensor")
        more = constants.ones_like(values)
        if weights is not None:
            values, weights = _weighted(values, weights)
            more = arithmetic.multiply(more, weights, name="Mul")
        new_total = state.assign_add(total, values)
        with control_dependencies([values]):
            new_count = state.assign_add(count, more)
        value = collected(metrics_collections, ratio(total, count, "value"))
        return value, collected(updates_collections, ratio(new_total, new_count, "update_op"))


def accuracy(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The part of predictions that are equal to their labels."""
    predictions, labels, weights = alike(predictions, labels, weights)
    if labels.dtype != predictions.dtype:
        predictions = casts.cast(predictions, labels.dtype)
    right = casts.cast(comparison.equal(predictions, labels), float32)
    return mean(right, weights, metrics_collections, updates_collections, name or "accuracy")


def percentage_below(
    values: Any, threshold: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The part of ``values`` below a threshold."""
    below = casts.cast(comparison.less(values, threshold), float32)
    return mean(below, weights, metrics_collections, updates_collections, name or "percentage_below_threshold")


# -- errors ------------------------------------------------------------------------------------


def mean_absolute_error(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The mean of ``|predictions - labels|``."""
    predictions, labels, weights = alike(predictions, labels, weights)
    errors = rounding.abs_(predictions - labels)
    return mean(errors, weights, metrics_collections, updates_collections, name or "mean_absolute_error")


def mean_squared_error(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The mean of ``(labels - predictions) ** 2``."""
    predictions, labels, weights = alike(predictions, labels, weights)
    errors = arithmetic.squared_difference(labels, predictions)
    return mean(errors, weights, metrics_collections, updates_collections, name or "mean_squared_error")


def root_mean_squared_error(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The square root of ``mean_squared_error``."""
    predictions, labels, weights = alike(predictions, labels, weights)
    value, update = mean_squared_error(labels, predictions, weights, None, None, name or "root_mean_squared_error")
    root = collected(metrics_collections, powers.sqrt(value))
    return root, collected(updates_collections, powers.sqrt(update))


def mean_relative_error(
    labels: Any, predictions: Any, normalizer: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The mean of ``|labels - predictions| / normalizer``, 0 where the normalizer is."""
    predictions, labels, weights = alike(predictions, labels, weights)
    predictions, normalizer = remove_squeezable_dimensions(predictions, normalizer)
    predictions.shape.assert_is_compatible_with(normalizer.shape)
    errors = comparison.where(
        comparison.equal(normalizer, 0.0),
        constants.zeros_like(labels),
        arithmetic.div(rounding.abs_(labels - predictions), normalizer),
    )
    return mean(errors, weights, metrics_collections, updates_collections, name or "mean_relative_error")


def mean_cosine_distance(
    labels: Any, predictions: Any, dim: int, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The mean of ``1 - sum(predictions * labels)`` along ``dim``, for vectors of length 1."""
    predictions, labels, weights = alike(predictions, labels, weights)
    products = arithmetic.multiply(predictions, labels, name="Mul")
    products = reductions.reduce_sum(products, axis=[dim], keepdims=True)
    value, update = mean(products, weights, None, None, name or "mean_cosine_distance")
    value = arithmetic.subtract(1.0, value, name="Sub")
    update = arithmetic.subtract(1.0, update, name="Sub")
    return collected(metrics_collections, value), collected(updates_collections, update)


# -- by class ----------------------------------------------------------------------------------


def _flat(x: Any) -> Any:
    return arrays.reshape(x, [-1]) if x.rank > 1 else x


def streaming_confusion_matrix(labels: Any, predictions: Any, num_classes: int, weights: Any = None) -> tuple[Any, Any]:
    """The variable that counts how often each class (a row) was taken for each class, and what adds a batch to it."""
    matrix = metric_variable([num_classes, num_classes], float64, name="total_confusion_matrix")
    predictions, labels = casts.cast(predictions, int64), casts.cast(labels, int64)
    count = casts.cast(num_classes, int64)
    predictions, labels = _flat(predictions), _flat(labels)
    if weights is not None and weights.rank > 1:
        weights = _flat(weights)
    new = confusion_matrix(labels, predictions, count, weights=weights, dtype=float64)
    return matrix, state.assign_add(matrix, new)


def mean_iou(
    labels: Any, predictions: Any, num_classes: int, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The mean over the classes there are of ``intersection / union`` of labels and predictions."""
    with variable_scope(name, "mean_iou", (predictions, labels, weights)):
        predictions.shape.assert_is_compatible_with(labels.shape)
        matrix, update = streaming_confusion_matrix(labels, predictions, num_classes, weights)
        value = collected(metrics_collections, _intersection_over_union(matrix))
        return value, collected(updates_collections, update)


def _intersection_over_union(matrix: Any) -> Any:
    predicted = casts.cast(reductions.reduce_sum(matrix, 0), float32)
    labelled = casts.cast(reductions.reduce_sum(matrix, 1), float32)
    both = casts.cast(diagonals.diag_part(matrix), float32)
    union = predicted + labelled - both
    classes = reductions.reduce_sum(casts.cast(comparison.not_equal(union, 0), dtype=float32))
    union = comparison.where(comparison.greater(union, 0), union, constants.ones_like(union))
    total = reductions.reduce_sum(arithmetic.div(both, union), name="mean_iou")
    return comparison.where(comparison.greater(classes, 0), total / classes, 0)


def mean_per_class_accuracy(
    labels: Any, predictions: Any, num_classes: int, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The mean of the accuracies of the classes."""
    with variable_scope(name, "mean_accuracy", (predictions, labels, weights)):
        labels = _flat(casts.cast(labels, int64))
        predictions = _flat(as_tensor(predictions))
        predictions.shape.assert_is_compatible_with(labels.shape)
        total = metric_variable([num_classes], float32, name="total")
        count = metric_variable([num_classes], float32, name="count")
        ones = constants.ones([arrays.size(labels)], float32)
        if labels.dtype != predictions.dtype:
            predictions = casts.cast(predictions, labels.dtype)
        right = casts.cast(comparison.equal(predictions, labels), float32)
        if weights is not None:
            weights = casts.cast(_flat(weights), float32)
            right *= weights
            ones *= weights
        new_total = scatters.scatter_add(total, labels, ones)
        new_count = scatters.scatter_add(count, labels, right)
        by_class = arithmetic.div_no_nan(count, arithmetic.maximum(total, 0))
        value = collected(metrics_collections, reductions.reduce_mean(by_class, name="mean_accuracy"))
        return value, collected(updates_collections, ratio(new_count, new_total, "update_op"))
