"""Losses, weighted by element or example, summed or averaged, and listed in ``GraphKeys.LOSSES``."""

from __future__ import annotations

from typing import Any

from retrograd.eager.tensor import EagerTensor
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.deprecation import deprecated_argument_lookup
from retrograd.graph.dtypes import float32
from retrograd.graph.errors import taught
from retrograd.graph.scopes import add_to_collection, control_dependencies, get_collection, name_scope
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.nn import cross_entropy
from retrograd.nn.weights import assert_broadcastable, broadcast_weights
from retrograd.ops import (
    activations,
    arithmetic,
    arrays,
    casts,
    comparison,
    conditions,
    constants,
    exponentials,
    powers,
    reductions,
    rounding,
    softmax,
    sums,
)
from retrograd.ops.confusion import remove_squeezable_dimensions


class Reduction:
    """How the weighted losses of elements become one: ``NONE``, ``SUM`` and three kinds of mean."""

    NONE = "none"
    SUM = "weighted_sum"
    SUM_OVER_BATCH_SIZE = "weighted_sum_over_batch_size"
    MEAN = "weighted_mean"
    SUM_BY_NONZERO_WEIGHTS = "weighted_sum_by_nonzero_weights"
    SUM_OVER_NONZERO_WEIGHTS = SUM_BY_NONZERO_WEIGHTS

    @classmethod
    def all(cls) -> tuple[str, ...]:
        """Every kind."""
        return (
            cls.NONE, cls.SUM, cls.MEAN, cls.SUM_OVER_BATCH_SIZE, cls.SUM_OVER_NONZERO_WEIGHTS,
            cls.SUM_BY_NONZERO_WEIGHTS,
        )  # fmt: skip

    @classmethod
    def validate(cls, key: Any) -> None:
        """Raises ``ValueError`` unless ``key`` is a kind of reduction."""
        if key not in cls.all():
            error = ValueError(f"Invalid Reduction Key {key}.")
            error.add_note(f"  Fix:   tf.losses.Reduction.{', .'.join(k for k in vars(cls) if k.isupper())}")
            raise error


_BY_NONZERO = Reduction.SUM_BY_NONZERO_WEIGHTS


# -- the sum of weighted losses ----------------------------------------------------------------


def _mean(total: Tensor, count: Tensor) -> Tensor:
    """``sum(total) / count``, 0 for none."""
    return arithmetic.div_no_nan(reductions.reduce_sum(total), count, name="value")


def _num_present(losses: Tensor, weights: Any, per_batch: bool = False) -> Tensor:
    """How many losses have a weight other than 0, in each example or altogether."""
    with name_scope(None, "num_present", (losses, weights)) as scope:
        weights = casts.cast(weights, float32)
        if not per_batch and isinstance(losses, EagerTensor) and isinstance(weights, EagerTensor) and not weights.dims:
            return constants.constant(float(losses._num_elements() if weights else 0), float32)
        present = comparison.where(
            comparison.equal(weights, 0.0), constants.zeros_like(weights), constants.ones_like(weights)
        )
        present = broadcast_weights(present, losses)
        if not per_batch:
            return reductions.reduce_sum(present, name=scope)
        axes = constants.range_(1, arrays.rank(present))
        return reductions.reduce_sum(present, axis=axes, keepdims=True, name=scope)


def _num_elements(losses: Tensor) -> Tensor:
    with name_scope(None, "num_elements", [losses]) as scope:
        return casts.cast(arrays.size(losses, name=scope), dtype=losses.dtype)


def compute_weighted_loss(
    losses: Any, weights: Any = 1.0, scope: str | None = None, loss_collection: Any = GraphKeys.LOSSES,
    reduction: str = _BY_NONZERO,
) -> Tensor:  # fmt: skip
    """``sum(losses * weights)``, divided as ``reduction`` says, or the products themselves.

    Args:
      weights: a scalar, or a tensor of the rank of ``losses`` with the same sizes or 1 in each dimension.
      loss_collection: the collection that gets the result; None for none.
      reduction: by default, the sum is divided by the number of elements whose weight is not 0.

    Raises:
      ValueError: ``weights`` is None or does not fit, or there is no such reduction.
    """
    Reduction.validate(reduction)
    with name_scope(scope, "weighted_loss", (losses, weights)):
        setattr(default_graph(), "_last_loss_reduction", reduction)  # noqa: B010
        with control_dependencies((assert_broadcastable(weights, losses),)):
            losses = as_tensor(losses)
            dtype = losses.dtype
            losses, weights = casts.cast(losses, float32), casts.cast(weights, float32)
            loss = arithmetic.multiply(losses, weights, name="Mul")
            if reduction != Reduction.NONE:
                loss = reductions.reduce_sum(loss)
                if reduction == Reduction.MEAN:
                    loss = _mean(loss, reductions.reduce_sum(constants.ones_like(losses) * weights))
                elif reduction == _BY_NONZERO:
                    loss = _mean(loss, _num_present(losses, weights))
                elif reduction == Reduction.SUM_OVER_BATCH_SIZE:
                    loss = _mean(loss, _num_elements(losses))
            loss = casts.cast(loss, dtype)
            add_loss(loss, loss_collection)
            return loss


