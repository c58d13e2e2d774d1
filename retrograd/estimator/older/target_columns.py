"""``tf.contrib.layers``'s target columns: what a model of 2016 learns, before there were heads.

A column has a loss per example, ``l``; training takes ``mean(w l)``, a report ``sum(w l) / sum(w)``.  Source:
TensorFlow 1.15.5, observed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from retrograd.estimator.older import keys
from retrograd.graph import dtypes
from retrograd.graph.deprecation import deprecated
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.tensor import Tensor
from retrograd.nn.contrib.losses import hinge_loss
from retrograd.nn.contrib.metrics import (
    streaming_accuracy,
    streaming_auc,
    streaming_mean,
    streaming_precision_at_thresholds,
    streaming_recall_at_thresholds,
)
from retrograd.nn.cross_entropy import (
    sigmoid_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from retrograd.ops import arithmetic, arrays, comparison, constants
from retrograd.ops.asserts import Assert
from retrograd.ops.casts import cast
from retrograd.ops.exponentials import sigmoid
from retrograd.ops.joining import concat
from retrograd.ops.ranking import argmax
from retrograd.ops.reductions import reduce_mean, reduce_sum
from retrograd.ops.softmax import softmax

Metric = Callable[..., Any]
_of_2016 = deprecated(
    "2016-11-12",
    "This file will be removed after the deprecation date.Please switch to "
    "third_party/tensorflow/contrib/learn/python/learn/estimators/head.py",
)

ProblemType = _of_2016(keys.ProblemType)

# -- losses per example ------------------------------------------------------------------------


def _as_columns(target: Tensor) -> Tensor:
    return arrays.expand_dims(target, axis=1) if len(target.get_shape()) == 1 else target


def _squares(logits: Tensor, target: Tensor) -> Tensor:
    target = _as_columns(target)
    logits.get_shape().assert_is_compatible_with(target.get_shape())
    return arithmetic.squared_difference(logits, cast(target, dtypes.float32))


def _log_loss(logits: Tensor, target: Tensor) -> Tensor:
    target = cast(_as_columns(target), dtypes.float32)
    return sigmoid_cross_entropy_with_logits(labels=target, logits=logits)


def _cross_entropy(logits: Tensor, target: Tensor) -> Tensor:
    if not target.dtype.is_integer:
        raise ValueError(f"Target's dtype should be integer Instead got {target.dtype}.")
    if len(target.get_shape()) == 2:
        target = arrays.squeeze(target, axis=[1])
    return sparse_softmax_cross_entropy_with_logits(labels=target, logits=logits)


def _hinge(logits: Tensor, target: Tensor) -> Tensor:
    is_flat = comparison.less_equal(arrays.rank(target), 2)
    with control_dependencies([Assert(is_flat, ["target's shape should be either [batch_size, 1] or [batch_size]"])]):
        target = arrays.reshape(target, shape=[arrays.shape(target)[0], 1])
    return hinge_loss(logits, target)


# -- columns -----------------------------------------------------------------------------------


class TargetColumn:
    """What is learned: how many logits it takes, their loss, and what is predicted of them."""

    def __init__(
        self, loss_fn: Callable[[Tensor, Tensor], Tensor], num_label_columns: int, label_name: str | None,
        weight_column_name: str | None, problem_type: int,
    ) -> None:  # fmt: skip
        self._loss_fn = loss_fn
        self.num_label_columns = num_label_columns
        self.label_name, self.weight_column_name = label_name, weight_column_name
        self.problem_type = problem_type

    def logits_to_predictions(self, logits: Tensor, proba: bool = False) -> Tensor:
        """What is predicted; with ``proba`` how probable each class is."""
        raise NotImplementedError

    def get_eval_ops(self, features: Any, logits: Tensor, labels: Tensor, metrics: Any = None) -> dict[str, Any]:
        """The metrics, each with its value and its update."""
        raise NotImplementedError

    def get_weight_tensor(self, features: Any) -> Tensor | None:
        """The weights of the examples, of shape (batch,); None if they have none."""
        if not self.weight_column_name:
            return None
        return arrays.reshape(cast(features[self.weight_column_name], dtypes.float32), shape=(-1,))

    def _losses(self, logits: Tensor, target: Any, features: Any) -> tuple[Tensor, Tensor | None]:
        """The losses of the examples, times their weights if they have some, and these."""
        losses = self._loss_fn(logits, target[self.label_name] if isinstance(target, dict) else target)
        weights = self.get_weight_tensor(features)
        if weights is None:
            return losses, None
        return arithmetic.multiply(arrays.reshape(losses, (-1,)), arrays.reshape(weights, (-1,))), weights

    def training_loss(self, logits: Tensor, target: Any, features: Any, name: str = "training_loss") -> Tensor:
        """``mean(w l)``."""
        return reduce_mean(self._losses(logits, target, features)[0], name=name)

    def loss(self, logits: Tensor, target: Any, features: Any) -> Tensor:
        """``sum(w l) / sum(w)``."""
        losses, weights = self._losses(logits, target, features)
        if weights is None:
            return reduce_mean(losses, name="loss")
        return arithmetic.div(reduce_sum(losses), cast(reduce_sum(weights), dtypes.float32), name="loss")

    def _measured(self, predictions: Tensor, labels: Tensor, metrics: Mapping[str, Metric], features: Any) -> Any:
        weights = self.get_weight_tensor(features)
        labels = cast(labels, predictions.dtype)
        given = {} if weights is None else {"weights": weights}
        return {name: metric(predictions, labels, **given) for name, metric in metrics.items()}


class _Numbers(TargetColumn):
    def logits_to_predictions(self, logits: Tensor, proba: bool = False) -> Tensor:
        return arrays.squeeze(logits, axis=[1]) if self.num_label_columns == 1 else logits

    def get_eval_ops(self, features: Any, logits: Tensor, labels: Tensor, metrics: Any = None) -> dict[str, Any]:
        found = {"loss": streaming_mean(self.loss(logits, labels, features))}
        if metrics:
            found |= self._measured(self.logits_to_predictions(logits), labels, metrics, features)
        return found


class _Classes(TargetColumn):
    def _logits(self, logits: Tensor) -> Tensor:
        """One logit for each class, of two classes 0 for the first."""
        return concat([constants.zeros_like(logits), logits], 1) if self.num_label_columns == 1 else logits

    def logits_to_predictions(self, logits: Tensor, proba: bool = False) -> Tensor:
        return softmax(self._logits(logits)) if proba else argmax(self._logits(logits), 1)

    def get_eval_ops(self, features: Any, logits: Tensor, labels: Tensor, metrics: Any = None) -> dict[str, Any]:
        """The metrics: those of ``metrics`` by name, or by (name, "classes" or "probabilities").

        Raises:
          ValueError: a name is none of these.
        """
        found: dict[str, Any] = {"loss": streaming_mean(self.loss(logits, labels, features))}
        probabilities, truths = sigmoid(logits), cast(labels, dtypes.float32)
        if self.num_label_columns == 1:
            for name, metric in get_default_binary_metrics_for_eval(thresholds=[0.5]).items():
                found[name] = metric(probabilities, truths)
        asked: dict[str, dict[str, Metric]] = {"classes": {}, "probabilities": {}}
        for key, metric in ({("accuracy", "classes"): streaming_accuracy} if metrics is None else metrics).items():
            name, of = _name_of_metric(key)
            asked[of][name] = metric
        for of, chosen in asked.items():
            if chosen:
                predictions = self.logits_to_predictions(logits, proba=of == "probabilities")
                found |= self._measured(predictions, labels, chosen, features)
        return found


def _name_of_metric(key: Any) -> tuple[str, str]:
    if isinstance(key, str):
        return key, "classes"
    if not isinstance(key, tuple):
        raise ValueError(f"Ignoring metric {key}. Its name is not in the correct form.")
    if len(key) != 2:
        raise ValueError(f"Ignoring metric {key}. It returned a tuple with len {len(key)}, expected 2.")
    if key[1] not in ("classes", "probabilities"):
        raise ValueError(
            f"Ignoring metric {key}. The 2nd element of its name should be either 'classes' or 'probabilities'."
        )
    return key


class _Sides(_Classes):
    """Two classes apart: what side of a plane an example is on."""

    def logits_to_predictions(self, logits: Tensor, proba: bool = False) -> Tensor:
        if proba:
            raise ValueError("logits to probabilities is not supported for _BinarySvmTargetColumn")
        return super().logits_to_predictions(logits)


@_of_2016
def regression_target(
    label_name: str | None = None, weight_column_name: str | None = None, label_dimension: int = 1
) -> TargetColumn:
    """Numbers, by their squared errors.

    Args:
      label_name: the key of the labels, where they are in a dict.
      weight_column_name: the feature that holds the weights of the examples.
      label_dimension: how many numbers an example has.
    """
    return _Numbers(_squares, label_dimension, label_name, weight_column_name, keys.ProblemType.LINEAR_REGRESSION)


@_of_2016
def multi_class_target(
    n_classes: int, label_name: str | None = None, weight_column_name: str | None = None
) -> TargetColumn:
    """One of ``n_classes`` classes; of two, by the logistic function of one logit.

    Raises:
      ValueError: there are less than two.
    """
    if n_classes < 2:
        raise ValueError("n_classes must be > 1 for classification.")
    loss, columns = (_log_loss, 1) if n_classes == 2 else (_cross_entropy, n_classes)
    return _Classes(loss, columns, label_name, weight_column_name, keys.ProblemType.CLASSIFICATION)


@_of_2016
def binary_svm_target(label_name: str | None = None, weight_column_name: str | None = None) -> TargetColumn:
    """One of two classes, by the hinge loss of one logit."""
    return _Sides(_hinge, 1, label_name, weight_column_name, keys.ProblemType.CLASSIFICATION)


# -- metrics -----------------------------------------------------------------------------------


@_of_2016
def get_default_binary_metrics_for_eval(thresholds: Any) -> dict[str, Metric]:
    """Metrics of probabilities and labels that are 0 or 1, by name; some at each of ``thresholds``."""
    metrics: dict[str, Metric] = {
        "labels/prediction_mean": lambda predictions, labels, weights=None: streaming_mean(
            predictions, weights=weights
        ),
        "labels/actual_target_mean": _mean_of_labels,
        "accuracy/baseline_target_mean": _mean_of_labels,
        "auc": lambda predictions, labels, weights=None: streaming_auc(predictions, labels, weights=_floats(weights)),
    }
    for threshold in thresholds:
        metrics[f"accuracy/threshold_{threshold:f}_mean"] = _accuracy_at(threshold)
        metrics[f"precision/positive_threshold_{threshold:f}_mean"] = _at(streaming_precision_at_thresholds, threshold)
        metrics[f"recall/positive_threshold_{threshold:f}_mean"] = _at(streaming_recall_at_thresholds, threshold)
    return metrics


def _mean_of_labels(predictions: Tensor, labels: Tensor, weights: Any = None) -> Any:
    return streaming_mean(labels, weights=weights)


def _floats(weights: Any) -> Any:
    return None if weights is None else cast(weights, dtypes.float32)


def _accuracy_at(threshold: float) -> Metric:
    def measured(predictions: Tensor, labels: Tensor, weights: Any = None) -> Any:
        above = cast(comparison.greater_equal(predictions, threshold), dtypes.float32)
        return streaming_accuracy(predictions=above, labels=labels, weights=weights)

    return measured


def _at(metric: Metric, threshold: float) -> Metric:
    def measured(predictions: Tensor, labels: Tensor, weights: Any = None) -> Any:
        value, update = metric(predictions, labels=labels, thresholds=[threshold], weights=_floats(weights))
        return arrays.squeeze(value), update

    return measured
