"""Metrics of scores between 0 and 1 that become decisions at several thresholds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.graph import dtypes, log
from retrograd.graph.dtypes import float32, int32, int64
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.tensor import Tensor
from retrograd.nn.metrics.streaming import Formula, Values, alike, collected, metric_variable
from retrograd.nn.weights import broadcast_weights
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    checks,
    comparison,
    constants,
    exponentials,
    joining,
    permuting,
    ranking,
    reductions,
    repeating,
    rounding,
    scans,
    state,
)
from retrograd.state.scopes import variable_scope

_EPSILON = 1e-7

# key: (name of the variable, label, decision)
_KINDS = {
    "tp": ("true_positives", True, True),
    "fn": ("false_negatives", True, False),
    "tn": ("true_negatives", False, False),
    "fp": ("false_positives", False, True),
}


def counts_at(
    labels: Any, predictions: Any, thresholds: Any, weights: Any = None, includes: Any = None
) -> tuple[Values, Values]:
    """For each kind of decision and each threshold, how many there were so far, and the op that adds a batch."""
    within = "predictions must be in [0, 1]"
    with control_dependencies(
        [
            checks.assert_greater_equal(predictions, casts.cast(0.0, predictions.dtype), message=within),
            checks.assert_less_equal(predictions, casts.cast(1.0, predictions.dtype), message=within),
        ]
    ):
        predictions, labels, weights = alike(casts.cast(predictions, float32), casts.cast(labels, dtypes.bool), weights)
    return decided_at(predictions, labels, thresholds, weights, includes)


def decided_at(
    predictions: Any, labels: Any, thresholds: Any, weights: Any, includes: Any = None
) -> tuple[Values, Values]:
    """The same for predictions, labels and weights that are alike."""
    includes = tuple(_KINDS) if includes is None else includes
    n = len(thresholds)
    scores = arrays.reshape(predictions, [-1, 1])
    truth = arrays.reshape(casts.cast(labels, dtypes.bool), [1, -1])
    size = scores.shape[0].value
    if size is None:
        size = arrays.shape(scores)[0]
    limits = arrays.expand_dims(constants.constant(thresholds), [1])
    limits = repeating.tile(limits, joining.stack([1, size]))
    decided = {True: comparison.greater(repeating.tile(permuting.transpose(scores), [n, 1]), limits)}
    if "fn" in includes or "tn" in includes:
        decided[False] = comparison.logical_not(decided[True])
    labelled = {True: repeating.tile(truth, [n, 1])}
    if "fp" in includes or "tn" in includes:
        labelled[False] = comparison.logical_not(labelled[True])
    if weights is not None:
        weights = broadcast_weights(casts.cast(weights, float32), predictions)
        weights = repeating.tile(arrays.reshape(weights, [1, -1]), [n, 1])
        limits.shape.assert_is_compatible_with(weights.shape)
    values, updates = {}, {}
    for key, (name, label, decision) in _KINDS.items():
        if key in includes:
            values[key] = metric_variable([n], float32, name=name)
            found = casts.cast(comparison.logical_and(labelled[label], decided[decision]), float32)
            if weights is not None:
                found *= weights
            updates[key] = state.assign_add(values[key], reductions.reduce_sum(found, 1))
    return values, updates


def _of_counts(
    default_name: str, name: str | None, labels: Any, predictions: Any, weights: Any, thresholds: Any, includes: Any,
    formula: Formula, metrics_collections: Any, updates_collections: Any,
) -> Any:  # fmt: skip
    with variable_scope(name, default_name, (predictions, labels, weights)):
        values, updates = counts_at(labels, predictions, thresholds, weights, includes)
        value = collected(metrics_collections, formula(values, "value"))
        return value, collected(updates_collections, formula(updates, "update_op"))


def _counter(key: str) -> Callable[..., Any]:
    word, label, decision = _KINDS[key]

    def count(
        labels: Any, predictions: Any, thresholds: Any, weights: Any = None, metrics_collections: Any = None,
        updates_collections: Any = None, name: str | None = None,
    ) -> Any:  # fmt: skip
        with variable_scope(name, word, (predictions, labels, weights)):
            values, updates = counts_at(labels, predictions, thresholds, weights, (key,))
            value = collected(metrics_collections, arrays.identity(values[key]))
            return value, collected(updates_collections, updates[key])

    count.__name__ = count.__qualname__ = f"{word}_at_thresholds"
    count.__doc__ = f"How many elements labelled {label} are decided {decision} at each threshold, weighted."
    return count


true_positives_at_thresholds = _counter("tp")
false_negatives_at_thresholds = _counter("fn")
true_negatives_at_thresholds = _counter("tn")
false_positives_at_thresholds = _counter("fp")


def precision_at_thresholds(
    labels: Any, predictions: Any, thresholds: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """True positives as a part of all predicted positives, at each threshold."""
    return _of_counts(
        "precision_at_thresholds", name, labels, predictions, weights, thresholds, ("tp", "fp"),
        lambda c, word: arithmetic.div(c["tp"], _EPSILON + c["tp"] + c["fp"], name=f"precision_{word}"),
        metrics_collections, updates_collections,
    )  # fmt: skip


def recall_at_thresholds(
    labels: Any, predictions: Any, thresholds: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """True positives as a part of all labelled positives, at each threshold."""
    return _of_counts(
        "recall_at_thresholds", name, labels, predictions, weights, thresholds, ("tp", "fn"),
        lambda c, word: arithmetic.div(c["tp"], _EPSILON + c["tp"] + c["fn"], name=f"recall_{word}"),
        metrics_collections, updates_collections,
    )  # fmt: skip


def _between(count: int) -> list[float]:
    """``count`` thresholds, evenly from just below 0 to just above 1."""
    return [0.0 - _EPSILON, *((i + 1) * 1.0 / (count - 1) for i in range(count - 2)), 1.0 + _EPSILON]


def sensitivity_at_specificity(
    labels: Any, predictions: Any, specificity: float, weights: Any = None, num_thresholds: int = 200,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The part of positives that is found at the threshold where ``specificity`` of the negatives is.

    Raises:
      ValueError: ``specificity`` is not between 0 and 1.
    """
    if specificity < 0 or specificity > 1:
        raise ValueError("`specificity` must be in the range [0, 1].")

    def formula(c: Values, word: str) -> Tensor:
        found = arithmetic.div(c["tn"], c["tn"] + c["fp"] + _EPSILON)
        i = casts.cast(ranking.argmin(rounding.abs_(found - specificity), 0), int32)
        return arithmetic.div(c["tp"][i], c["tp"][i] + c["fn"][i] + _EPSILON, word)

    return _of_counts(
        "sensitivity_at_specificity", name, labels, predictions, weights, _between(num_thresholds), tuple(_KINDS),
        formula, metrics_collections, updates_collections,
    )  # fmt: skip


