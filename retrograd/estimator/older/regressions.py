"""``tf.contrib.learn.models``: one layer of weights with its loss, as the predictions and the loss of a model.

Source: TensorFlow 1.15.5, ``contrib/learn/python/learn``: arguments, variables, nodes.
"""

from __future__ import annotations

import contextlib
from typing import Any

from retrograd.graph.scopes import name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.nn import losses, summaries
from retrograd.ops import arithmetic, arrays, softmax
from retrograd.ops.biases import xw_plus_b
from retrograd.state import initializers, scopes


def mean_squared_error_regressor(
    tensor_in: Any, labels: Tensor, weights: Any, biases: Any, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """``x W + b``, of as many axes as the labels, and its mean squared error."""
    with name_scope(name, "mean_squared_error_regressor", [tensor_in, labels]):
        predictions = xw_plus_b(tensor_in, weights, biases)
        if labels.get_shape().ndims == 1 and predictions.get_shape().ndims == 2:
            predictions = arrays.squeeze(predictions, axis=[1])
        return predictions, losses.mean_squared_error(labels, predictions)


def softmax_classifier(
    tensor_in: Any, labels: Any, weights: Any, biases: Any, class_weight: Any = None, name: str | None = None
) -> tuple[Tensor, Tensor]:
    """``softmax((x W + b) * class_weight)`` and its cross entropy with the labels, one row of each class's share."""
    with name_scope(name, "softmax_classifier", [tensor_in, labels]):
        logits = xw_plus_b(tensor_in, weights, biases)
        if class_weight is not None:
            logits = arithmetic.multiply(logits, class_weight)
        return softmax.softmax(logits), losses.softmax_cross_entropy(labels, logits)


def _variables(x: Tensor, y: Tensor, width: Any, init_mean: Any, init_stddev: float) -> tuple[Any, Any]:
    """The weights and the bias of the scope one is in, drawn around a mean if there is one; summaries of all four."""
    scope, dtype = scopes.get_variable_scope().name, x.dtype.base_dtype
    summaries.histogram(f"{scope}.x", x)
    summaries.histogram(f"{scope}.y", y)
    begin = None
    if init_mean is not None:
        begin = initializers.random_normal_initializer(init_mean, init_stddev, dtype=dtype)
    weights = scopes.get_variable("weights", [x.shape[1].value, width], initializer=begin, dtype=dtype)
    bias = scopes.get_variable("bias", [width], initializer=begin, dtype=dtype)
    summaries.histogram(f"{scope}.weights", weights)
    summaries.histogram(f"{scope}.bias", bias)
    return weights, bias


def linear_regression(x: Tensor, y: Tensor, init_mean: Any = None, init_stddev: float = 1.0) -> tuple[Tensor, Tensor]:
    """``x W + b``, with variables ``linear_regression/weights`` and ``bias``, and its mean squared error."""
    with scopes.variable_scope("linear_regression"):
        width = 1 if y.get_shape().ndims == 1 else y.shape[1].value
        weights, bias = _variables(x, y, width, init_mean, init_stddev)
        return mean_squared_error_regressor(x, y, weights, bias)


def linear_regression_zero_init(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """``linear_regression`` whose variables are 0 at first."""
    return linear_regression(x, y, init_mean=0.0, init_stddev=0.0)


def logistic_regression(
    x: Tensor, y: Tensor, class_weight: Any = None, init_mean: Any = None, init_stddev: float = 1.0
) -> tuple[Tensor, Tensor]:
    """``softmax(x W + b)``, with variables ``logistic_regression/weights`` and ``bias``, and its cross entropy.

    Without ``class_weight``, a tensor of the graph with the name ``class_weight:0`` is it.
    """
    with scopes.variable_scope("logistic_regression"):
        weights, bias = _variables(x, y, y.shape[-1].value, init_mean, init_stddev)
        if class_weight is None:
            with contextlib.suppress(KeyError):
                class_weight = default_graph().get_tensor_by_name("class_weight:0")
        return softmax_classifier(x, y, weights, bias, class_weight=class_weight)


def logistic_regression_zero_init(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    """``logistic_regression`` whose variables are 0 at first."""
    return logistic_regression(x, y, init_mean=0.0, init_stddev=0.0)
