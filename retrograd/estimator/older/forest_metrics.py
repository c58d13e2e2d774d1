"""Metrics of random forests by name: ``tf.contrib.tensor_forest.eval_metrics``.

Source: TensorFlow 1.15.5, observed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.estimator.older.keys import PredictionKey
from retrograd.graph import dtypes
from retrograd.graph.tensor import Tensor
from retrograd.nn.contrib import losses
from retrograd.nn.metrics.counts import precision, recall
from retrograd.nn.metrics.means import accuracy, mean
from retrograd.nn.metrics.thresholds import auc, precision_at_thresholds, recall_at_thresholds
from retrograd.ops import arithmetic, arrays
from retrograd.ops.casts import cast
from retrograd.ops.indexing import one_hot
from retrograd.ops.ranking import in_top_k
from retrograd.ops.reductions import reduce_mean, reduce_sum
from retrograd.ops.slicing import slice_

INFERENCE_PROB_NAME, INFERENCE_PRED_NAME = PredictionKey.PROBABILITIES, PredictionKey.CLASSES
FEATURE_IMPORTANCE_NAME = "global_feature_importance"

Metric = Callable[..., Any]


def _counted(metric: Metric) -> Metric:
    """``metric`` of predicted classes."""

    def measured(predictions: Tensor, targets: Tensor, weights: Any = None) -> Any:
        return metric(labels=targets, predictions=predictions, weights=weights)

    return measured


def _of_second_class(metric: Metric, **settings: Any) -> Metric:
    """``metric`` of how probable the second class is."""

    def measured(probabilities: Tensor, targets: Tensor, weights: Any = None) -> Any:
        second = slice_(probabilities, [0, 1], [-1, 1])
        return metric(labels=targets, predictions=second, weights=weights, **settings)

    return measured


def _of_classes(loss: Metric) -> Metric:
    """The mean of a loss of probabilities and of which class it was, as ones and zeros."""

    def measured(probabilities: Tensor, targets: Tensor, weights: Any = None) -> Any:
        depth = arrays.shape(probabilities)[1]
        truths = one_hot(cast(arrays.squeeze(targets, axis=[1]), dtypes.int32), depth)
        return mean(loss(probabilities, truths), weights=weights)

    return measured


def _softmax_entropy(probabilities: Tensor, targets: Tensor, weights: Any = None) -> Any:
    loss = losses.sparse_softmax_cross_entropy(probabilities, cast(targets, dtypes.int32))
    return mean(loss, weights=weights)


def _r2(predictions: Tensor, targets: Tensor, weights: Any = None) -> Any:
    """1 - sum((y - p)^2) / sum((y - mean(y))^2)."""
    y = cast(targets, dtypes.float32)
    total = reduce_sum(arithmetic.squared_difference(y, reduce_mean(y, 0)), 0)
    left = reduce_sum(arithmetic.squared_difference(y, predictions), 0)
    return mean(1 - reduce_sum(left / total), weights=weights)


def _top(k: int) -> Metric:
    def measured(probabilities: Tensor, targets: Tensor) -> Any:
        classes = cast(targets, dtypes.int32)
        if (classes.get_shape().ndims or 0) > 1:
            classes = arrays.squeeze(classes, axis=[1])
        return mean(in_top_k(probabilities, classes, k))

    return measured


_HUNDREDTHS = {"thresholds": np.arange(0, 1, 0.01, dtype=np.float32)}
_METRICS: dict[str, tuple[Metric, str]] = {  # each with the name of the prediction that it measures
    "auc": (_of_second_class(auc), INFERENCE_PROB_NAME),
    "sigmoid_entropy": (_of_classes(losses.sigmoid_cross_entropy), INFERENCE_PROB_NAME),
    "softmax_entropy": (_softmax_entropy, INFERENCE_PROB_NAME),
    "accuracy": (_counted(accuracy), INFERENCE_PRED_NAME),
    "r2": (_r2, PredictionKey.SCORES),
    "predictions": (lambda predictions, targets, **unused: predictions, INFERENCE_PRED_NAME),
    "classification_log_loss": (_of_classes(losses.log_loss), INFERENCE_PROB_NAME),
    "precision": (_counted(precision), INFERENCE_PRED_NAME),
    "precision_at_thresholds": (_of_second_class(precision_at_thresholds, **_HUNDREDTHS), INFERENCE_PROB_NAME),
    "recall": (_counted(recall), INFERENCE_PRED_NAME),
    "recall_at_thresholds": (_of_second_class(recall_at_thresholds, **_HUNDREDTHS), INFERENCE_PROB_NAME),
    "top_5": (_top(5), INFERENCE_PROB_NAME),
}


def get_metric(metric_name: str) -> Metric:
    """The metric of that name: a function of predictions and targets, and of weights.

    Raises:
      KeyError: there is none.
    """
    return _METRICS[metric_name][0]


def get_prediction_key(metric_name: str) -> str:
    """Which of a forest's predictions the metric measures.

    Raises:
      KeyError: there is no such metric.
    """
    return _METRICS[metric_name][1]
