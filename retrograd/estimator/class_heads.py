"""Heads of TensorFlow 2 that say classes or labels.  Source: ``tensorflow_estimator`` 1.15.1, ``head``."""

from __future__ import annotations

from typing import Any

from retrograd.estimator.canned import labels as given
from retrograd.estimator.canned.heads import (
    REGRESS,
    checked_thresholds,
    class_ids_of,
)
from retrograd.estimator.canned.keys import MetricKeys, PredictionKeys
from retrograd.estimator.canned.more_heads import check_vocabulary, checked_measured_classes, of_class
from retrograd.estimator.export_outputs import RegressionOutput
from retrograd.estimator.heads import (
    OneLossHead,
    check_loss_fn,
    check_reduction,
    labels_in_range,
    update_mean,
)
from retrograd.graph import dtypes
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.keras import metrics as measures
from retrograd.keras.losses import Reduction
from retrograd.nn import losses
from retrograd.nn.cross_entropy import sigmoid_cross_entropy_with_logits
from retrograd.nn.losses import Reduction as OlderReduction
from retrograd.nn.weights import broadcast_weights
from retrograd.ops import arithmetic, arrays, casts, constants, joining, reductions
from retrograd.ops.control import no_op
from retrograd.ops.exponentials import sigmoid
from retrograd.ops.softmax import softmax
from retrograd.ops.sparse_joining import sparse_to_indicator

_MEAN = Reduction.SUM_OVER_BATCH_SIZE


# -- yes or no ---------------------------------------------------------------------------------


class BinaryClassHead(OneLossHead):
    """Yes or no, by the logistic function of one logit."""

    def __init__(
        self,
        weight_column: Any = None,
        thresholds: Any = None,
        label_vocabulary: Any = None,
        loss_reduction: str = _MEAN,
        loss_fn: Any = None,
        name: str | None = None,
    ) -> None:
        if label_vocabulary is not None and not isinstance(label_vocabulary, list | tuple):
            raise ValueError(f"label_vocabulary should be a list or a tuple. Given type: {type(label_vocabulary)}")
        self._thresholds = checked_thresholds(thresholds, "thresholds not in (0, 1): {thresholds}.")
        check_reduction(loss_reduction)
        check_loss_fn(loss_fn)
        self._weight_column, self._label_vocabulary = weight_column, label_vocabulary
        self._loss_reduction, self._loss_fn, self._name = loss_reduction, loss_fn, name

    @property
    def logits_dimension(self) -> int:
        return 1

    def _processed_labels(self, logits: Tensor, labels: Any) -> Tensor:
        labels = given.labels_beside(labels, logits, 1)
        if self._label_vocabulary is not None:
            labels = class_ids_of(labels, self._label_vocabulary)
        return labels_in_range(casts.to_float(labels), 2)

    def _unweighted_loss(self, logits: Tensor, labels: Tensor) -> Tensor:
        return sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Any]:
        key = PredictionKeys
        keys = self._chosen(keys, [key.LOGITS, key.LOGISTIC, key.PROBABILITIES, key.CLASS_IDS, key.CLASSES,
                                   key.ALL_CLASS_IDS, key.ALL_CLASSES])  # fmt: skip
        logits = given.checked_logits(logits, 1)
        found: dict[str, Any] = {}
        with name_scope("predictions", values=(logits,)):
            if key.LOGITS in keys:
                found[key.LOGITS] = logits
            if key.LOGISTIC in keys:
                found[key.LOGISTIC] = sigmoid(logits, name=key.LOGISTIC)
            both = joining.concat((constants.zeros_like(logits), logits), axis=-1, name="two_class_logits")
            if key.PROBABILITIES in keys:
                found[key.PROBABILITIES] = softmax(both, name=key.PROBABILITIES)
            return {**found, **self._class_predictions(keys, logits, both, 2)}

    def _outputs(self, predictions: dict[str, Any]) -> dict[str, Any]:
        regression = RegressionOutput(predictions[PredictionKeys.LOGISTIC])
        return {**self._classification_outputs(predictions, 2), REGRESS: regression}

    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]:
        key = MetricKeys
        with name_scope("metrics", values=(regularization_losses,)):
            return {
                self._key(key.LOSS_MEAN): measures.Mean(name=key.LOSS_MEAN),
                self._key(key.ACCURACY): measures.Accuracy(name=key.ACCURACY),
                self._key(key.PRECISION): measures.Precision(name=key.PRECISION),
                self._key(key.RECALL): measures.Recall(name=key.RECALL),
                self._key(key.PREDICTION_MEAN): measures.Mean(name=key.PREDICTION_MEAN),
                self._key(key.LABEL_MEAN): measures.Mean(name=key.LABEL_MEAN),
                self._key(key.ACCURACY_BASELINE): measures.Mean(name=key.ACCURACY_BASELINE),
                self._key(key.AUC): measures.AUC(name=key.AUC),
                self._key(key.AUC_PR): measures.AUC(curve="PR", name=key.AUC_PR),
                **self._penalty_metric(regularization_losses),
                **self._threshold_metrics(),
            }

    def update_metrics(  # type: ignore[override]
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any, regularization_losses: Any = None
    ) -> Any:
        key = MetricKeys
        class_ids = self.predictions(logits)[PredictionKeys.CLASS_IDS]
        logits, labels, unweighted, weights = self._batch(features, logits, labels)
        eval_metrics[self._key(key.LOSS_MEAN)].update_state(values=unweighted, sample_weight=weights)
        for name in (key.ACCURACY, key.PRECISION, key.RECALL):
            eval_metrics[self._key(name)].update_state(y_true=labels, y_pred=class_ids, sample_weight=weights)
        logistic = self.predictions(logits, [PredictionKeys.LOGISTIC])[PredictionKeys.LOGISTIC]
        update_mean(eval_metrics[self._key(key.PREDICTION_MEAN)], logistic, weights)
        mean_label = eval_metrics[self._key(key.LABEL_MEAN)]
        update_mean(mean_label, labels, weights)
        baseline = eval_metrics[self._key(key.ACCURACY_BASELINE)]  # of always saying the more frequent class
        baseline._updates = [no_op()]
        baseline.total = arithmetic.maximum(mean_label.total, mean_label.count - mean_label.total)
        baseline.count = mean_label.count
        baseline._non_trainable_weights = [mean_label.count]
        for name in (key.AUC, key.AUC_PR):
            scores = casts.to_float(logistic)
            spread = broadcast_weights(weights, scores)
            eval_metrics[self._key(name)].update_state(y_true=labels, y_pred=scores, sample_weight=spread)
        self._update_penalty(eval_metrics, regularization_losses)
        self._update_at_thresholds(eval_metrics, labels, logistic, weights)
        return eval_metrics


