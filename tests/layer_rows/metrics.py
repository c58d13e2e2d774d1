"""Metrics of ``tf.metrics`` and ``tf.contrib.metrics``: three batches, the value before and after each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from case_table import between, normal
from layer_table import LayerRow as Row
from layer_table import updated

from retrograd import tf

M, S = tf.metrics, tf.contrib.metrics
LABELS = np.array([1, 0, 2, 1, 2, 0], np.int32)
FOUND = np.array([1, 2, 2, 0, 2, 1], np.int32)
IS = np.array([True, False, True, True, False, False])
SAID = np.array([True, True, False, True, False, True])
SCORES = between(0.05, 0.95, 6).astype("f")
W = np.array([0.5, 1.0, 2.0, 0.0, 1.5, 1.0], np.float32)
TABLE = normal(6, 4).astype("f")
NUMBERS = (normal(2, 3).astype("f"), normal(2, 3, seed=1).astype("f"), np.array([[0.5], [2.0]], np.float32))
COUNTED = (LABELS, FOUND, W)
TOLD = (IS, SAID, W)
SCORED = (IS, SCORES, W)
RANKED = (np.array([[1], [0], [2], [3], [2], [0]], np.int64), TABLE, W)
IN = {"metrics_collections": ["m"], "name": "own"}


def row(name: str, inputs: Any, *builds: Callable[..., Any], rounding: float = 2e-5) -> Row:
    """A metric of ``tf.metrics``, or of ``tf.contrib.metrics`` where its name begins so, in several forms."""
    older = name.startswith("contrib.")
    metric = getattr(S if older else M, name.split(".")[-1])

    def build(*xs: Any) -> Any:
        return [updated(b(metric, *xs)) for b in builds]

    return Row(name if older else f"metrics.{name}", build, inputs, False, rounding)


def plain(m: Any, z: Any, x: Any, w: Any) -> Any:
    return m(z, x)


def weighed(m: Any, z: Any, x: Any, w: Any) -> Any:
    return m(z, x, weights=w, **IN)


def turned(build: Callable[..., Any]) -> Callable[..., Any]:
    """Of ``tf.contrib.metrics``, which takes the predictions first."""
    return lambda m, z, x, w: build(m, x, z, w)


def at(*args: Any, **given: Any) -> tuple[Callable[..., Any], ...]:
    """Two forms of a metric with further arguments."""
    return (
        lambda m, z, x, w: m(z, x, *args, **given),
        lambda m, z, x, w: m(z, x, *args, weights=w, **given, **IN),
    )


def only_weighed(*args: Any, **given: Any) -> tuple[Callable[..., Any], ...]:
    """The same without a name and collections, which a few do not take."""
    return (
        lambda m, z, x, w: m(z, x, *args, **given),
        lambda m, z, x, w: m(z, x, *args, weights=w, **given),
    )


def turned_at(*args: Any, **given: Any) -> tuple[Callable[..., Any], ...]:
    return tuple(turned(build) for build in at(*args, **given))


LIMITS = [0.2, 0.5, 0.8]
CURVES = [
    at(num_thresholds=7, curve=curve, summation_method=method)[i]
    for curve, method, i in [
        ("ROC", "trapezoidal", 0),
        ("ROC", "minoring", 1),
        ("ROC", "majoring", 0),
        ("PR", "trapezoidal", 0),
        ("PR", "careful_interpolation", 1),
        ("PR", "majoring", 0),
    ]
]
CLASSED = (*at(2), at(1, class_id=2)[1])

OF_VALUES = [
    row("mean", NUMBERS, lambda m, z, x, w: m(z), lambda m, z, x, w: m(z, w, **IN)),
    row("mean_tensor", NUMBERS, lambda m, z, x, w: m(z), lambda m, z, x, w: m(z, w, **IN)),
    row("accuracy", COUNTED, plain, weighed),
    row("mean_absolute_error", NUMBERS, plain, weighed),
    row("mean_squared_error", NUMBERS, plain, weighed),
    row("root_mean_squared_error", NUMBERS, plain, weighed),
    row("mean_relative_error", NUMBERS, *at(normal(2, 3, seed=2).astype("f"))),
    row("mean_cosine_distance", NUMBERS, *at(1)),
    row("percentage_below", NUMBERS, lambda m, z, x, w: m(z, 0.1), lambda m, z, x, w: m(z, 0.1, w, **IN)),
    row("mean_iou", COUNTED, *at(3)),
    row("mean_per_class_accuracy", COUNTED, *at(3)),
]
OF_COUNTS = [
    row(name, TOLD, plain, weighed)
    for name in ("true_positives", "true_negatives", "false_positives", "false_negatives", "precision", "recall")
]
OF_SCORES = [
    row("auc", SCORED, plain, *CURVES, lambda m, z, x, w: m(z, x, thresholds=[0.3, 0.6]), rounding=1e-4),
    *[row(f"{kind}_at_thresholds", SCORED, *at(LIMITS)) for kind in (
        "true_positives", "true_negatives", "false_positives", "false_negatives", "precision", "recall",
    )],
    *[row(name, SCORED, *at(0.5, num_thresholds=9)) for name in (
        "sensitivity_at_specificity", "specificity_at_sensitivity",
    )],
]  # fmt: skip
OF_RANKS = [
    row("recall_at_k", RANKED, *CLASSED),
    row("precision_at_k", RANKED, *CLASSED),
    row("average_precision_at_k", RANKED, *at(2)),
    row("sparse_average_precision_at_k", RANKED, *at(3)),
    row("sparse_precision_at_k", RANKED, *CLASSED),
    *[
        row(name, RANKED, lambda m, z, x, w: m(z, tf.nn.top_k(x, 2)[1]),
            lambda m, z, x, w: m(z, tf.cast(tf.nn.top_k(x, 2)[1], tf.int64), class_id=2, weights=w, **IN))
        for name in ("recall_at_top_k", "precision_at_top_k")
    ],
]  # fmt: skip

OLDER = [
    *[row(f"contrib.metrics.streaming_{n}", NUMBERS, turned(plain), turned(weighed)) for n in (
        "mean_absolute_error", "mean_squared_error", "root_mean_squared_error",
    )],
    *[row(f"contrib.metrics.streaming_{n}", NUMBERS, lambda m, z, x, w: m(z), lambda m, z, x, w: m(z, w, **IN))
      for n in ("mean", "mean_tensor")],
    row("contrib.metrics.streaming_mean_relative_error", NUMBERS, *turned_at(normal(2, 3, seed=2).astype("f"))),
    row("contrib.metrics.streaming_mean_cosine_distance", NUMBERS, *turned_at(1)),
    row("contrib.metrics.streaming_percentage_less", NUMBERS, lambda m, z, x, w: m(z, 0.1),
        lambda m, z, x, w: m(z, 0.1, w, **IN)),
    *[row(f"contrib.metrics.streaming_{n}", NUMBERS, turned(plain), turned(weighed), rounding=1e-4) for n in (
        "covariance", "pearson_correlation",
    )],
    row("contrib.metrics.streaming_accuracy", COUNTED, turned(plain), turned(weighed)),
    row("contrib.metrics.streaming_mean_iou", COUNTED, *turned_at(3)),
    row("contrib.metrics.cohen_kappa", COUNTED, *at(3)),
    *[row(f"contrib.metrics.streaming_{n}", TOLD, turned(plain), turned(weighed)) for n in (
        "true_positives", "true_negatives", "false_positives", "false_negatives", "precision", "recall",
        "false_positive_rate", "false_negative_rate",
    )],
    row("contrib.metrics.streaming_auc", SCORED, *turned_at(num_thresholds=7), *turned_at(num_thresholds=7, curve="PR"),
        rounding=1e-4),
    *[row(f"contrib.metrics.streaming_{n}_at_thresholds", SCORED, *turned_at(LIMITS)) for n in (
        "precision", "recall", "false_positive_rate", "false_negative_rate",
    )],
    *[row(f"contrib.metrics.streaming_{n}_at_thresholds", SCORED, *map(turned, only_weighed(LIMITS))) for n in (
        "true_positives", "true_negatives", "false_positives", "false_negatives",
    )],
    *[row(f"contrib.metrics.streaming_{n}", SCORED, *turned_at(0.5, num_thresholds=9)) for n in (
        "sensitivity_at_specificity", "specificity_at_sensitivity",
    )],
    row("contrib.metrics.streaming_curve_points", SCORED, *at(num_thresholds=5), at(num_thresholds=5, curve="PR")[0]),
    row("contrib.metrics.precision_at_recall", SCORED, *at(0.6, num_thresholds=9)),
    row("contrib.metrics.recall_at_precision", SCORED, *at(0.6, num_thresholds=9)),
    row("contrib.metrics.precision_recall_at_equal_thresholds", SCORED, *only_weighed(num_thresholds=5)),
    row("contrib.metrics.f1_score", SCORED, *at(num_thresholds=7)),
    row("contrib.metrics.streaming_dynamic_auc", (IS.astype(np.int64), SCORES, W), *at(), at(curve="PR")[0]),
    row("contrib.metrics.count", NUMBERS, lambda m, z, x, w: m(z), lambda m, z, x, w: m(z, w, **IN)),
    row("contrib.metrics.streaming_concat", NUMBERS, lambda m, z, x, w: m(z), lambda m, z, x, w: m(z, 0, 4, **IN)),
    row("contrib.metrics.streaming_recall_at_k", (LABELS, TABLE, W), *turned_at(2)),
    *[row(f"contrib.metrics.streaming_sparse_{n}_at_k", RANKED, *turned_at(2)) for n in (
        "recall", "precision", "average_precision",
    )],
    *[row(f"contrib.metrics.{n}", RANKED, lambda m, z, x, w: m(tf.nn.top_k(x, 2)[1], z)) for n in (
        "streaming_sparse_precision_at_top_k", "streaming_sparse_average_precision_at_top_k",
    )],
    row("contrib.metrics.sparse_recall_at_top_k", RANKED, lambda m, z, x, w: m(z, tf.nn.top_k(x, 2)[1]),
        lambda m, z, x, w: m(z, tf.nn.top_k(x, 2)[1], class_id=2, weights=w, **IN)),
]  # fmt: skip


def at_once(z: Any, x: Any, w: Any) -> Any:
    """Of ``tf.contrib.metrics``, what is no metric over several batches, and maps of such."""
    values, updates = S.aggregate_metrics(S.streaming_mean(x, w), S.streaming_mean_squared_error(x, w))
    names, more = S.aggregate_metric_map({"a": S.streaming_mean(x), "b": S.streaming_auc(x, z, num_thresholds=5)})
    for update in [*updates, more["a"], more["b"]]:
        tf.add_to_collection("update_ops", update)
    a, b = tf.constant([[1, 2, 2], [3, 3, 5]]), tf.constant([[2, 7, 0], [5, 3, 9]])
    return [
        values,
        names["a"],
        names["b"],
        S.accuracy(tf.cast(x > 0.5, tf.int32), tf.cast(z, tf.int32), w),
        S.accuracy(tf.cast(x > 0.5, tf.int32), tf.cast(z, tf.int32)),
        S.confusion_matrix(tf.cast(x > 0.5, tf.int32), tf.cast(z, tf.int32), weights=w),
        S.auc_with_confidence_intervals(tf.cast(z, tf.int64), x, w)[0],
        S.auc_using_histogram(z, x, [0.0, 1.0], 5)[0],
        S.set_union(a, b),
        S.set_intersection(a, b),
        S.set_difference(a, b, aminusb=False),
        S.set_size(tf.SparseTensor([[0, 0], [0, 1], [1, 0]], [1, 9, 2], [2, 3])),
    ]


ROWS = [*OF_VALUES, *OF_COUNTS, *OF_SCORES, *OF_RANKS, *OLDER, Row("contrib.metrics.accuracy", at_once, SCORED, False)]
