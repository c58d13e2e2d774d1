"""Functions of targets and predictions that tell how often these are right, for each example."""

from __future__ import annotations

from typing import Any

from retrograd.graph.convert import as_tensor
from retrograd.graph.tensor import Tensor
from retrograd.keras import backend as K
from retrograd.ops import (
    arrays,
    casts,
    comparison,
    ranking,
)


def accuracy(y_true: Any, y_pred: Any) -> Tensor:
    """1 where the two are equal."""
    y_pred.shape.assert_is_compatible_with(y_true.shape)
    if y_true.dtype != y_pred.dtype:
        y_pred = casts.cast(y_pred, y_true.dtype)
    return casts.cast(comparison.equal(y_true, y_pred), K.floatx())


def binary_accuracy(y_true: Any, y_pred: Any, threshold: float = 0.5) -> Tensor:
    """How often the prediction is on the right side of ``threshold``, for each example."""
    y_pred = as_tensor(y_pred)
    limit = casts.cast(threshold, y_pred.dtype)
    y_pred = casts.cast(y_pred > limit, y_pred.dtype)
    return K.mean(comparison.equal(y_true, y_pred), axis=-1)


def categorical_accuracy(y_true: Any, y_pred: Any) -> Tensor:
    """1 where the largest prediction is that of the class."""
    best, right = ranking.argmax(y_true, axis=-1), ranking.argmax(y_pred, axis=-1)
    return casts.cast(comparison.equal(best, right), K.floatx())


def sparse_categorical_accuracy(y_true: Any, y_pred: Any) -> Tensor:
    """1 where the largest prediction is that of the class, an integer."""
    y_pred, y_true = as_tensor(y_pred), as_tensor(y_true)
    if y_true.rank is not None and y_pred.rank is not None and len(K.int_shape(y_true)) == len(K.int_shape(y_pred)):
        y_true = arrays.squeeze(y_true, [-1])
    best: Any = ranking.argmax(y_pred, axis=-1)
    if K.dtype(best) != K.dtype(y_true):
        best = casts.cast(best, K.dtype(y_true))
    return casts.cast(comparison.equal(y_true, best), K.floatx())


def top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: int = 5) -> Tensor:
    """1 where the class is among the ``k`` largest predictions."""
    return casts.cast(ranking.in_top_k(y_pred, ranking.argmax(y_true, axis=-1), k), K.floatx())


def sparse_top_k_categorical_accuracy(y_true: Any, y_pred: Any, k: int = 5) -> Tensor:
    """1 where the class, an integer, is among the ``k`` largest predictions."""
    if as_tensor(y_true).rank == 2 and as_tensor(y_pred).rank is not None:
        y_true = arrays.reshape(y_true, [-1])
    return casts.cast(ranking.in_top_k(y_pred, casts.cast(y_true, "int32"), k), K.floatx())