# -- one of several classes --------------------------------------------------------------------


class MultiClassHead(OneLossHead):
    """One of ``n_classes`` classes, by the softmax of as many logits."""

    def __init__(
        self,
        n_classes: Any,
        weight_column: Any = None,
        label_vocabulary: Any = None,
        loss_reduction: str = _MEAN,
        loss_fn: Any = None,
        name: str | None = None,
    ) -> None:
        if n_classes is None:
            raise ValueError("n_classes cannot be None")
        if label_vocabulary is not None and not isinstance(label_vocabulary, list | tuple):
            raise ValueError(f"label_vocabulary should be a list or a tuple. Given type: {type(label_vocabulary)}")
        if label_vocabulary is not None and len(label_vocabulary) != n_classes:
            raise ValueError(
                f'"label_vocabulary" does not have "n_classes" items. len(label_vocabulary)={len(label_vocabulary)}, '
                f"n_classes={n_classes}, label_vocabulary={label_vocabulary}"
            )
        check_reduction(loss_reduction)
        check_loss_fn(loss_fn)
        self._n_classes = given.checked_class_count(n_classes)
        self._weight_column, self._label_vocabulary = weight_column, label_vocabulary
        self._loss_reduction, self._loss_fn, self._name = loss_reduction, loss_fn, name

    @property
    def logits_dimension(self) -> int:
        return self._n_classes  # type: ignore[no-any-return]

    def _processed_labels(self, logits: Tensor, labels: Any) -> Tensor:
        labels = given.labels_beside(labels, logits, 1)
        if self._label_vocabulary is None:
            if not labels.dtype.is_integer:
                raise ValueError(f"Labels dtype should be integer. Instead got {labels.dtype}.")
        else:
            if labels.dtype != dtypes.string:
                raise ValueError(f"Labels dtype should be string if there is a vocabulary. Instead got {labels.dtype}")
            labels = class_ids_of(labels, self._label_vocabulary)
        return labels_in_range(labels, self._n_classes)

    def _unweighted_loss(self, logits: Tensor, labels: Tensor) -> Tensor:
        loss = losses.sparse_softmax_cross_entropy(labels=labels, logits=logits, reduction=OlderReduction.NONE)
        return arrays.expand_dims(loss, axis=-1)

    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Any]:
        key = PredictionKeys
        keys = self._chosen(keys, [key.LOGITS, key.PROBABILITIES, key.CLASS_IDS, key.CLASSES, key.ALL_CLASS_IDS,
                                   key.ALL_CLASSES])  # fmt: skip
        logits = given.checked_logits(logits, self._n_classes)
        found: dict[str, Any] = {}
        with name_scope("predictions", values=(logits,)):
            if key.LOGITS in keys:
                found[key.LOGITS] = logits
            if key.PROBABILITIES in keys:
                found[key.PROBABILITIES] = softmax(logits, name=key.PROBABILITIES)
            return {**found, **self._class_predictions(keys, logits, logits, self._n_classes)}

    def _outputs(self, predictions: dict[str, Any]) -> dict[str, Any]:
        return self._classification_outputs(predictions, self._n_classes)

    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]:
        key = MetricKeys
        with name_scope("metrics", values=(regularization_losses,)):
            return {
                self._key(key.LOSS_MEAN): measures.Mean(name=key.LOSS_MEAN),
                **self._penalty_metric(regularization_losses),
                self._key(key.ACCURACY): measures.Accuracy(name=key.ACCURACY),
            }

    def update_metrics(  # type: ignore[override]
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any, regularization_losses: Any = None
    ) -> Any:
        class_ids = self.predictions(logits)[PredictionKeys.CLASS_IDS]
        _, labels, unweighted, weights = self._batch(features, logits, labels)
        eval_metrics[self._key(MetricKeys.LOSS_MEAN)].update_state(values=unweighted, sample_weight=weights)
        accuracy = eval_metrics[self._key(MetricKeys.ACCURACY)]
        accuracy.update_state(y_true=labels, y_pred=class_ids, sample_weight=weights)
        self._update_penalty(eval_metrics, regularization_losses)
        return eval_metrics


