"""``tf.contrib.metrics``: the older names of ``tf.metrics``, with predictions before labels, and further metrics.

Source: TensorFlow 1.15.5's arguments, order of nodes and messages.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.deprecation import deprecated
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.nn.metrics import counts, means, thresholds, top_k
from retrograd.nn.metrics.streaming import Values, alike, collected, metric_variable
from retrograd.nn.metrics.thresholds import _between, decided_at
from retrograd.nn.weights import broadcast_weights
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
    conditions,
    constants,
    control,
    diagonals,
    joining,
    powers,
    ranking,
    reductions,
    rounding,
    state,
)
from retrograd.ops import confusion as confusions
from retrograd.state.scopes import variable_scope

_EPSILON = 1e-7

# -- the older names -----------------------------------------------------------------------------

_LAST = "metrics_collections= updates_collections= name="
_PAIR = f"predictions labels weights= {_LAST}"
_SWITCH = "Please switch to tf.metrics.{}"
_ORDER = ". Note that the order of the labels and predictions arguments {} been switched."


def _older(word: str, metric: Callable[..., Any], arguments: str = _PAIR, order: str | None = "has", **own: str) -> Any:
    """``metric`` under another name, with ``arguments`` in their older order; ``own`` maps them to its names.

    ``order`` completes the notice that the name is deprecated: "" for none of the order, None for no notice.
    """
    signature = inspect.Signature([_parameter(argument) for argument in arguments.split()])

    def streaming(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs).arguments
        return metric(**{own.get(key, key): value for key, value in given.items()})

    streaming.__name__ = streaming.__qualname__ = word
    streaming.__doc__ = f"``tf.metrics.{metric.__name__}``, with predictions before labels."
    setattr(streaming, "__signature__", signature)  # noqa: B010
    if order is None:
        return streaming
    notice = _SWITCH.format(metric.__name__) + (_ORDER.format(order) if order else "")
    return deprecated(None, notice)(streaming)


def _parameter(text: str) -> inspect.Parameter:
    """One parameter: ``k`` has no default, that of ``k=`` is None, that of ``k=2`` is 2."""
    name, has_default, default = text.partition("=")
    value: Any = inspect.Parameter.empty
    if has_default:
        value = (int(default) if default.isdigit() else default) or None
    return inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=value)


_AT = f"predictions labels thresholds weights= {_LAST}"
_VALUES = f"values weights= {_LAST}"

streaming_true_positives = _older("streaming_true_positives", counts.true_positives)
streaming_true_negatives = _older("streaming_true_negatives", counts.true_negatives)
streaming_false_positives = _older("streaming_false_positives", counts.false_positives)
streaming_false_negatives = _older("streaming_false_negatives", counts.false_negatives)
streaming_precision = _older("streaming_precision", counts.precision)
streaming_recall = _older("streaming_recall", counts.recall)
streaming_mean = _older("streaming_mean", means.mean, _VALUES, order="")
streaming_mean_tensor = _older("streaming_mean_tensor", means.mean_tensor, _VALUES, order="")
streaming_accuracy = _older("streaming_accuracy", means.accuracy)
streaming_mean_absolute_error = _older("streaming_mean_absolute_error", means.mean_absolute_error)
streaming_mean_squared_error = _older("streaming_mean_squared_error", means.mean_squared_error)
streaming_root_mean_squared_error = _older("streaming_root_mean_squared_error", means.root_mean_squared_error)
streaming_mean_relative_error = _older(
    "streaming_mean_relative_error", means.mean_relative_error, f"predictions labels normalizer weights= {_LAST}", None
)
streaming_percentage_less = _older(
    "streaming_percentage_less", means.percentage_below, f"values threshold weights= {_LAST}", None
)
streaming_mean_iou = _older(
    "streaming_mean_iou", means.mean_iou, f"predictions labels num_classes weights= {_LAST}", None
)
streaming_auc = _older(
    "streaming_auc", thresholds.auc,
    "predictions labels weights= num_thresholds=200 metrics_collections= updates_collections= curve=ROC name=",
)  # fmt: skip
streaming_precision_at_thresholds = _older(
    "streaming_precision_at_thresholds", thresholds.precision_at_thresholds, _AT, "are"
)
streaming_recall_at_thresholds = _older("streaming_recall_at_thresholds", thresholds.recall_at_thresholds, _AT)
streaming_specificity_at_sensitivity = _older(
    "streaming_specificity_at_sensitivity", thresholds.specificity_at_sensitivity,
    f"predictions labels sensitivity weights= num_thresholds=200 {_LAST}", None,
)  # fmt: skip
streaming_sensitivity_at_specificity = _older(
    "streaming_sensitivity_at_specificity", thresholds.sensitivity_at_specificity,
    f"predictions labels specificity weights= num_thresholds=200 {_LAST}", None,
)  # fmt: skip
_AT_K = f"predictions labels k class_id= weights= {_LAST}"
streaming_sparse_recall_at_k = _older("streaming_sparse_recall_at_k", top_k.recall_at_k, _AT_K, None)
streaming_sparse_precision_at_k = _older("streaming_sparse_precision_at_k", top_k.precision_at_k, _AT_K, None)
streaming_sparse_average_precision_at_k = _older(
    "streaming_sparse_average_precision_at_k", top_k.average_precision_at_k,
    f"predictions labels k weights= {_LAST}", None,
)  # fmt: skip
streaming_sparse_average_precision_at_top_k = _older(
    "streaming_sparse_average_precision_at_top_k", top_k.average_precision_at_top_k,
    f"top_k_predictions labels weights= {_LAST}", None, top_k_predictions="predictions_idx",
)  # fmt: skip


def streaming_recall_at_k(
    predictions: Any, labels: Any, k: int, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """How often the label is among the ``k`` classes of the highest predictions."""
    found = casts.cast(ranking.in_top_k(predictions, labels, k), dtypes.float32)
    return means.mean(found, weights, metrics_collections, updates_collections, name or f"recall_at_{k}")


def streaming_sparse_precision_at_top_k(
    top_k_predictions: Any, labels: Any, class_id: int | None = None, weights: Any = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The part of the predicted classes that are labels."""
    default = top_k._at_k("precision", None, class_id)
    with name_scope(name, default, (top_k_predictions, labels, weights)) as scope:
        return top_k.precision_at_top_k(
            labels, top_k_predictions, class_id=class_id, weights=weights, metrics_collections=metrics_collections,
            updates_collections=updates_collections, name=scope,
        )  # fmt: skip