# -- one loss for each element -----------------------------------------------------------------


def _given(**arguments: Any) -> None:
    for name, value in arguments.items():
        if value is None:
            raise ValueError(f"{name} must not be None.")


def _as_floats(labels: Any, predictions: Any) -> tuple[Tensor, Tensor]:
    """Labels and predictions as float32, of one shape."""
    predictions = casts.cast(predictions, float32)
    labels = casts.cast(labels, float32)
    _check_shapes(labels, predictions)
    return labels, predictions


def _check_shapes(labels: Tensor, predictions: Tensor) -> None:
    """Raises ``ValueError`` unless the two have one shape, as far as is known."""
    try:
        predictions.shape.assert_is_compatible_with(labels.shape)
    except ValueError as error:
        word, longer = max(("predictions", predictions), ("labels", labels), key=lambda item: item[1].rank or 0)
        if abs((predictions.rank or 0) - (labels.rank or 0)) != 1:
            fix = "tf.reshape(labels, tf.shape(predictions)) if they have as many elements"
        elif longer.shape[-1].value == 1:
            fix = f"tf.squeeze({word}, [-1])"
        else:
            fix = "for class numbers: tf.one_hot(labels, ...), or tf.losses.sparse_softmax_cross_entropy"
        rows = [(t.name, t.op.place) for t in (predictions, labels) if t.op.place]
        where = "\n".join(f"{name} was built at {place}" for name, place in rows)
        raise taught(error, where=where, fix=fix) from None


def absolute_difference(
    labels: Any, predictions: Any, weights: Any = 1.0, scope: str | None = None,
    loss_collection: Any = GraphKeys.LOSSES, reduction: str = _BY_NONZERO,
) -> Tensor:  # fmt: skip
    """``|predictions - labels|``, weighted and reduced as ``compute_weighted_loss`` does."""
    _given(labels=labels, predictions=predictions)
    with name_scope(scope, "absolute_difference", (predictions, labels, weights)) as scope:
        labels, predictions = _as_floats(labels, predictions)
        losses = rounding.abs_(arithmetic.subtract(predictions, labels, name="Sub"))
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


def cosine_distance(
    labels: Any, predictions: Any, axis: int | None = None, weights: Any = 1.0, scope: str | None = None,
    loss_collection: Any = GraphKeys.LOSSES, reduction: str = _BY_NONZERO, dim: int | None = None,
) -> Tensor:  # fmt: skip
    """``1 - sum(predictions * labels)`` along ``axis``, for vectors of length 1; weighted and reduced.

    Raises:
      ValueError: there is no ``axis``, or the shapes do not fit.
    """
    axis = deprecated_argument_lookup("axis", axis, "dim", dim)
    if axis is None:
        raise ValueError("You must specify 'axis'.")
    _given(labels=labels, predictions=predictions)
    with name_scope(scope, "cosine_distance_loss", (predictions, labels, weights)) as scope:
        labels, predictions = _as_floats(labels, predictions)
        products = arithmetic.multiply(predictions, labels, name="Mul")
        losses = 1 - reductions.reduce_sum(products, axis=(axis,), keepdims=True)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


def hinge_loss(
    labels: Any, logits: Any, weights: Any = 1.0, scope: str | None = None, loss_collection: Any = GraphKeys.LOSSES,
    reduction: str = _BY_NONZERO,
) -> Tensor:  # fmt: skip
    """``max(0, 1 - (2 labels - 1) logits)`` for labels 0 and 1; weighted and reduced."""
    _given(labels=labels, logits=logits)
    with name_scope(scope, "hinge_loss", (logits, labels, weights)) as scope:
        labels, logits = _as_floats(labels, logits)
        ones = constants.ones_like(labels)
        signs = arithmetic.subtract(2 * labels, ones, name="Sub")
        margins = arithmetic.subtract(ones, arithmetic.multiply(signs, logits, name="Mul"), name="Sub")
        return compute_weighted_loss(activations.relu(margins), weights, scope, loss_collection, reduction=reduction)


