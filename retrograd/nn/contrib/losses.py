"""Losses of ``tf.contrib.losses``: older than those of ``tf.losses``, with the predictions first."""

from __future__ import annotations

from typing import Any

from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import add_to_collection, get_collection, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn import cross_entropy
from retrograd.nn.contrib.arg_scope import add_arg_scope
from retrograd.ops import (
    activations,
    arithmetic,
    arrays,
    casts,
    comparison,
    constants,
    exponentials,
    powers,
    reductions,
    rounding,
    slicing,
    softmax,
    sums,
)


def _scaled(losses: Tensor, weights: Tensor) -> Tensor:
    """``sum(losses * weights)``, with weights of the first dimensions."""
    axes = list(range(weights.rank or 0, losses.rank or 0))
    inner = reductions.reduce_sum(losses, axis=axes)
    return reductions.reduce_sum(arithmetic.multiply(inner, weights))


def _mean(total: Tensor, count: Tensor) -> Tensor:
    return arithmetic.div_no_nan(reductions.reduce_sum(total), count, name="value")


def _num_present(losses: Tensor, weights: Tensor, per_batch: bool = False) -> Tensor:
    """How many losses have a weight other than 0, in each example or altogether."""
    if weights.rank == 0:
        batch = arrays.reshape(slicing.slice_(arrays.shape(losses), [0], [1]), [])
        each = arithmetic.div(casts.cast(arrays.size(losses), "float32"), casts.cast(batch, "float32"))
        each = comparison.where(comparison.equal(weights, 0), 0.0, each)
        each = arithmetic.multiply(constants.ones(arrays.reshape(batch, [1])), each)
        return each if per_batch else reductions.reduce_sum(each)
    if weights.rank is not None and weights.rank >= 1:
        axes = list(range(1, weights.rank))
        present = casts.cast(comparison.not_equal(weights, 0), "float32")
        counts = reductions.reduce_sum(present, axis=axes)
    else:
        raise ValueError("weights.get_shape().ndims cannot be None")
    shape = arrays.shape(losses)
    inner = slicing.slice_(shape, [weights.rank], [-1])
    each = arithmetic.multiply(counts, casts.cast(reductions.reduce_prod(inner), "float32"))
    return each if per_batch else reductions.reduce_sum(each)


def compute_weighted_loss(losses: Any, weights: Any = 1.0, scope: str | None = None) -> Tensor:
    """``sum(losses * weights)`` over the number of losses whose weight is not 0; it joins the losses.

    Raises:
      ValueError: ``weights`` is None, or has more dimensions than the losses.
    """
    with name_scope(scope, "weighted_loss", [losses, weights]):
        losses = as_tensor(losses)
        given = losses.dtype
        losses = casts.cast(losses, "float32")
        weights = casts.cast(as_tensor(weights), "float32")
        if losses.rank is None:
            raise ValueError("losses.get_shape().ndims cannot be None")
        if weights.rank is None:
            raise ValueError("weight.get_shape().ndims cannot be None")
        if weights.rank > 1 and weights.dims is not None and weights.dims[-1] in (1, None):
            weights = arrays.squeeze(weights, [-1])
        total = _scaled(losses, weights)
        mean = casts.cast(_mean(total, _num_present(losses, weights)), given)
        add_loss(mean)
        return mean


@add_arg_scope
def add_loss(loss: Any, loss_collection: Any = GraphKeys.LOSSES) -> None:
    """Let a loss join the losses."""
    if loss_collection:
        add_to_collection(loss_collection, loss)


def get_losses(scope: str | None = None, loss_collection: Any = GraphKeys.LOSSES) -> list[Any]:
    """The losses of a scope."""
    return get_collection(loss_collection, scope)


def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """The penalties of a scope."""
    return get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


def get_total_loss(add_regularization_losses: bool = True, name: str = "total_loss") -> Tensor:
    """The sum of all losses."""
    losses = get_losses()
    if add_regularization_losses:
        losses += get_regularization_losses()
    return sums.add_n(losses, name=name)


def _pair(predictions: Any, labels: Any) -> tuple[Tensor, Tensor]:
    predictions.shape.assert_is_compatible_with(labels.shape)
    return casts.cast(predictions, "float32"), casts.cast(labels, "float32")


def absolute_difference(predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None) -> Tensor:
    """The mean of ``|predictions - labels|``."""
    with name_scope(scope, "absolute_difference", [predictions, labels, weights]) as scope:
        predictions, labels = _pair(predictions, labels)
        return compute_weighted_loss(rounding.abs_(arithmetic.subtract(predictions, labels)), weights, scope=scope)


def sigmoid_cross_entropy(
    logits: Any, multi_class_labels: Any, weights: Any = 1.0, label_smoothing: Any = 0, scope: str | None = None
) -> Tensor:
    """The mean cross-entropy of sigmoids."""
    with name_scope(scope, "sigmoid_cross_entropy_loss", [logits, multi_class_labels, weights]) as scope:
        logits.shape.assert_is_compatible_with(multi_class_labels.shape)
        multi_class_labels = casts.cast(multi_class_labels, logits.dtype)
        if label_smoothing > 0:
            multi_class_labels = multi_class_labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = cross_entropy.sigmoid_cross_entropy_with_logits(
            labels=multi_class_labels, logits=logits, name="xentropy"
        )
        return compute_weighted_loss(losses, weights, scope=scope)


