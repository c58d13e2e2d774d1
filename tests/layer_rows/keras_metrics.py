"""Metrics of ``tf.keras`` and ``tf.contrib.eager``: three batches, the result before and after each."""

from __future__ import annotations

from typing import Any

import numpy as np
from case_table import between, normal
from layer_table import LayerRow as Row
from layer_table import counted, kept

from retrograd import tf

M, V, E = tf.keras.metrics, tf.compat.v2.keras.metrics, tf.contrib.eager.metrics
TRUE = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]], np.float32)
W = np.array([0.5, 1.0, 2.0, 0.0], np.float32)
TABLE = (TRUE, between(0.05, 0.9, 4, 3).astype("f"), W)
CLASSES = (np.array([1, 0, 2, 1], np.int32), between(0.05, 0.9, 4, 3).astype("f"), W)
FOUND = (np.array([1, 0, 2, 1], np.int32), np.array([1, 2, 2, 0], np.int32), W)
SCORED = (np.array([1.0, 0.0, 1.0, 0.0], np.float32), between(0.05, 0.9, 4).astype("f"), W)
NUMBERS = (normal(2, 3).astype("f"), np.array([[0.5], [2.0]], np.float32))
OF_TABLES = {
    "MeanSquaredError": {},
    "RootMeanSquaredError": {},
    "MeanAbsoluteError": {},
    "MeanAbsolutePercentageError": {},
    "MeanSquaredLogarithmicError": {},
    "LogCoshError": {},
    "Poisson": {},
    "KLDivergence": {},
    "Hinge": {},
    "SquaredHinge": {},
    "CategoricalHinge": {},
    "CosineSimilarity": {},
    "BinaryCrossentropy": {"from_logits": True, "label_smoothing": 0.1},
    "CategoricalCrossentropy": {"from_logits": True, "label_smoothing": 0.1},
    "BinaryAccuracy": {"threshold": 0.3},
    "CategoricalAccuracy": {},
    "TopKCategoricalAccuracy": {"k": 2},
}
OF_CLASSES = {
    "SparseCategoricalCrossentropy": {"from_logits": True},
    "SparseCategoricalAccuracy": {},
    "SparseTopKCategoricalAccuracy": {"k": 2},
}
OF_SCORES = {
    "TruePositives": {"thresholds": [0.3, 0.6]},
    "TrueNegatives": {"thresholds": 0.3},
    "FalsePositives": {"thresholds": [0.3, 0.6]},
    "FalseNegatives": {"thresholds": 0.3},
    "Precision": {"thresholds": [0.3, 0.6]},
    "Recall": {"thresholds": 0.3},
}


def row(name: str, inputs: Any, given: dict[str, Any], *first: Any) -> Row:
    """A metric of Keras as it is, with weights, and with its arguments."""

    def build(z: Any, x: Any, w: Any) -> Any:
        kind = getattr(M, name)
        return [
            counted(kind(*first), z, x),
            counted(kind(*first, name="own"), z, x, sample_weight=w),
            counted(getattr(V, name)(*first, **given), z, x, w),
        ]

    return Row(f"keras.metrics.{name}", build, inputs, slopes=False)


def means(x: Any, w: Any) -> Any:
    return [
        counted(M.Mean(), x),
        counted(M.Mean("own", tf.float64), x, w),
        counted(M.Sum(), x),
        counted(M.Sum(name="own"), x, sample_weight=w),
        counted(M.MeanTensor(), x),
        counted(M.MeanTensor("own"), x, w),
        counted(M.MeanRelativeError(tf.ones([2, 3])), x, x + w),
        kept(M.Mean(name="called"))(x),
    ]


def curves(z: Any, x: Any, w: Any) -> Any:
    kinds = [("ROC", "interpolation"), ("PR", "interpolation"), ("ROC", "minoring"), ("PR", "majoring")]
    return [
        counted(M.AUC(), z, x),
        [counted(M.AUC(7, curve, how), z, x, w) for curve, how in kinds],
        counted(M.AUC(thresholds=[0.3, 0.6], name="own"), z, x),
        counted(M.SensitivityAtSpecificity(0.5, 9), z, x, w),
        counted(M.SpecificityAtSensitivity(0.5, 9), z, x),
    ]


def of_first(z: Any, x: Any, w: Any) -> Any:
    return [
        counted(M.Precision(top_k=2), z, x),
        counted(M.Precision(class_id=1), z, x),
        counted(M.Recall(top_k=2, class_id=1), z, x),
    ]


class Own(M.Metric):  # type: ignore[name-defined, misc]
    """A metric of a program's own."""

    def __init__(self, name: str = "own") -> None:
        super().__init__(name=name)
        self.total = self.add_weight("total", [3], initializer="zeros")

    def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        return self.total.assign_add(tf.reduce_sum(y_true - y_pred, 0))

    def result(self) -> Any:
        return tf.reduce_max(self.total)


def functions(z: Any, x: Any, w: Any) -> Any:
    classes = tf.argmax(z, -1)
    return [
        counted(Own(), z, x),
        M.binary_accuracy(z, x, 0.3),
        M.categorical_accuracy(z, x),
        M.sparse_categorical_accuracy(classes, x),
        M.top_k_categorical_accuracy(z, x, 2),
        M.sparse_top_k_categorical_accuracy(classes, x, 2),
        M.get("mse")(z, x),
    ]


def of_eager(x: Any, w: Any) -> Any:
    """Metrics of ``tf.contrib.eager`` in a graph."""
    z = tf.cast(tf.argmax(x, 1), tf.int64)
    metrics = [
        (E.Mean(), (x,)),
        (E.Mean("own"), (x, tf.tile(w, [1, 3]))),
        (E.Accuracy(), (z, tf.ones_like(z))),
        (E.CategoricalAccuracy(), (tf.one_hot(z, 3), tf.sin(x * 9.0))),
        (E.BinaryAccuracy(0.4), (tf.cast(x > 0.0, tf.float32), tf.sigmoid(x + w))),
        (E.SparseAccuracy(), (z, tf.sin(x * 9.0))),
    ]
    for metric, args in metrics:
        metric(*args)
        for variable in metric.variables:
            tf.add_to_collection("own", variable)
    return [metric.result() for metric, _ in metrics]


ROWS = [
    *[row(name, TABLE, given) for name, given in OF_TABLES.items()],
    *[row(name, CLASSES, given) for name, given in OF_CLASSES.items()],
    *[row(name, SCORED, given) for name, given in OF_SCORES.items()],
    row("Accuracy", FOUND, {}),
    row("MeanIoU", FOUND, {}, 3),
    Row("keras.metrics.Mean", means, NUMBERS, slopes=False),
    Row("keras.metrics.AUC", curves, SCORED, slopes=False, rounding=1e-4),
    Row("keras.metrics.Precision-first", of_first, TABLE, slopes=False),
    Row("keras.metrics.Metric", functions, TABLE, slopes=False),
    Row("contrib.eager.metrics.Mean", of_eager, NUMBERS, slopes=False),
]
