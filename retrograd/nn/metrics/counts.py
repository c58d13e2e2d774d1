"""Counts of right and wrong decisions, precision and recall."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.dtypes import float32
from retrograd.graph.scopes import control_dependencies
from retrograd.nn.metrics.streaming import alike, collected, metric_variable
from retrograd.ops import arithmetic, arrays, casts, checks, comparison, reductions, shape_checks, state
from retrograd.state.scopes import variable_scope


def _as_decisions(labels: Any, predictions: Any, weights: Any) -> Any:
    return alike(casts.cast(predictions, dtypes.bool), casts.cast(labels, dtypes.bool), weights)


def _counted(holds: Any, weights: Any, metrics_collections: Any, updates_collections: Any) -> Any:
    """The number of true elements so far, weighted."""
    checks.assert_type(holds, dtypes.bool)
    count = metric_variable([], float32, name="count")
    values = casts.cast(holds, float32)
    if weights is not None:
        with control_dependencies((shape_checks.assert_rank_in(weights, (0, arrays.rank(values))),)):
            weights = casts.cast(weights, float32)
            values = arithmetic.multiply(values, weights, name="Mul")
    value = collected(metrics_collections, arrays.identity(count))
    update = state.assign_add(count, reductions.reduce_sum(values))
    return value, collected(updates_collections, update)


def _counter(word: str, label: bool, prediction: bool) -> Callable[..., Any]:
    def count(
        labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
        updates_collections: Any = None, name: str | None = None,
    ) -> Any:  # fmt: skip
        with variable_scope(name, word, (predictions, labels, weights)):
            predictions, labels, weights = _as_decisions(labels, predictions, weights)
            holds = comparison.logical_and(comparison.equal(labels, label), comparison.equal(predictions, prediction))
            return _counted(holds, weights, metrics_collections, updates_collections)

    count.__name__ = count.__qualname__ = word
    count.__doc__ = f"How many elements labelled {label} were predicted {prediction}, weighted."
    return count


true_positives = _counter("true_positives", True, True)
false_positives = _counter("false_positives", False, True)
true_negatives = _counter("true_negatives", False, False)
false_negatives = _counter("false_negatives", True, False)


def _part(some: Any, others: Any, name: str) -> Any:
    """``some / (some + others)``, 0 for none."""
    return comparison.where(comparison.greater(some + others, 0), arithmetic.div(some, some + others), 0, name=name)


def precision(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """True positives as a part of all predicted positives."""
    with variable_scope(name, "precision", (predictions, labels, weights)):
        predictions, labels, weights = _as_decisions(labels, predictions, weights)
        tp, new_tp = true_positives(labels, predictions, weights)
        fp, new_fp = false_positives(labels, predictions, weights)
        value = collected(metrics_collections, _part(tp, fp, "value"))
        return value, collected(updates_collections, _part(new_tp, new_fp, "update_op"))


def recall(
    labels: Any, predictions: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """True positives as a part of all labelled positives."""
    with variable_scope(name, "recall", (predictions, labels, weights)):
        predictions, labels, weights = _as_decisions(labels, predictions, weights)
        tp, new_tp = true_positives(labels, predictions, weights)
        fn, new_fn = false_negatives(labels, predictions, weights)
        value = collected(metrics_collections, _part(tp, fn, "value"))
        return value, collected(updates_collections, _part(new_tp, new_fn, "update_op"))
