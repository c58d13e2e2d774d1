"""Heads with losses that boosted trees can learn from, and losses by which trees learn from a network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.estimator.canned.heads import MultiClassHead, RegressionHead
from retrograd.estimator.gradient_trees import losses
from retrograd.estimator.older.head_losses import _softmax_loss, _squared_loss, _two_classes_loss
from retrograd.estimator.older.heads import _RegressionHead
from retrograd.graph import dtypes
from retrograd.nn.losses import Reduction
from retrograd.ops import arrays, constants
from retrograd.ops.exponentials import sigmoid
from retrograd.ops.reductions import reduce_mean
from retrograd.ops.softmax import softmax


class CustomLossHead(_RegressionHead):
    """A head of ``tf.contrib.learn`` with any loss.

    Args:
      loss_fn: of labels, weights and logits, gives the losses of the examples, and an op.
      link_fn: makes predictions of logits.
      logit_dimension: how many logits there are.
      metrics_fn: of predictions, labels and weights, gives a dict of metrics.
    """

    def __init__(
        self, loss_fn: Callable[..., Any], link_fn: Callable[[Any], Any], logit_dimension: int,
        head_name: str | None = None, weight_column_name: str | None = None, metrics_fn: Any = None,
    ) -> None:  # fmt: skip
        def both(labels: Any, logits: Any, weights: Any = None) -> tuple[Any, Any]:
            if weights is None:
                weights = constants.ones(shape=[arrays.shape(labels)[0], 1], dtype=dtypes.float32)
            mean = reduce_mean(loss_fn(labels, weights, logits)[0])
            return mean, mean / reduce_mean(weights)

        super().__init__(logit_dimension, both, link_fn, None, weight_column_name, False, head_name)
        self._metrics_fn = metrics_fn

    def _metrics(self, loss: Any, predictions: dict[str, Any], labels: Any, weights: Any) -> Any:
        return None if self._metrics_fn is None else self._metrics_fn(predictions, labels, weights)


def core_multiclass_head(
    n_classes: int, weight_column: Any = None, loss_reduction: str = Reduction.SUM_OVER_NONZERO_WEIGHTS
) -> MultiClassHead:
    """One of ``n_classes`` classes, by a loss with second derivatives."""

    def loss_fn(labels: Any, logits: Any) -> Any:
        return losses.per_example_maxent_loss(labels=labels, logits=logits, weights=None, num_classes=n_classes)[0]

    return MultiClassHead(n_classes, weight_column, loss_reduction=loss_reduction, loss_fn=loss_fn)


def core_quantile_regression_head(
    quantiles: float, label_dimension: int = 1, weight_column: Any = None,
    loss_reduction: str = Reduction.SUM_OVER_NONZERO_WEIGHTS,
) -> RegressionHead:  # fmt: skip
    """A quantile of numbers."""

    def loss_fn(labels: Any, logits: Any) -> Any:
        return losses.per_example_quantile_regression_loss(labels, None, logits, quantiles)[0]

    return RegressionHead(weight_column, label_dimension, loss_reduction, loss_fn)


# -- trees that learn from a network -----------------------------------------------------------


def _as_labels(logits: Any, n_classes: int) -> Any:
    return sigmoid(logits) if n_classes == 2 else softmax(logits)


def create_dnn_to_tree_squared_loss_fn(n_classes: int) -> Callable[..., Any]:
    """The squared error between the probabilities that a network and the trees give."""

    def loss(dnn_logits: Any, tree_logits: Any, example_weights: Any) -> Any:
        wanted, found = _as_labels(dnn_logits, n_classes), _as_labels(tree_logits, n_classes)
        return _squared_loss(labels=wanted, logits=found, weights=example_weights)[0]

    return loss


def create_dnn_to_tree_cross_entropy_loss_fn(n_classes: int) -> Callable[..., Any]:
    """The cross entropy of the trees' logits where the network's probabilities are the labels."""

    def loss(dnn_logits: Any, tree_logits: Any, example_weights: Any) -> Any:
        of_classes = _two_classes_loss if n_classes == 2 else _softmax_loss
        wanted = _as_labels(dnn_logits, n_classes)
        return of_classes(labels=wanted, logits=tree_logits, weights=example_weights)[0]

    return loss