def specificity_at_sensitivity(
    labels: Any, predictions: Any, sensitivity: float, weights: Any = None, num_thresholds: int = 200,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The part of negatives that is found at the last threshold where ``sensitivity`` of the positives is.

    Raises:
      ValueError: ``sensitivity`` is not between 0 and 1.
    """
    if sensitivity < 0 or sensitivity > 1:
        raise ValueError("`sensitivity` must be in the range [0, 1].")

    def formula(c: Values, word: str) -> Tensor:
        found = arithmetic.div(c["tp"], c["tp"] + c["fn"] + _EPSILON)
        nearest = reductions.reduce_min(rounding.abs_(found - sensitivity))
        here = casts.cast(comparison.equal(rounding.abs_(found - sensitivity), nearest), int64)
        i = casts.cast(ranking.argmax(scans.cumsum(here), 0), int32)
        return arithmetic.div(c["tn"][i], c["tn"][i] + c["fp"][i] + _EPSILON, word)

    thresholds = [*_between(num_thresholds)[:-1], 1.0 - _EPSILON]
    return _of_counts(
        "specificity_at_sensitivity", name, labels, predictions, weights, thresholds, tuple(_KINDS),
        formula, metrics_collections, updates_collections,
    )  # fmt: skip


# -- the area under a curve --------------------------------------------------------------------

_SMOOTHING = 1.0e-6
_METHODS = ("trapezoidal", "careful_interpolation", "minoring", "majoring")


def auc(
    labels: Any, predictions: Any, weights: Any = None, num_thresholds: int = 200, metrics_collections: Any = None,
    updates_collections: Any = None, curve: str = "ROC", name: str | None = None,
    summation_method: str = "trapezoidal", thresholds: Any = None,
) -> Any:  # fmt: skip
    """The area under the curve of true over false positive rate (``ROC``), or of precision over recall (``PR``).

    Args:
      summation_method: ``trapezoidal``, ``minoring`` (from below), ``majoring`` (from above), or for PR
        ``careful_interpolation`` (Davis and Goadrich, 2006).
      thresholds: those to use, by default ``num_thresholds`` evenly spread ones.

    Raises:
      ValueError: there is no such curve or method.
    """
    with variable_scope(name, "auc", (labels, predictions, weights)):
        if curve not in ("ROC", "PR"):
            raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
        if thresholds is not None:
            limits = [0.0 - _EPSILON, *sorted(thresholds), 1.0 + _EPSILON]
        else:
            limits = _between(num_thresholds)
        values, updates = counts_at(labels, predictions, limits, weights)

        def area(counts: Values, word: str) -> Tensor:
            return _area(curve, summation_method, counts, len(limits), word)

        value = collected(metrics_collections, area(values, "value"))
        return value, collected(updates_collections, area(updates, "update_op"))


def _area(curve: str, method: str, c: Values, n: int, name: str) -> Tensor:
    tp, fn, tn, fp = (c[key] for key in ("tp", "fn", "tn", "fp"))
    if curve == "PR":
        if method == "careful_interpolation":
            return _interpolated(tp, fp, fn, n)
        if method == "trapezoidal":
            log.warning(
                "Trapezoidal rule is known to produce incorrect PR-AUCs; please switch to "
                '"careful_interpolation" instead.'
            )
    recalled = arithmetic.div(tp + _SMOOTHING, tp + fn + _SMOOTHING)
    if curve == "ROC":
        x, y = arithmetic.div(fp, fp + tn + _SMOOTHING), recalled
    else:
        x, y = recalled, arithmetic.div(tp + _SMOOTHING, tp + fp + _SMOOTHING)
    if method not in _METHODS:
        raise ValueError(f"Invalid summation_method: {method}")
    widths = x[: n - 1] - x[1:]
    if method in ("trapezoidal", "careful_interpolation"):
        heights = (y[: n - 1] + y[1:]) / 2.0
    elif method == "minoring":
        heights = arithmetic.minimum(y[: n - 1], y[1:])
    else:
        heights = arithmetic.maximum(y[: n - 1], y[1:])
    return reductions.reduce_sum(arithmetic.multiply(widths, heights, name="Mul"), name=name)


def _interpolated(tp: Any, fp: Any, fn: Any, n: int) -> Tensor:
    """The area under the precision-recall curve, true positives growing linearly with predicted positives."""
    more = tp[: n - 1] - tp[1:]
    p = tp + fp
    slope = arithmetic.div_no_nan(more, arithmetic.maximum(p[: n - 1] - p[1:], 0), name="prec_slope")
    intercept = tp[1:] - arithmetic.multiply(slope, p[1:], name="Mul")
    ratio = comparison.where(
        comparison.logical_and(p[: n - 1] > 0, p[1:] > 0),
        arithmetic.div_no_nan(p[: n - 1], arithmetic.maximum(p[1:], 0), name="recall_relative_ratio"),
        constants.ones_like(p[1:]),
    )
    steps = arithmetic.div_no_nan(
        slope * (more + intercept * exponentials.log(ratio)),
        arithmetic.maximum(tp[1:] + fn[1:], 0),
        name="pr_auc_increment",
    )
    return reductions.reduce_sum(steps, name="interpolate_pr_auc")