def huber_loss(
    labels: Any, predictions: Any, weights: Any = 1.0, delta: float = 1.0, scope: str | None = None,
    loss_collection: Any = GraphKeys.LOSSES, reduction: str = _BY_NONZERO,
) -> Tensor:  # fmt: skip
    """``e * e / 2`` for an error |e| up to ``delta``, beyond it ``delta * (|e| - delta / 2)``; weighted and reduced.

    With q = min(|e|, delta) this is ``q * q / 2 + delta * (|e| - q)``.
    """
    _given(labels=labels, predictions=predictions)
    with name_scope(scope, "huber_loss", (predictions, labels, weights)) as scope:
        labels, predictions = _as_floats(labels, predictions)
        error = rounding.abs_(arithmetic.subtract(predictions, labels, name="Sub"))
        quadratic = arithmetic.minimum(error, delta)
        rest = arithmetic.subtract(error, quadratic, name="Sub")
        half = as_tensor(0.5, dtype=quadratic.dtype)
        losses = arithmetic.add(
            arithmetic.multiply(half, arithmetic.multiply(quadratic, quadratic, name="Mul"), name="Mul"),
            arithmetic.multiply(delta, rest, name="Mul"),
            name="Add",
        )
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


def log_loss(
    labels: Any, predictions: Any, weights: Any = 1.0, epsilon: float = 1e-7, scope: str | None = None,
    loss_collection: Any = GraphKeys.LOSSES, reduction: str = _BY_NONZERO,
) -> Tensor:  # fmt: skip
    """``-t log(p + epsilon) - (1 - t) log(1 - p + epsilon)``; weighted and reduced."""
    _given(labels=labels, predictions=predictions)
    with name_scope(scope, "log_loss", (predictions, labels, weights)) as scope:
        labels, predictions = _as_floats(labels, predictions)
        positive = -arithmetic.multiply(labels, exponentials.log(predictions + epsilon), name="Mul")
        negative = arithmetic.multiply(1 - labels, exponentials.log(1 - predictions + epsilon), name="Mul")
        return compute_weighted_loss(positive - negative, weights, scope, loss_collection, reduction=reduction)


def mean_pairwise_squared_error(
    labels: Any, predictions: Any, weights: Any = 1.0, scope: str | None = None,
    loss_collection: Any = GraphKeys.LOSSES,
) -> Tensor:  # fmt: skip
    """The mean square of ``e[i] - e[j]`` over the pairs of elements of an example, e the error, summed over examples.

    With n elements, of sum s and sum of squares q, this is ``2 q / (n - 1) - 2 s * s / (n (n - 1))``.
    """
    _given(labels=labels, predictions=predictions)
    with name_scope(scope, "mean_pairwise_squared_error", (predictions, labels, weights)) as scope:
        weights = casts.cast(weights, float32)
        labels = casts.cast(labels, float32)
        with control_dependencies((assert_broadcastable(weights, labels),)):
            predictions = casts.cast(predictions, float32)
            predictions.shape.assert_is_compatible_with(labels.shape)
            error = arithmetic.subtract(predictions, labels, name="Sub")
            axes = constants.range_(1, arrays.rank(error))
            squares = reductions.reduce_sum(powers.square(error), axis=axes, keepdims=True)
            n = _num_present(error, weights, per_batch=True)
            of_squares = 2.0 * arithmetic.div_no_nan(squares, arithmetic.maximum(n - 1, 0), name="value")
            total = powers.square(reductions.reduce_sum(error, axis=axes, keepdims=True))
            pairs = arithmetic.maximum(arithmetic.multiply(n, n - 1, name="Mul"), 0)
            of_sum = 2.0 * arithmetic.div_no_nan(total, pairs, name="value")
            loss = reductions.reduce_sum(arithmetic.multiply(of_squares - of_sum, weights, name="Mul"))
            present = reductions.reduce_sum(n) > 0
            mean = comparison.where(present, loss, constants.zeros_like(loss), name="value")
            add_loss(mean, loss_collection)
            return mean


def mean_squared_error(
    labels: Any, predictions: Any, weights: Any = 1.0, scope: str | None = None,
    loss_collection: Any = GraphKeys.LOSSES, reduction: str = _BY_NONZERO,
) -> Tensor:  # fmt: skip
    """``(predictions - labels) ** 2``, weighted and reduced as ``compute_weighted_loss`` does.

    >>> mean_squared_error(constants.zeros([2]), constants.ones([2])).name
    'mean_squared_error/value:0'
    """
    _given(labels=labels, predictions=predictions)
    with name_scope(scope, "mean_squared_error", (predictions, labels, weights)) as scope:
        labels, predictions = _as_floats(labels, predictions)
        losses = arithmetic.squared_difference(predictions, labels)
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


# -- cross entropies ---------------------------------------------------------------------------