def softmax_cross_entropy(
    logits: Any, onehot_labels: Any, weights: Any = 1.0, label_smoothing: Any = 0, scope: str | None = None
) -> Tensor:
    """The mean cross-entropy of a softmax and one-hot labels."""
    with name_scope(scope, "softmax_cross_entropy_loss", [logits, onehot_labels, weights]) as scope:
        logits.shape.assert_is_compatible_with(onehot_labels.shape)
        onehot_labels = casts.cast(onehot_labels, logits.dtype)
        if label_smoothing > 0:
            classes = casts.cast(arrays.shape(onehot_labels)[1], logits.dtype)
            onehot_labels = onehot_labels * (1.0 - label_smoothing) + label_smoothing / classes
        losses = softmax.softmax_cross_entropy_with_logits(labels=onehot_labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=scope)


def sparse_softmax_cross_entropy(logits: Any, labels: Any, weights: Any = 1.0, scope: str | None = None) -> Tensor:
    """The mean cross-entropy of a softmax and classes that are integers."""
    with name_scope(scope, "sparse_softmax_cross_entropy_loss", [logits, labels, weights]) as scope:
        labels = arrays.reshape(labels, shape=[arrays.shape(labels)[0]])
        losses = cross_entropy.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope=scope)


def log_loss(
    predictions: Any, labels: Any = None, weights: Any = 1.0, epsilon: float = 1e-7, scope: str | None = None
) -> Tensor:
    """The mean of ``-labels * log(p) - (1 - labels) * log(1 - p)``."""
    with name_scope(scope, "log_loss", [predictions, labels, weights]) as scope:
        predictions, labels = _pair(predictions, labels)
        losses = -arithmetic.multiply(labels, exponentials.log(predictions + epsilon)) - arithmetic.multiply(
            (1 - labels), exponentials.log(1 - predictions + epsilon)
        )
        return compute_weighted_loss(losses, weights, scope=scope)


def hinge_loss(logits: Any, labels: Any = None, scope: str | None = None) -> Tensor:
    """``max(1 - (2 labels - 1) * logits, 0)`` of each element."""
    with name_scope(scope, "hinge_loss", [logits, labels]):
        logits.shape.assert_is_compatible_with(labels.shape)
        labels = casts.cast(labels, "float32")
        ones = constants.ones_like(labels)
        labels = arithmetic.subtract(2 * labels, ones)
        return activations.relu(arithmetic.subtract(ones, arithmetic.multiply(labels, logits)))


def mean_squared_error(predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None) -> Tensor:
    """The mean of ``(predictions - labels)^2``."""
    with name_scope(scope, "mean_squared_error", [predictions, labels, weights]) as scope:
        predictions, labels = _pair(predictions, labels)
        return compute_weighted_loss(arithmetic.squared_difference(predictions, labels), weights, scope=scope)


def mean_pairwise_squared_error(
    predictions: Any, labels: Any = None, weights: Any = 1.0, scope: str | None = None
) -> Tensor:
    """``2 q / n - 2 s * s / n ** 2``, of the n errors of an example with sum s and sum of squares q, summed.

    Raises:
      ValueError: the rank of the errors or of the weights is unknown.
    """
    with name_scope(scope, "mean_pairwise_squared_error", [predictions, labels, weights]) as scope:
        predictions.shape.assert_is_compatible_with(labels.shape)
        predictions = casts.cast(predictions, "float32")
        labels = casts.cast(labels, "float32")
        weights = casts.cast(as_tensor(weights), "float32")
        errors = arithmetic.subtract(predictions, labels)
        if errors.rank is None:
            raise ValueError("diffs.get_shape().ndims cannot be None")
        if weights.rank is None:
            raise ValueError("weights.get_shape().ndims cannot be None")
        axes = list(range(1, errors.rank))
        squares = reductions.reduce_sum(powers.square(errors), axis=axes)
        n = _num_present(errors, weights, per_batch=True)
        of_squares = 2.0 * arithmetic.div_no_nan(squares, n, name="value")
        total = reductions.reduce_sum(errors, axis=axes)
        of_sum = 2.0 * arithmetic.div_no_nan(powers.square(total), powers.square(n), name="value")
        loss = _scaled(of_squares - of_sum, weights)
        present = reductions.reduce_sum(n) > 0
        mean = comparison.where(present, loss, constants.zeros_like(loss), name="value")
        add_loss(mean)
        return mean


def cosine_distance(
    predictions: Any,
    labels: Any = None,
    axis: Any = None,
    weights: Any = 1.0,
    scope: str | None = None,
    dim: Any = None,
) -> Tensor:
    """The mean of ``1 - sum(predictions * labels)`` along ``axis``."""
    axis = dim if axis is None else axis
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    with name_scope(scope, "cosine_distance_loss", [predictions, labels, weights]) as scope:
        predictions, labels = _pair(predictions, labels)
        products = arithmetic.multiply(predictions, labels)
        losses = 1 - reductions.reduce_sum(products, axis=[axis])
        return compute_weighted_loss(losses, weights, scope=scope)