def sparse_recall_at_top_k(
    labels: Any, top_k_predictions: Any, class_id: int | None = None, weights: Any = None,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The part of the labels that are among the predicted classes."""
    default = top_k._at_k("recall", None, class_id)
    with name_scope(name, default, (top_k_predictions, labels, weights)) as scope:
        return top_k.recall_at_top_k(
            labels, top_k_predictions, class_id=class_id, weights=weights, metrics_collections=metrics_collections,
            updates_collections=updates_collections, name=scope,
        )  # fmt: skip


# -- rates of wrong decisions --------------------------------------------------------------------


def _rate(
    word: str, wrong: str, right: str, predictions: Any, labels: Any, weights: Any, metrics_collections: Any,
    updates_collections: Any, name: str | None,
) -> Any:  # fmt: skip
    """``wrong / (wrong + right)`` of two kinds of decisions, 0 where there are none."""
    with variable_scope(name, word, (predictions, labels, weights)):
        predictions, labels, weights = alike(
            casts.cast(predictions, dtypes.bool), casts.cast(labels, dtypes.bool), weights
        )
        bad, new_bad = getattr(counts, wrong)(labels, predictions, weights)
        good, new_good = getattr(counts, right)(labels, predictions, weights)

        def part(x: Any, y: Any, scope: str) -> Any:
            return comparison.where(comparison.greater(x + y, 0), arithmetic.div(x, x + y), 0, scope)

        value = part(bad, good, "value")
        update = part(new_bad, new_good, "update_op")
        return collected(metrics_collections, value), collected(updates_collections, update)


def streaming_false_positive_rate(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The part of the negatives that are decided positive."""
    return _rate(
        "false_positive_rate", "false_positives", "true_negatives", predictions, labels, weights,
        metrics_collections, updates_collections, name,
    )  # fmt: skip


def streaming_false_negative_rate(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The part of the positives that are decided negative."""
    return _rate(
        "false_negative_rate", "false_negatives", "true_positives", predictions, labels, weights,
        metrics_collections, updates_collections, name,
    )  # fmt: skip


# -- decisions at thresholds ---------------------------------------------------------------------


def _counted_at(predictions: Any, labels: Any, limits: Any, weights: Any, includes: Any = None) -> Any:
    predictions, labels, weights = alike(predictions, labels, weights)
    return decided_at(predictions, labels, limits, weights, includes or tuple(thresholds._KINDS))


def _count_at(key: str, word: str) -> Callable[..., Any]:
    def count(predictions: Any, labels: Any, thresholds: Any, weights: Any = None) -> Any:
        values, updates = _counted_at(predictions, labels, thresholds, weights, (key,))
        return values[key], updates[key]

    count.__name__ = count.__qualname__ = f"streaming_{word}_at_thresholds"
    count.__doc__ = f"How many {word.replace('_', ' ')} there are at each threshold, weighted."
    return count


streaming_true_positives_at_thresholds = _count_at("tp", "true_positives")
streaming_false_negatives_at_thresholds = _count_at("fn", "false_negatives")
streaming_false_positives_at_thresholds = _count_at("fp", "false_positives")
streaming_true_negatives_at_thresholds = _count_at("tn", "true_negatives")


def _rate_at(
    word: str, short: str, wrong: str, right: str, predictions: Any, labels: Any, limits: Any, weights: Any,
    metrics_collections: Any, updates_collections: Any, name: str | None,
) -> Any:  # fmt: skip
    with variable_scope(name, word, (predictions, labels, weights)):
        values, updates = _counted_at(predictions, labels, limits, weights, (wrong, right))

        def part(c: Values, scope: str) -> Any:
            return arithmetic.div(c[wrong], _EPSILON + c[wrong] + c[right], name=f"{short}_{scope}")

        value, update = part(values, "value"), part(updates, "update_op")
        return collected(metrics_collections, value), collected(updates_collections, update)


def streaming_false_positive_rate_at_thresholds(
    predictions: Any, labels: Any, thresholds: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The part of the negatives that are decided positive, at each threshold."""
    return _rate_at(
        "false_positive_rate_at_thresholds", "fpr", "fp", "tn", predictions, labels, thresholds, weights,
        metrics_collections, updates_collections, name,
    )  # fmt: skip


def streaming_false_negative_rate_at_thresholds(
    predictions: Any, labels: Any, thresholds: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The part of the positives that are decided negative, at each threshold."""
    return _rate_at(
        "false_negative_rate_at_thresholds", "fnr", "fn", "tp", predictions, labels, thresholds, weights,
        metrics_collections, updates_collections, name,
    )  # fmt: skip


def recall_at_precision(
    labels: Any, predictions: Any, precision: float, weights: Any = None, num_thresholds: int = 200,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
    strict_mode: bool = False,
) -> Any:  # fmt: skip
    """The recall at the threshold where the precision is nearest to the wanted one; if ``strict_mode``, not below it.

    Raises:
      ValueError: ``precision`` is not between 0 and 1.
    """
    if not 0 <= precision <= 1:
        raise ValueError("`precision` must be in the range [0, 1].")
    with variable_scope(name, "recall_at_precision", (predictions, labels, weights)):
        values, updates = _counted_at(predictions, labels, _between(num_thresholds), weights)

        def recall(c: Values, scope: str) -> Any:
            precisions = arithmetic.div(c["tp"], c["tp"] + c["fp"] + _EPSILON)
            if strict_mode:
                lead = arithmetic.div(1.0, precisions - precision + _EPSILON)
                i = ranking.argmax(lead, 0, output_type=dtypes.int32)
            else:
                i = ranking.argmin(rounding.abs_(precisions - precision), 0, output_type=dtypes.int32)

            def found() -> Any:
                return arithmetic.div(c["tp"][i], c["tp"][i] + c["fn"][i] + _EPSILON, scope)

            return conditions.cond(precisions[i] >= precision, found, lambda: 0.0) if strict_mode else found()

        value, update = recall(values, "value"), recall(updates, "update_op")
        return collected(metrics_collections, value), collected(updates_collections, update)


def precision_at_recall(
    labels: Any, predictions: Any, target_recall: float, weights: Any = None, num_thresholds: int = 200,
    metrics_collections: Any = None, updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The precision at the highest threshold where the recall is not below the wanted one.

    Raises:
      ValueError: ``target_recall`` is not between 0 and 1.
    """
    if target_recall < 0 or target_recall > 1:
        raise ValueError("`target_recall` must be in the range [0, 1].")
    with variable_scope(name, "precision_at_recall", (predictions, labels, weights)):
        values, updates = _counted_at(predictions, labels, _between(num_thresholds), weights)

        def precision(c: Values, scope: str) -> Any:
            recalls = arithmetic.div(c["tp"], c["tp"] + c["fn"] + _EPSILON)
            enough = casts.cast(comparison.greater_equal(recalls, target_recall), dtypes.int64)
            i = reductions.reduce_sum(enough) - 1
            return arithmetic.div(c["tp"][i] + _EPSILON, c["tp"][i] + c["fp"][i] + _EPSILON, scope)

        value, update = precision(values, "value"), precision(updates, "update_op")
        return collected(metrics_collections, value), collected(updates_collections, update)


def streaming_curve_points(
    labels: Any = None, predictions: Any = None, weights: Any = None, num_thresholds: int = 200,
    metrics_collections: Any = None, updates_collections: Any = None, curve: str = "ROC", name: str | None = None,
) -> Any:  # fmt: skip
    """Points of the curve of true over false positive rate (``ROC``), or of precision over recall (``PR``).

    Raises:
      ValueError: there is no such curve.
    """
    with variable_scope(name, "curve_points", (labels, predictions, weights)):
        if curve not in ("ROC", "PR"):
            raise ValueError(f"curve must be either ROC or PR, {curve} unknown")
        values, updates = _counted_at(predictions, labels, _between(num_thresholds), weights)
        tp, fn, tn, fp = (values[key] for key in ("tp", "fn", "tn", "fp"))
        epsilon = 1.0e-6
        recall = arithmetic.div(tp + epsilon, tp + fn + epsilon)
        if curve == "ROC":
            x, y = arithmetic.div(fp, fp + tn + epsilon), recall
        else:
            x, y = recall, arithmetic.div(tp + epsilon, tp + fp + epsilon)
        points = joining.stack([x, y], axis=1)
        update = control.group(*updates.values())
        return collected(metrics_collections, points), collected(updates_collections, update)


def f1_score(
    labels: Any, predictions: Any, weights: Any = None, num_thresholds: int = 200, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The largest of the harmonic means of precision and recall at the thresholds."""
    with variable_scope(name, "f1", (labels, predictions, weights)):
        predictions, labels, weights = alike(predictions, labels, weights)
        values, updates = thresholds.counts_at(
            labels, predictions, _between(num_thresholds), weights, ("tp", "fp", "fn")
        )

        def best(c: Values, scope: str) -> Any:
            precision = arithmetic.div(c["tp"], _EPSILON + c["tp"] + c["fp"], name=f"precision_{scope}")
            recall = arithmetic.div(c["tp"], _EPSILON + c["tp"] + c["fn"], name=f"recall_{scope}")
            return reductions.reduce_max(2.0 * precision * recall / (precision + recall + _EPSILON))

        value, update = collected(metrics_collections, best(values, "value")), best(updates, "update")
        return value, collected(updates_collections, update)


# -- how predictions and labels go together ------------------------------------------------------


def accuracy(predictions: Any, labels: Any, weights: Any = None, name: str | None = None) -> Any:
    """The part of one batch's predictions that are their labels.

    Raises:
      ValueError: the labels are of a dtype without equality, or of another one than the predictions.
    """
    if not (labels.dtype.is_integer or labels.dtype in (dtypes.bool, dtypes.string)):
        raise ValueError(f"Labels should have bool, integer, or string dtype, not {labels.dtype!r}")
    if not labels.dtype.is_compatible_with(predictions.dtype):
        raise ValueError(
            f"Dtypes of predictions and labels should match. Given: predictions ({predictions.dtype!r}) and labels "
            f"({labels.dtype!r})"
        )
    with name_scope(name, "accuracy", [predictions, labels]):
        right = casts.cast(comparison.equal(predictions, labels), dtypes.float32)
        if weights is None:
            return reductions.reduce_mean(right)
        right = arithmetic.multiply(right, weights)
        number = arithmetic.multiply(weights, constants.ones_like(right))
        return arithmetic.div(reductions.reduce_sum(right), reductions.reduce_sum(number))


def streaming_covariance(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """The unbiased covariance of predictions and labels so far, nan of one pair (Chan et al., 1979)."""
    with variable_scope(name, "covariance", (predictions, labels, weights)):
        predictions, labels, weights = alike(predictions, labels, weights)
        count, mean_x, mean_y, comoment = (
            metric_variable([], dtypes.float32, name=word)
            for word in ("count", "mean_prediction", "mean_label", "comoment")
        )
        if weights is None:
            more = casts.cast(arrays.size(labels), dtypes.float32)
            x, y = predictions, labels
        else:
            weights = broadcast_weights(weights, labels)
            more = reductions.reduce_sum(weights)
            x, y = arithmetic.multiply(predictions, weights), arithmetic.multiply(labels, weights)
        new_count = state.assign_add(count, more)
        old_count = new_count - more

        def moved(mean: Any, values: Any) -> tuple[Any, Any]:
            """The batch's mean, and the mean before it."""
            batch = arithmetic.div_no_nan(reductions.reduce_sum(values), more)
            delta = arithmetic.div_no_nan((batch - mean) * more, new_count)
            return batch, state.assign_add(mean, delta) - delta

        batch_x, old_x = moved(mean_x, x)
        batch_y, old_y = moved(mean_y, y)
        residuals = (predictions - batch_x) * (labels - batch_y)
        batch = reductions.reduce_sum(residuals if weights is None else residuals * weights)
        delta = batch + (old_x - batch_x) * (old_y - batch_y) * (old_count * more / new_count)
        update_comoment = state.assign_add(comoment, delta)

        def covariance(scope: str) -> Any:
            few = comparison.less_equal(count, 1.0)
            return comparison.where(few, float("nan"), arithmetic.truediv(comoment, count - 1), name=scope)

        value = covariance("covariance")
        with control_dependencies([update_comoment]):
            update = covariance("update_op")
    return collected(metrics_collections, value), collected(updates_collections, update)


def streaming_pearson_correlation(
    predictions: Any, labels: Any, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """``cov(x, y) / sqrt(cov(x, x) cov(y, y))`` of predictions and labels so far."""
    with variable_scope(name, "pearson_r", (predictions, labels, weights)):
        predictions, labels, weights = alike(predictions, labels, weights)
        if weights is not None:
            weights = broadcast_weights(weights, labels)
        both = streaming_covariance(predictions, labels, weights=weights, name="covariance")
        of_x = streaming_covariance(predictions, predictions, weights=weights, name="variance_predictions")
        of_y = streaming_covariance(labels, labels, weights=weights, name="variance_labels")
        value, update = (
            arithmetic.truediv(xy, arithmetic.multiply(powers.sqrt(xx), powers.sqrt(yy)), name=scope)
            for xy, xx, yy, scope in zip(both, of_x, of_y, ("pearson_r", "update_op"), strict=True)
        )
    return collected(metrics_collections, value), collected(updates_collections, update)


def streaming_mean_cosine_distance(
    predictions: Any, labels: Any, dim: int, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """1 less the mean of the products of unit vectors along ``dim``."""
    predictions, labels, weights = alike(predictions, labels, weights)
    products = reductions.reduce_sum(arithmetic.multiply(predictions, labels), axis=[dim], keepdims=True)
    value, update = means.mean(products, weights, None, None, name or "mean_cosine_distance")
    value, update = arithmetic.subtract(1.0, value), arithmetic.subtract(1.0, update)
    return collected(metrics_collections, value), collected(updates_collections, update)


def count(
    values: Any, weights: Any = None, metrics_collections: Any = None, updates_collections: Any = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """How many values there were so far, or the sum of their weights."""
    with variable_scope(name, "count", (values, weights)):
        total = metric_variable([], dtypes.float32, name="count")
        if weights is None:
            more = casts.cast(arrays.size(values), dtypes.float32)
        else:
            values, _, weights = alike(casts.cast(values, dtypes.float32), None, weights)
            more = reductions.reduce_sum(broadcast_weights(casts.cast(weights, dtypes.float32), values))
        with control_dependencies([values]):
            update = state.assign_add(total, more)
        value = collected(metrics_collections, arrays.identity(total))
        return value, collected(updates_collections, update)


def cohen_kappa(
    labels: Any, predictions_idx: Any, num_classes: int, weights: Any = None, metrics_collections: Any = None,
    updates_collections: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """``(p_o - p_e) / (1 - p_e)``: agreement beyond that of chance (Cohen, 1960).

    Raises:
      ValueError: there are fewer than two classes.
    """
    if num_classes < 2:
        raise ValueError(f"`num_classes` must be >= 2.Found: {num_classes}")
    with variable_scope(name, "cohen_kappa", (labels, predictions_idx, weights)):
        if labels.shape.with_rank_at_most(2).ndims == 2:
            labels = arrays.squeeze(labels, axis=[-1])
        predictions_idx, labels, weights = alike(predictions_idx, labels, weights)
        kind = dtypes.int64 if weights is None or weights.dtype.is_integer else dtypes.float32
        held = [metric_variable((num_classes,), kind, name=word) for word in ("po", "pe_row", "pe_col")]
        table = confusions.confusion_matrix(
            labels, predictions_idx, num_classes=num_classes, weights=weights, dtype=kind, name="counts_in_table"
        )
        more = [diagonals.diag_part(table), reductions.reduce_sum(table, 0), reductions.reduce_sum(table, 1)]
        new = [state.assign_add(variable, values) for variable, values in zip(held, more, strict=True)]

        def kappa(scope: str, agreed: Any, rows: Any, columns: Any) -> Any:
            same, total = reductions.reduce_sum(agreed), reductions.reduce_sum(rows)
            by_chance = reductions.reduce_sum(
                arithmetic.div_no_nan(casts.cast(rows * columns, dtypes.float64), casts.cast(total, dtypes.float64))
            )
            same, by_chance, total = (casts.cast(x, dtypes.float64) for x in (same, by_chance, total))
            return arithmetic.div_no_nan(same - by_chance, total - by_chance, name=scope)

        value, update = kappa("value", *held), kappa("update_op", *new)
        return collected(metrics_collections, value), collected(updates_collections, update)


# -- several metrics -----------------------------------------------------------------------------


def aggregate_metrics(*value_update_tuples: Any) -> tuple[list[Any], list[Any]]:
    """The values of several metrics, and their updates.

    Raises:
      ValueError: there is none.
    """
    if not value_update_tuples:
        raise ValueError("Expected at least one value_tensor/update_op pair")
    values, updates = zip(*value_update_tuples, strict=True)
    return list(values), list(updates)


def aggregate_metric_map(names_to_tuples: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The values of several metrics by name, and their updates by name."""
    values, updates = zip(*names_to_tuples.values(), strict=True)
    return dict(zip(names_to_tuples, values, strict=True)), dict(zip(names_to_tuples, updates, strict=True))
