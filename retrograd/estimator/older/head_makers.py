"""The functions of ``tf.contrib.learn`` that make heads."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.estimator.older.head_losses import (
    _hinge_loss,
    _of_user,
    _poisson_loss,
    _sigmoid_loss,
    _softmax_loss,
    _squared_loss,
    _two_classes_loss,
)
from retrograd.estimator.older.heads import (
    Head,
    _BinaryLogisticHead,
    _BinarySvmHead,
    _LossOnlyHead,
    _MultiClassHead,
    _MultiHead,
    _MultiLabelHead,
    _RegressionHead,
)
from retrograd.estimator.older.keys import ProblemType
from retrograd.ops import (
    arrays,
)
from retrograd.ops.exponentials import exp


def regression_head(
    label_name: Any = None, weight_column_name: Any = None, label_dimension: int = 1,
    enable_centered_bias: bool = False, head_name: str | None = None, link_fn: Any = None,
) -> Head:  # fmt: skip
    """Numbers, by their squared errors; ``link_fn`` makes predictions of logits."""
    link_fn = arrays.identity if link_fn is None else link_fn
    return _RegressionHead(
        label_dimension, _squared_loss, link_fn, label_name, weight_column_name, enable_centered_bias, head_name
    )


def poisson_regression_head(
    label_name: Any = None, weight_column_name: Any = None, label_dimension: int = 1,
    enable_centered_bias: bool = False, head_name: str | None = None,
) -> Head:  # fmt: skip
    """Counts of a Poisson distribution whose mean is the exponential of the logit."""
    return _RegressionHead(
        label_dimension, _poisson_loss, exp, label_name, weight_column_name, enable_centered_bias, head_name
    )


def multi_class_head(
    n_classes: Any, label_name: Any = None, weight_column_name: Any = None, enable_centered_bias: bool = False,
    head_name: str | None = None, thresholds: Any = None, metric_class_ids: Any = None, loss_fn: Any = None,
    label_keys: Any = None,
) -> Head:  # fmt: skip
    """One of ``n_classes`` classes; of two, by the logistic function of one logit.

    Raises:
      ValueError: there are less than two classes, or arguments are given that two classes do not have.
    """
    if n_classes is None or n_classes < 2:
        raise ValueError(f"n_classes must be > 1 for classification: {n_classes}.")
    loss = _of_user(loss_fn) if loss_fn else None
    if n_classes > 2:
        return _MultiClassHead(
            n_classes, label_name, weight_column_name, enable_centered_bias, head_name, loss or _softmax_loss,
            thresholds, metric_class_ids, label_keys,
        )  # fmt: skip
    if metric_class_ids:
        raise ValueError("metric_class_ids invalid for n_classes==2.")
    if label_keys:
        raise ValueError("label_keys is not supported for n_classes=2.")
    return _BinaryLogisticHead(
        ProblemType.LOGISTIC_REGRESSION, 1, label_name, weight_column_name, enable_centered_bias, head_name,
        loss or _two_classes_loss, thresholds,
    )  # fmt: skip


def binary_svm_head(
    label_name: Any = None, weight_column_name: Any = None, enable_centered_bias: bool = False,
    head_name: str | None = None, thresholds: Any = None,
) -> Head:  # fmt: skip
    """Yes or no, by the hinge loss of one logit."""
    return _BinarySvmHead(
        ProblemType.LOGISTIC_REGRESSION, 1, label_name, weight_column_name, enable_centered_bias, head_name,
        _hinge_loss, thresholds,
    )  # fmt: skip


def multi_label_head(
    n_classes: int, label_name: Any = None, weight_column_name: Any = None, enable_centered_bias: bool = False,
    head_name: str | None = None, thresholds: Any = None, metric_class_ids: Any = None, loss_fn: Any = None,
) -> Head:  # fmt: skip
    """Any of ``n_classes`` classes.

    Raises:
      ValueError: there are less than two classes.
    """
    if n_classes < 2:
        raise ValueError("n_classes must be > 1 for classification.")
    return _MultiLabelHead(
        ProblemType.CLASSIFICATION, n_classes, label_name, weight_column_name, enable_centered_bias, head_name,
        _of_user(loss_fn) if loss_fn else _sigmoid_loss, thresholds, metric_class_ids,
    )  # fmt: skip


def loss_only_head(loss_fn: Callable[[], Any], head_name: str | None = None) -> Head:
    """A loss that ``loss_fn()`` gives, or the sum of a list of them."""
    return _LossOnlyHead(loss_fn, head_name)


def multi_head(heads: Any, loss_weights: Any = None) -> Head:
    """Several heads with names; the loss is the sum of theirs, weighted.

    Raises:
      ValueError: there are more or less weights than heads, or a head has no name.
    """
    if loss_weights and len(loss_weights) != len(heads):
        raise ValueError("heads and loss_weights must have same size")
    return _MultiHead(heads, loss_weights)