def sigmoid_cross_entropy(
    multi_class_labels: Any, logits: Any, weights: Any = 1.0, label_smoothing: float = 0, scope: str | None = None,
    loss_collection: Any = GraphKeys.LOSSES, reduction: str = _BY_NONZERO,
) -> Tensor:  # fmt: skip
    """The cross entropy of labels and ``sigmoid(logits)``, class by class; weighted and reduced.

    ``label_smoothing`` moves the labels that far towards 1/2.
    """
    _given(multi_class_labels=multi_class_labels, logits=logits)
    with name_scope(scope, "sigmoid_cross_entropy_loss", (logits, multi_class_labels, weights)) as scope:
        logits = as_tensor(logits)
        labels = casts.cast(multi_class_labels, logits.dtype)
        _check_shapes(labels, logits)
        if label_smoothing > 0:
            labels = labels * (1 - label_smoothing) + 0.5 * label_smoothing
        losses = cross_entropy.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


def softmax_cross_entropy(
    onehot_labels: Any, logits: Any, weights: Any = 1.0, label_smoothing: float = 0, scope: str | None = None,
    loss_collection: Any = GraphKeys.LOSSES, reduction: str = _BY_NONZERO,
) -> Tensor:  # fmt: skip
    """The cross entropy of one-hot labels and ``softmax(logits)``; weighted by example and reduced.

    ``label_smoothing`` moves the labels that far towards equal shares.
    """
    _given(onehot_labels=onehot_labels, logits=logits)
    with name_scope(scope, "softmax_cross_entropy_loss", (logits, onehot_labels, weights)) as scope:
        logits = as_tensor(logits)
        labels = casts.cast(onehot_labels, logits.dtype)
        _check_shapes(labels, logits)
        if label_smoothing > 0:
            classes = casts.cast(arrays.shape(labels)[-1], logits.dtype)
            share = label_smoothing / classes
            labels = labels * (1.0 - label_smoothing) + share
        labels = arrays.stop_gradient(labels, name="labels_stop_gradient")
        losses = softmax.softmax_cross_entropy_with_logits_v2(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


def _squeezed_weights(weights: Any, labels: Tensor) -> Tensor:
    """Weights without a last dimension of 1 that the labels lack."""
    weights = as_tensor(weights)
    if weights.rank is not None and labels.rank is not None:
        return arrays.squeeze(weights, [-1]) if weights.rank - labels.rank == 1 else weights
    extra = arrays.rank(weights) - arrays.rank(labels)
    if weights.dims is None or (weights.dims and weights.dims[-1] in (1, None)):
        return conditions.cond(comparison.equal(1, extra), lambda: arrays.squeeze(weights, [-1]), lambda: weights)
    return weights


def sparse_softmax_cross_entropy(
    labels: Any, logits: Any, weights: Any = 1.0, scope: str | None = None, loss_collection: Any = GraphKeys.LOSSES,
    reduction: str = _BY_NONZERO,
) -> Tensor:  # fmt: skip
    """The cross entropy of class numbers and ``softmax(logits)``; weighted by example and reduced.

    Labels and weights may have a last dimension of 1.
    """
    _given(labels=labels, logits=logits)
    with name_scope(scope, "sparse_softmax_cross_entropy_loss", (logits, labels, weights)) as scope:
        labels, logits = remove_squeezable_dimensions(labels, logits, expected_rank_diff=1)
        weights = _squeezed_weights(weights, labels)
        losses = cross_entropy.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name="xentropy")
        return compute_weighted_loss(losses, weights, scope, loss_collection, reduction=reduction)


# -- the losses of a graph ---------------------------------------------------------------------


def add_loss(loss: Any, loss_collection: Any = GraphKeys.LOSSES) -> None:
    """Let ``loss`` join a collection, unless that is None."""
    if loss_collection:
        add_to_collection(loss_collection, loss)


def get_losses(scope: str | None = None, loss_collection: Any = GraphKeys.LOSSES) -> list[Any]:
    """The losses of the graph, or those whose names match ``scope``."""
    return get_collection(loss_collection, scope)


def get_regularization_losses(scope: str | None = None) -> list[Any]:
    """The penalties of variables and layers."""
    return get_collection(GraphKeys.REGULARIZATION_LOSSES, scope)


def get_regularization_loss(scope: str | None = None, name: str = "total_regularization_loss") -> Tensor:
    """The sum of the penalties, 0 if there are none."""
    losses = get_regularization_losses(scope)
    return sums.add_n(losses, name=name) if losses else constants.constant(0.0)


def get_total_loss(
    add_regularization_losses: bool = True, name: str = "total_loss", scope: str | None = None
) -> Tensor:  # fmt: skip
    """The sum of the losses, and of the penalties.

    Raises:
      ValueError: there are none.
    """
    losses = get_losses(scope=scope)
    if add_regularization_losses:
        losses += get_regularization_losses(scope=scope)
    try:
        return sums.add_n(losses, name=name)
    except ValueError as error:
        if losses:
            raise
        raise taught(error, why="no loss has been added", fix="tf.losses.add_loss(loss)") from None
