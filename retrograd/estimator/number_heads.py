"""Heads of TensorFlow 2 that say numbers, and several heads on one model.

Source: ``tensorflow_estimator`` 1.15.1, ``head``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from retrograd.estimator.canned import labels as given
from retrograd.estimator.canned.heads import (
    DEFAULT,
    PREDICT,
    REGRESS,
)
from retrograd.estimator.canned.keys import MetricKeys, PredictionKeys
from retrograd.estimator.canned.more_heads import logits_of_heads, outputs_of_heads
from retrograd.estimator.export_outputs import PredictOutput, RegressionOutput
from retrograd.estimator.heads import (
    Head,
    OneLossHead,
    check_loss_fn,
    check_reduction,
    labels_in_range,
    step_of_training,
    summarize,
    update_mean,
    with_penalty,
)
from retrograd.estimator.specs import EstimatorSpec, ModeKeys
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.keras import metrics as measures
from retrograd.keras.losses import Reduction
from retrograd.nn import losses
from retrograd.nn.cross_entropy import log_poisson_loss, sigmoid_cross_entropy_with_logits
from retrograd.nn.losses import Reduction as OlderReduction
from retrograd.ops import arithmetic, casts, exponentials
from retrograd.ops.control import no_op
from retrograd.ops.exponentials import sigmoid
from retrograd.ops.sums import add_n

_MEAN = Reduction.SUM_OVER_BATCH_SIZE


# -- numbers -----------------------------------------------------------------------------------


class RegressionHead(OneLossHead):
    """Numbers, by their squared errors or another loss; ``inverse_link_fn`` makes predictions of logits."""

    _has_weights_per_logit = True

    def __init__(
        self,
        label_dimension: int = 1,
        weight_column: Any = None,
        loss_reduction: str = _MEAN,
        loss_fn: Any = None,
        inverse_link_fn: Any = None,
        name: str | None = None,
    ) -> None:
        if label_dimension < 1:
            raise ValueError(f"Invalid label_dimension {label_dimension}.")
        check_reduction(loss_reduction)
        check_loss_fn(loss_fn)
        self._loss_dimension = label_dimension
        self._weight_column, self._inverse_link_fn = weight_column, inverse_link_fn
        self._loss_reduction, self._loss_fn, self._name = loss_reduction, loss_fn, name

    @property
    def logits_dimension(self) -> int:
        return self._loss_dimension

    def _processed_labels(self, logits: Tensor, labels: Any) -> Tensor:
        return casts.to_float(given.labels_beside(labels, logits, self._loss_dimension))  # type: ignore[no-any-return]

    def _unweighted_loss(self, logits: Tensor, labels: Tensor) -> Tensor:
        return losses.mean_squared_error(labels=labels, predictions=logits, reduction=OlderReduction.NONE)

    def predictions(self, logits: Any) -> dict[str, Any]:  # type: ignore[override]
        logits = given.checked_logits(logits, self._loss_dimension)
        with name_scope("predictions", values=(logits,)):
            if not self._inverse_link_fn:
                return {PredictionKeys.PREDICTIONS: logits}
            return {PredictionKeys.PREDICTIONS: self._inverse_link_fn(logits), PredictionKeys.LOGITS: logits}

    def _outputs(self, predictions: dict[str, Any]) -> dict[str, Any]:
        output = RegressionOutput(predictions[PredictionKeys.PREDICTIONS])
        return {DEFAULT: output, REGRESS: output, PREDICT: PredictOutput(predictions)}

    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]:
        with name_scope("metrics", values=(regularization_losses,)):
            names = (MetricKeys.LOSS_MEAN, MetricKeys.PREDICTION_MEAN, MetricKeys.LABEL_MEAN)
            found = {self._key(name): measures.Mean(name=name) for name in names}
            return {**found, **self._penalty_metric(regularization_losses)}

    def update_metrics(  # type: ignore[override]
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any, regularization_losses: Any = None
    ) -> Any:
        value = self.predictions(logits)[PredictionKeys.PREDICTIONS]
        _, _, unweighted, weights = self._batch(features, logits, labels)
        eval_metrics[self._key(MetricKeys.LOSS_MEAN)].update_state(values=unweighted, sample_weight=weights)
        eval_metrics[self._key(MetricKeys.LABEL_MEAN)].update_state(values=labels, sample_weight=weights)
        update_mean(eval_metrics[self._key(MetricKeys.PREDICTION_MEAN)], value, weights)
        self._update_penalty(eval_metrics, regularization_losses)
        return eval_metrics


class PoissonRegressionHead(RegressionHead):
    """Counts of a Poisson distribution whose mean is the exponential of the logit."""

    def __init__(
        self,
        label_dimension: int = 1,
        weight_column: Any = None,
        loss_reduction: str = _MEAN,
        compute_full_loss: bool = True,
        name: str | None = None,
    ) -> None:
        def poisson_loss(labels: Any, logits: Any) -> Any:
            return log_poisson_loss(targets=labels, log_input=logits, compute_full_loss=compute_full_loss)

        super().__init__(label_dimension, weight_column, loss_reduction, poisson_loss, exponentials.exp, name)


class LogisticRegressionHead(RegressionHead):
    """A number from 0 to 1, the logistic function of the logit."""

    def __init__(self, weight_column: Any = None, loss_reduction: str = _MEAN, name: str | None = None) -> None:
        def logistic_loss(labels: Any, logits: Any) -> Any:
            message = "Labels must be in range [0, 1]"
            labels = labels_in_range(labels, 2, message=message)
            return sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

        super().__init__(1, weight_column, loss_reduction, logistic_loss, sigmoid, name)


# -- several heads -----------------------------------------------------------------------------


class MultiHead(Head):
    """Several heads on one model: their logits stand behind each other, their losses are added."""

    def __init__(self, heads: Sequence[Any], head_weights: Sequence[float] | None = None) -> None:
        if not heads:
            raise ValueError(f"Must specify heads. Given: {heads}")
        if head_weights and len(head_weights) != len(heads):
            raise ValueError(
                f"heads and head_weights must have the same size. Given len(heads): {len(heads)}. "
                f"Given len(head_weights): {len(head_weights)}."
            )
        for head in heads:
            if head.name is None:
                raise ValueError(f"All given heads must have name specified. Given: {head}")
        self._heads, self._weights = tuple(heads), tuple(head_weights or ())

    @property
    def name(self) -> str:
        return "_".join(head.name for head in self._heads)

    @property
    def logits_dimension(self) -> int:
        return sum(head.logits_dimension for head in self._heads)

    @property
    def loss_reduction(self) -> str:
        found = [head.loss_reduction for head in self._heads]
        if len(set(found)) > 1:
            raise ValueError(f"The loss_reduction must be the same for different heads. Given: {found}")
        return found[0]  # type: ignore[no-any-return]

    def _own(self, logits: Any, labels: Any = None) -> dict[str, Tensor]:
        """The logits of each head; the labels must be by the heads' names."""
        names = {head.name for head in self._heads}
        if not isinstance(logits, dict):
            logits = logits_of_heads(self._heads, logits)
        elif names - logits.keys():
            raise ValueError(f"logits has missing values for head(s): {list(names - logits.keys())}")
        if labels is not None:
            if not isinstance(labels, dict):
                raise ValueError(f"labels must be a dict. Given: {labels}")
            if names - labels.keys():
                raise ValueError(f"labels has missing values for head(s): {list(names - labels.keys())}")
        return logits  # type: ignore[no-any-return]

    def loss(
        self, labels: Any, logits: Any, features: Any = None, mode: Any = None, regularization_losses: Any = None
    ) -> Any:
        own = self._own(logits, labels)
        found = [
            head.loss(logits=own[head.name], labels=labels[head.name], features=features, mode=mode)
            for head in self._heads
        ]
        with name_scope("merge_losses", values=(*found, *self._weights)):
            if self._weights:
                found = [arithmetic.multiply(loss, w) for loss, w in zip(found, self._weights, strict=True)]
            return with_penalty(add_n(found), regularization_losses)

    def predictions(self, logits: Any, keys: Any = None) -> dict[Any, Any]:
        own = self._own(logits)
        with name_scope("merge_pred"):
            return {
                (head.name, key): value
                for head in self._heads
                for key, value in head.predictions(logits=own[head.name]).items()
            }

    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]:
        found = self._penalty_metric(regularization_losses)
        with name_scope("merge_eval"):
            for head in self._heads:
                key = f"{MetricKeys.LOSS}/{head.name}"
                found[key] = measures.Mean(name=key)
        return found

    def update_metrics(  # type: ignore[override]
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any, regularization_losses: Any = None
    ) -> Any:
        own = self._own(logits, labels)
        self._update_penalty(eval_metrics, regularization_losses)
        for head in self._heads:
            loss = head.loss(logits=own[head.name], labels=labels[head.name], features=features)
            eval_metrics[f"{MetricKeys.LOSS}/{head.name}"].update_state(values=loss)
            found = head.update_metrics(head.metrics(), features, own[head.name], labels[head.name])
            eval_metrics.update(found or {})
        return eval_metrics

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
        with name_scope(self.name, "multi_head"):
            own = self._own(logits, labels)
            specs = [
                head.create_estimator_spec(
                    features=features, mode=mode, logits=own[head.name], labels=labels[head.name] if labels else None,
                    train_op_fn=lambda _: no_op(),
                )
                for head in self._heads
            ]  # fmt: skip
            predictions = self.predictions(logits)
            if mode == ModeKeys.PREDICT:
                outputs = outputs_of_heads(self._heads, specs)
                return EstimatorSpec(mode, predictions=predictions, export_outputs=outputs)
            loss = self.loss(labels, logits, features, mode, regularization_losses)
            if mode == ModeKeys.EVAL:
                metrics = self.metrics(regularization_losses=regularization_losses)
                metrics = self.update_metrics(
                    metrics, features, logits, labels, regularization_losses=regularization_losses
                )
                return EstimatorSpec(mode, predictions=predictions, loss=loss, eval_metric_ops=metrics)
            if mode != ModeKeys.TRAIN:
                raise ValueError(f"mode={mode} unrecognized")
            train_op = step_of_training(loss, optimizer, trainable_variables, train_op_fn, update_ops)
            summarize(loss, regularization_losses)
            return EstimatorSpec(mode, loss=loss, train_op=train_op, predictions=predictions)