# -- several labels ----------------------------------------------------------------------------


class MultiLabelHead(OneLossHead):
    """Any of ``n_classes`` labels, each by the logistic function of a logit of its own."""

    def __init__(
        self,
        n_classes: int,
        weight_column: Any = None,
        thresholds: Any = None,
        label_vocabulary: Any = None,
        loss_reduction: str = _MEAN,
        loss_fn: Any = None,
        classes_for_class_based_metrics: Any = None,
        name: str | None = None,
    ) -> None:
        if n_classes is None or n_classes < 2:
            raise ValueError(f"n_classes must be > 1 for multi-label classification. Given: {n_classes}")
        self._thresholds = checked_thresholds(thresholds, "thresholds must be in (0, 1) range. Given: {threshold}")
        check_vocabulary(label_vocabulary, n_classes)
        check_loss_fn(loss_fn)
        check_reduction(loss_reduction)
        self._n_classes, self._weight_column, self._label_vocabulary = n_classes, weight_column, label_vocabulary
        self._measured = checked_measured_classes(classes_for_class_based_metrics, n_classes, label_vocabulary)
        self._loss_reduction, self._loss_fn, self._name = loss_reduction, loss_fn, name

    @property
    def logits_dimension(self) -> int:
        return self._n_classes

    def _processed_labels(self, logits: Tensor, labels: Any) -> Tensor:
        if labels is None:
            return given.labels_beside(None, logits, self._n_classes)
        return given.labels_beside(self._indicators(labels), logits, self._n_classes)

    def _indicators(self, labels: Any) -> Tensor:
        """1 for each label that is there: of ids that are sparse, or as given."""
        if not isinstance(labels, SparseTensor):
            message = "labels must be an integer indicator Tensor with values in [0, 1]"
            return labels_in_range(labels, 2, message=message)
        if labels.dtype == dtypes.string:
            ids = class_ids_of(labels.values, self._label_vocabulary)
            found = sparse_to_indicator(SparseTensor(labels.indices, ids, labels.dense_shape), self._n_classes)
            return casts.to_int64(found)  # type: ignore[no-any-return]
        if not labels.values.dtype.is_integer:
            raise ValueError(f"Labels dtype should be integer. Instead got {labels.values.dtype}.")
        message = f"labels must be an integer SparseTensor with values in [0, {self._n_classes})"
        checked = labels_in_range(labels.values, self._n_classes, message=message)
        with control_dependencies([checked]):
            found = sparse_to_indicator(labels, self._n_classes)
        return casts.to_int64(found)  # type: ignore[no-any-return]

    def _unweighted_loss(self, logits: Tensor, labels: Tensor) -> Tensor:
        loss = losses.sigmoid_cross_entropy(multi_class_labels=labels, logits=logits, reduction=OlderReduction.NONE)
        return reductions.reduce_mean(loss, axis=-1, keepdims=True)

    def predictions(self, logits: Any, keys: Any = None) -> dict[str, Any]:
        key = PredictionKeys
        keys = self._chosen(keys, [key.LOGITS, key.PROBABILITIES])
        logits = given.checked_logits(logits, self._n_classes)
        found: dict[str, Any] = {}
        with name_scope("predictions", values=(logits,)):
            if key.LOGITS in keys:
                found[key.LOGITS] = logits
            if key.PROBABILITIES in keys:
                found[key.PROBABILITIES] = sigmoid(logits, name=key.PROBABILITIES)
        return found

    def _outputs(self, predictions: dict[str, Any]) -> dict[str, Any]:
        return self._classification_outputs(predictions, self._n_classes)

    def _class_keys(self, class_id: int) -> list[str]:
        key = MetricKeys
        if self._label_vocabulary is None:
            kinds, of = (key.PROBABILITY_MEAN_AT_CLASS, key.AUC_AT_CLASS, key.AUC_PR_AT_CLASS), class_id
        else:
            kinds = (key.PROBABILITY_MEAN_AT_NAME, key.AUC_AT_NAME, key.AUC_PR_AT_NAME)
            of = self._label_vocabulary[class_id]
        return [self._key(kind % of) for kind in kinds]

    def metrics(self, regularization_losses: Any = None) -> dict[str, Any]:
        key = MetricKeys
        with name_scope(None, "metrics", (regularization_losses,)):
            found = {
                self._key(key.LOSS_MEAN): measures.Mean(name=key.LOSS_MEAN),
                self._key(key.AUC): measures.AUC(name=key.AUC),
                self._key(key.AUC_PR): measures.AUC(curve="PR", name=key.AUC_PR),
                **self._penalty_metric(regularization_losses),
                **self._threshold_metrics(),
            }
            for class_id in self._measured:
                mean, area, area_pr = self._class_keys(class_id)
                found[mean] = measures.Mean(name=mean)
                found[area] = measures.AUC(name=area)
                found[area_pr] = measures.AUC(curve="PR", name=area_pr)
            return found

    def update_metrics(  # type: ignore[override]
        self, eval_metrics: Any, features: Any, logits: Any, labels: Any, regularization_losses: Any = None
    ) -> Any:
        key = MetricKeys
        logits, labels, unweighted, weights = self._batch(features, logits, labels)
        probabilities = self.predictions(logits, [PredictionKeys.PROBABILITIES])[PredictionKeys.PROBABILITIES]
        eval_metrics[self._key(key.LOSS_MEAN)].update_state(values=unweighted, sample_weight=weights)
        for name in (key.AUC, key.AUC_PR):
            eval_metrics[self._key(name)].update_state(y_true=labels, y_pred=probabilities, sample_weight=weights)
        self._update_penalty(eval_metrics, regularization_losses)
        self._update_at_thresholds(eval_metrics, labels, probabilities, weights)
        for class_id in self._measured:
            own, own_labels = of_class(class_id, probabilities, labels)
            mean, *areas = self._class_keys(class_id)
            update_mean(eval_metrics[mean], own, weights)
            for area in areas:
                eval_metrics[area].update_state(y_true=own_labels, y_pred=own, sample_weight=weights)
        return eval_metrics
