"""Losses of examples that have second derivatives, for boosted trees; each comes with an op that does nothing.

Source: TensorFlow 1.15.5, ``contrib/boosted_trees/python/utils/losses.py``: arguments, where they bend.
"""

from __future__ import annotations

from typing import Any

from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import name_scope
from retrograd.nn.cross_entropy import sigmoid_cross_entropy_with_logits
from retrograd.nn.losses import hinge_loss
from retrograd.ops import arithmetic, arrays, casts, comparison, constants, control, exponentials, powers
from retrograd.ops.indexing import one_hot
from retrograd.ops.reductions import reduce_sum

_Loss = tuple[Any, Any]


def _weighted(loss: Any, weights: Any) -> _Loss:
    return loss if weights is None else loss * weights, control.no_op()


def per_example_squared_hinge_loss(labels: Any, weights: Any, predictions: Any) -> _Loss:
    """The square of the mean hinge loss."""
    loss = hinge_loss(labels=labels, logits=predictions, weights=weights)
    return powers.square(loss), control.no_op()


def per_example_logistic_loss(labels: Any, weights: Any, predictions: Any) -> _Loss:
    """The logistic loss of labels of 0 and 1, all [batch, 1]."""
    labels = casts.cast(labels, dtypes.float32)
    return _weighted(sigmoid_cross_entropy_with_logits(labels=labels, logits=predictions), weights)


def per_example_quantile_regression_loss(labels: Any, weights: Any, predictions: Any, quantile: Any) -> _Loss:
    """q e for an error e = y - prediction above 0, (q - 1) e below; where that is less than 1, its square."""
    error = casts.cast(labels, dtypes.float32) - predictions
    sides: list[Any] = []
    for share in (quantile, quantile - 1):
        line = share * error
        sides.append(comparison.where(error * share < 1.0, powers.square(line), line))
    return _weighted(comparison.where(error > 0, *sides), weights)


def per_example_maxent_loss(labels: Any, weights: Any, logits: Any, num_classes: int, eps: float = 1e-15) -> _Loss:
    """-log p of the class of each example, where p = exp(logit) / (sum(exp(logits)) + eps) is between eps and 1 - eps.

    Args:
      labels: numbers of classes, [batch] or [batch, 1].
      weights: [batch, 1], or None.
      logits: [batch, num_classes].
    """
    labels = casts.cast(labels, dtypes.int64)
    if len(labels.get_shape()) != 2:
        labels = arrays.expand_dims(labels, 1)
    labels = reduce_sum(one_hot(indices=labels, depth=num_classes), axis=[1])
    powers = exponentials.exp(logits)
    shares = arithmetic.divide(powers, arithmetic.add(reduce_sum(powers, 1, keepdims=True), eps))
    p = reduce_sum(casts.cast(labels, dtypes.float32) * shares, 1)
    least = constants.zeros_like(p, dtype=logits.dtype) + eps
    most = constants.ones_like(p, dtype=logits.dtype) - eps
    p = comparison.where(p >= eps, p, least)
    p = comparison.where(p <= 1 - eps, p, most)
    return _weighted(arrays.expand_dims(-exponentials.log(p), 1), weights)


def per_example_squared_loss(labels: Any, weights: Any, predictions: Any) -> _Loss:
    """The sum of the squared errors of each example, [batch, 1]."""
    errors = arithmetic.squared_difference(predictions, labels)
    return _weighted(reduce_sum(errors, 1, keepdims=True), weights)


def _signs(name: Any, labels: Any, logits: Any) -> tuple[Any, Any, Any, Any]:
    """The logits, 1 and -1 in their shape, and labels as 1 and -1."""
    with name_scope(name, "exp_loss", [logits, labels]):
        logits, labels = as_tensor(logits, name="logits"), as_tensor(labels, name="labels")
        try:
            labels.get_shape().merge_with(logits.get_shape())
        except ValueError:
            shapes = f"({logits.get_shape()} vs {labels.get_shape()})"
            raise ValueError(f"logits and labels must have the same shape {shapes}") from None
    ones = constants.ones_like(logits, dtype=logits.dtype)
    is_positive = labels > constants.zeros_like(logits, dtype=logits.dtype)
    return logits, ones, -ones, comparison.where(is_positive, ones, -ones)


def per_example_exp_loss(
    labels: Any, weights: Any, predictions: Any, name: str | None = None, eps: float = 0.1
) -> _Loss:
    """exp(-y z): y is 1 or -1, and z = sigmoid(logit) / eps - 1 / (2 eps), held between -1 and 1."""
    logits, ones, minus, signs = _signs(name, casts.cast(labels, dtypes.float32), predictions)
    z = 1.0 / eps * exponentials.sigmoid(logits) + -1.0 / 2 / eps
    z = comparison.where(z < -1, minus, z)
    z = comparison.where(z > 1, ones, z)
    return _weighted(exponentials.exp(-z * signs), weights)


def per_example_full_exp_loss(labels: Any, weights: Any, predictions: Any, name: str | None = None) -> _Loss:
    """exp(-y logit), where y is 1 or -1."""
    logits, _, _, signs = _signs(name, casts.cast(labels, dtypes.float32), predictions)
    return _weighted(exponentials.exp(-1.0 * logits * signs), weights)
