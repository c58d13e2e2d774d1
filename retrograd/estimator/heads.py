"""Heads of TensorFlow 2, ``tf.estimator.BinaryClassHead`` and kin: losses, predictions and metrics apart.

They stand on logits as the heads of ``canned.heads`` do, but their metrics are objects of Keras, their reductions too,
and they train by optimizers of Keras.  Source: ``tensorflow_estimator`` 1.15.1, ``head``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.estimator.canned import labels as given
from retrograd.estimator.canned.heads import (
    CLASSIFY,
    DEFAULT,
    PREDICT,
    class_names_of,
    classification,
)
from retrograd.estimator.canned.keys import MetricKeys, PredictionKeys
from retrograd.estimator.export_outputs import PredictOutput
from retrograd.estimator.specs import EstimatorSpec, ModeKeys
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.keras import metrics as measures
from retrograd.keras.losses import Reduction, compute_weighted_loss
from retrograd.keras.optimizer_v2 import OptimizerV2
from retrograd.nn import summaries
from retrograd.nn.weights import broadcast_weights
from retrograd.ops import arrays, casts, ranking
from retrograd.ops.control import group
from retrograd.ops.sums import add_n


class Head:
    """What stands on logits: subclasses say what they lose, mean and are measured by."""

    @property
    def name(self) -> Any:
        """The name, which stands behind the names of metrics."""
        raise NotImplementedError("Calling an abstract method.")

    @property
    def logits_dimension(self) -> int:
        """How many logits there are for each example."""
        raise NotImplementedError("Calling an abstract method.")

    @property
    def loss_reduction(self) -> str:
        """How the losses of examples become one number."""
        raise NotImplementedError("Calling an abstract method.")

    def loss(
        self, labels: Any, logits: Any, features: Any = None, mode: Any = None, regularization_losses: Any = None
    ) -> Any:
        """The loss of the logits, with the regularization losses."""
        raise NotImplementedError("Calling an abstract method.")

    def predictions(self, logits: Any, keys: Any = None) -> Any:
        """Predictions by their keys."""
        raise NotImplementedError("Calling an abstract method.")

    def metrics(self, regularization_losses: Any = None) -> Any:
        """New metrics of Keras, by their keys."""
        raise NotImplementedError("Calling an abstract method.")

    def update_metrics(
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any, mode: Any = None,
        regularization_losses: Any = None,
    ) -> Any:  # fmt: skip
        """The metrics, after they took in a batch."""
        raise NotImplementedError("Calling an abstract method.")

    def _key(self, key: str) -> str:
        return f"{key}/{self.name}" if self.name else key

    def _penalty_metric(self, regularization_losses: Any) -> dict[str, Any]:
        if regularization_losses is None:
            return {}
        return {self._key(MetricKeys.LOSS_REGULARIZATION): measures.Mean(name=MetricKeys.LOSS_REGULARIZATION)}

    def _update_penalty(self, eval_metrics: Any, regularization_losses: Any) -> None:
        if regularization_losses is not None:
            metric = eval_metrics[self._key(MetricKeys.LOSS_REGULARIZATION)]
            metric.update_state(values=add_n(regularization_losses))

    def _outputs(self, predictions: Any) -> dict[str, Any]:
        raise NotImplementedError("Subclasses of Head must implement `create_estimator_spec()`")

    def create_estimator_spec(
        self,
        features: Any,
        mode: str,
        logits: Any,
        labels: Any = None,
        optimizer: Any = None,
        trainable_variables: Any = None,
        train_op_fn: Callable[[Any], Any] | None = None,
        update_ops: Any = None,
        regularization_losses: Any = None,
    ) -> EstimatorSpec:
        """The model on these logits, in one mode.

        Args:
          optimizer, train_op_fn: how to train, one of them: an optimizer of Keras, which changes
            ``trainable_variables``, or a function from the loss to an op.
          update_ops: what else is run with a step.

        Raises:
          ValueError: for training, both are given or none, or the optimizer is none of Keras.
        """
        with name_scope(self.name, "head"):
            predictions = self.predictions(logits)
            if mode == ModeKeys.PREDICT:
                return EstimatorSpec(mode, predictions=predictions, export_outputs=self._outputs(predictions))
            loss = self.loss(
                logits=logits, labels=labels, features=features, mode=mode, regularization_losses=regularization_losses
            )
            if mode == ModeKeys.EVAL:
                metrics = self.metrics(regularization_losses=regularization_losses)
            else:
                train_op = step_of_training(loss, optimizer, trainable_variables, train_op_fn, update_ops)
        if mode == ModeKeys.EVAL:
            metrics = self.update_metrics(
                eval_metrics=metrics, features=features, logits=logits, labels=labels,
                regularization_losses=regularization_losses,
            )  # fmt: skip
            return EstimatorSpec(mode, predictions=predictions, loss=loss, eval_metric_ops=metrics)
        summarize(loss, regularization_losses, self._key)
        return EstimatorSpec(ModeKeys.TRAIN, predictions=predictions, loss=loss, train_op=train_op)


def step_of_training(loss: Any, optimizer: Any, variables: Any, train_op_fn: Any, update_ops: Any) -> Any:
    """A step of training, with ``update_ops``."""
    if update_ops is not None and not isinstance(update_ops, list | tuple):
        raise ValueError(f"update_ops should be a list or a tuple. Given type: {type(update_ops)}.")
    with name_scope(""), name_scope("training"):
        if optimizer is not None:
            if train_op_fn is not None:
                raise ValueError("train_op_fn and optimizer cannot both be set.")
            if not isinstance(optimizer, OptimizerV2):
                raise ValueError(
                    f"The given optimizer is not a tf.keras.optimizers.Optimizer instance. Given: {optimizer}"
                )
            if variables is None:
                raise ValueError(f"trainable_variables cannot be None. Given {variables}")
            if not isinstance(variables, list | tuple):
                raise ValueError(f"trainable_variables should be a list or a tuple. Given type: {type(variables)}.")
            train_op = optimizer.get_updates(loss, variables)[0]
        elif train_op_fn is not None:
            train_op = train_op_fn(loss)
        else:
            raise ValueError("train_op_fn and optimizer cannot both be None.")
        return train_op if update_ops is None else group(train_op, *update_ops)


def summarize(loss: Any, regularization_losses: Any, key: Callable[[str], str] = str) -> None:
    with name_scope(""):
        summaries.scalar(key(MetricKeys.LOSS), loss)
        if regularization_losses is not None:
            summaries.scalar(key(MetricKeys.LOSS_REGULARIZATION), add_n(regularization_losses))


def check_reduction(loss_reduction: Any) -> None:
    if loss_reduction not in Reduction.all() or loss_reduction == Reduction.NONE:
        raise ValueError(
            f"Invalid loss_reduction: {loss_reduction}. See `tf.losses.Reduction` for valid options."
        )  # fmt: skip


def check_loss_fn(loss_fn: Any) -> None:
    given.check_loss_fn(loss_fn, optional=("features", "loss_reduction"))


def labels_in_range(labels: Any, n_classes: Any, message: str | None = None) -> Tensor:
    return given.in_range(labels, n_classes, message, scope="check_label_range", verb="must be")


def with_penalty(loss: Any, regularization_losses: Any) -> Any:
    return loss if regularization_losses is None else loss + add_n(regularization_losses)


def update_mean(metric: Any, values: Any, weights: Any) -> None:
    values = casts.to_float(values)
    if weights is not None:
        weights = broadcast_weights(weights, values)
    metric.update_state(values=values, sample_weight=weights)


class OneLossHead(Head):
    """What the heads of one loss have in common."""

    _name: str | None
    _loss_reduction: str
    _weight_column: Any
    _loss_fn: Any
    _label_vocabulary: Any = None
    _thresholds: tuple[float, ...] = ()
    _has_weights_per_logit = False
    _loss_dimension = 1

    @property
    def name(self) -> str | None:
        return self._name

    @property
    def loss_reduction(self) -> str:
        return self._loss_reduction

    def _processed_labels(self, logits: Tensor, labels: Any) -> Tensor:
        """The labels as the loss takes them."""
        raise NotImplementedError

    def _unweighted_loss(self, logits: Tensor, labels: Tensor) -> Tensor:
        """The losses of the examples."""
        raise NotImplementedError

    def _losses_and_weights(self, logits: Tensor, labels: Tensor, features: Any) -> tuple[Tensor, Any]:
        if self._loss_fn:
            unweighted = given.loss_of_user(self._loss_fn, labels, logits, features, self._loss_dimension)
        else:
            unweighted = self._unweighted_loss(logits, labels)
        return unweighted, given.weights_of(features, self._weight_column, logits, self._has_weights_per_logit)

    def loss(
        self, labels: Any, logits: Any, features: Any = None, mode: Any = None, regularization_losses: Any = None
    ) -> Any:
        with name_scope("losses", values=(logits, labels)):
            logits = given.checked_logits(logits, self.logits_dimension)
            labels = self._processed_labels(logits, labels)
            unweighted, weights = self._losses_and_weights(logits, labels, features)
            loss = compute_weighted_loss(unweighted, sample_weight=weights, reduction=self._loss_reduction)
            return with_penalty(loss, regularization_losses)

    def _chosen(self, keys: Any, valid: list[str]) -> Any:
        for key in keys or ():
            if key not in valid:
                raise ValueError(
                    f"Prediction key must be in PredictionKeys, given: {key}."
                    f"Valid prediction keys include {valid}."
                )  # fmt: skip
        return keys or valid

    def _batch(self, features: Any, logits: Any, labels: Any) -> tuple[Tensor, Tensor, Tensor, Any]:
        """The logits, labels, losses and weights that metrics take in."""
        logits = given.checked_logits(logits, self.logits_dimension)
        labels = self._processed_labels(logits, labels)
        return (logits, labels, *self._losses_and_weights(logits, labels, features))

    def _threshold_keys(self, threshold: float) -> list[str]:
        kinds = (MetricKeys.ACCURACY_AT_THRESHOLD, MetricKeys.PRECISION_AT_THRESHOLD, MetricKeys.RECALL_AT_THRESHOLD)
        return [self._key(kind % threshold) for kind in kinds]

    def _threshold_metrics(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for threshold in self._thresholds:
            accuracy, precision, recall = self._threshold_keys(threshold)
            found[accuracy] = measures.BinaryAccuracy(name=accuracy, threshold=threshold)
            found[precision] = measures.Precision(name=precision, thresholds=threshold)
            found[recall] = measures.Recall(name=recall, thresholds=threshold)
        return found

    def _update_at_thresholds(self, eval_metrics: Any, labels: Any, scores: Any, weights: Any) -> None:
        for threshold in self._thresholds:
            for key in self._threshold_keys(threshold):
                eval_metrics[key].update_state(y_true=labels, y_pred=scores, sample_weight=weights)

    def _classification_outputs(self, predictions: dict[str, Any], n_classes: int) -> dict[str, Any]:
        output = classification(predictions[PredictionKeys.PROBABILITIES], n_classes, self._label_vocabulary)
        return {DEFAULT: output, CLASSIFY: output, PREDICT: PredictOutput(predictions)}

    def _class_predictions(self, keys: Any, logits: Tensor, all_logits: Tensor, n_classes: int) -> dict[str, Any]:
        """Which class has the largest of ``all_logits``, and which there are."""
        key, found = PredictionKeys, {}
        if key.CLASS_IDS in keys or key.CLASSES in keys:
            class_ids = ranking.argmax(all_logits, axis=-1, name=key.CLASS_IDS)
            class_ids = arrays.expand_dims(class_ids, axis=-1)
            if key.CLASS_IDS in keys:
                found[key.CLASS_IDS] = class_ids
            if key.CLASSES in keys:
                found[key.CLASSES] = class_names_of(class_ids, self._label_vocabulary)
        if key.ALL_CLASS_IDS in keys:
            found[key.ALL_CLASS_IDS] = given.all_class_ids(logits, n_classes)
        if key.ALL_CLASSES in keys:
            found[key.ALL_CLASSES] = given.all_classes(logits, n_classes, self._label_vocabulary)
        return found
