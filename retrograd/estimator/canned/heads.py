"""Heads: what stands on the logits of a model, a loss, predictions, metrics and a step of training.

Source: ``tensorflow_estimator`` 1.15.1, ``canned/head.py`` and ``contrib/estimator``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from retrograd.estimator.canned import labels as given
from retrograd.estimator.canned.keys import MetricKeys, PredictionKeys
from retrograd.estimator.export_outputs import ClassificationOutput, PredictOutput, RegressionOutput
from retrograd.estimator.specs import EstimatorSpec, ModeKeys
from retrograd.graph import dtypes
from retrograd.graph.collections import GraphKeys
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import get_collection, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.io.lookup import index_table_from_tensor, index_to_string_table_from_tensor
from retrograd.io.saved_model.signature_constants import DEFAULT_SERVING_SIGNATURE_DEF_KEY
from retrograd.nn import losses, summaries
from retrograd.nn.cross_entropy import log_poisson_loss, sigmoid_cross_entropy_with_logits
from retrograd.nn.losses import Reduction
from retrograd.nn.metrics.counts import precision, recall
from retrograd.nn.metrics.means import accuracy, mean
from retrograd.ops import arrays, casts, constants, exponentials, joining, ranking, reductions, string_numbers
from retrograd.ops.control import group
from retrograd.ops.exponentials import sigmoid
from retrograd.ops.softmax import softmax
from retrograd.ops.sums import add_n
from retrograd.train.training_util import get_global_step

CLASSIFY, REGRESS, PREDICT = "classification", "regression", "predict"  # the names of signatures
DEFAULT = DEFAULT_SERVING_SIGNATURE_DEF_KEY


class LossSpec(NamedTuple):
    """The loss of a batch, the losses of the examples, their weights, and the labels as the loss saw them."""

    training_loss: Any
    unreduced_loss: Any
    weights: Any
    processed_labels: Any


class Reading(NamedTuple):
    """The logits, and what predictions are made of them."""

    logits: Tensor
    predictions: dict[str, Tensor]


class Head:
    """What heads of one loss have in common; a kind says how logits are read, what they lose, and is measured."""

    _weight_column: Any
    _loss_reduction: Any
    _loss_fn: Any
    _name: str | None

    @property
    def name(self) -> str | None:
        """The name, which stands behind the names of metrics."""
        return self._name

    @property
    def logits_dimension(self) -> int:
        """How many logits there are for each example."""
        raise NotImplementedError

    def _read(self, logits: Any) -> Reading:
        raise NotImplementedError

    def _outputs(self, reading: Reading) -> dict[str, Any]:
        raise NotImplementedError

    def _losses(self, features: dict[str, Any], logits: Tensor, labels: Any) -> tuple[Tensor, Any]:
        """The losses of the examples, and the labels that they were made of."""
        raise NotImplementedError

    def _metrics(self, reading: Reading, labels: Any, loss: LossSpec, penalty: Any) -> dict[str, Any]:
        raise NotImplementedError

    _has_weights_per_logit = False

    def _key(self, key: str) -> str:
        return f"{key}/{self._name}" if self._name else key

    def create_loss(self, features: dict[str, Any], mode: str, logits: Any, labels: Any) -> LossSpec:
        """The loss of the logits.

        Raises:
          ValueError: labels or weights do not fit the logits.
        """
        logits = as_tensor(logits)
        unreduced, processed = self._losses(features, logits, labels)
        weights = given.weights_of(features, self._weight_column, logits, self._has_weights_per_logit)
        loss = losses.compute_weighted_loss(unreduced, weights=weights, reduction=self._loss_reduction)
        return LossSpec(loss, unreduced, weights, processed)

    def _of_user(self, labels: Any, logits: Tensor, features: dict[str, Any], dimension: int = 1) -> Tensor:
        return given.loss_of_user(self._loss_fn, labels, logits, features, dimension)

    def create_estimator_spec(
        self,
        features: dict[str, Any],
        mode: str,
        logits: Any,
        labels: Any = None,
        optimizer: Any = None,
        train_op_fn: Callable[[Any], Any] | None = None,
        regularization_losses: Any = None,
    ) -> EstimatorSpec:
        """The model on these logits, in one mode.

        Args:
          optimizer, train_op_fn: how to train, one of them: an optimizer, or a function from the loss to an op.
          regularization_losses: what is added to the loss.

        Raises:
          ValueError: for training, both are given or none.
        """
        with name_scope(self._name, "head"):
            reading = self._read(logits)
            if mode == ModeKeys.PREDICT:
                outputs = self._outputs(reading)
                return EstimatorSpec(mode, predictions=reading.predictions, export_outputs=outputs)
            loss = self.create_loss(features, mode, reading.logits, labels)
            penalty, total = None, loss.training_loss
            if regularization_losses:
                penalty = add_n(regularization_losses)
                total = add_n([loss.training_loss, penalty])
            if mode == ModeKeys.TRAIN:
                train_op = _train_op(total, optimizer, train_op_fn)
                mean_loss = None
                if self._loss_reduction == Reduction.SUM:
                    weight = reductions.reduce_sum(loss.weights * constants.ones_like(loss.unreduced_loss))
                    mean_loss = loss.training_loss / weight
        if mode == ModeKeys.EVAL:
            metrics = self._metrics(reading, labels, loss, penalty)
            return EstimatorSpec(mode, predictions=reading.predictions, loss=total, eval_metric_ops=metrics)
        with name_scope(""):
            summaries.scalar(self._key(MetricKeys.LOSS), total)
            if mean_loss is not None:
                summaries.scalar(self._key(MetricKeys.LOSS_MEAN), mean_loss)
            if penalty is not None:
                summaries.scalar(self._key(MetricKeys.LOSS_REGULARIZATION), penalty)
        return EstimatorSpec(ModeKeys.TRAIN, predictions=reading.predictions, loss=total, train_op=train_op)

    def _penalty_metric(self, penalty: Any) -> dict[str, Any]:
        if penalty is None:
            return {}
        key = MetricKeys.LOSS_REGULARIZATION
        return {self._key(key): mean(values=penalty, name=key)}

    def _threshold_metrics(
        self, thresholds: tuple[float, ...], labels: Any, predictions: Any, weights: Any
    ) -> dict[str, Any]:
        found = {}
        for threshold in thresholds:
            for pattern, metric in (
                (MetricKeys.ACCURACY_AT_THRESHOLD, given.accuracy_at),
                (MetricKeys.PRECISION_AT_THRESHOLD, given.precision_at),
                (MetricKeys.RECALL_AT_THRESHOLD, given.recall_at),
            ):
                key = pattern % threshold
                found[self._key(key)] = metric(labels, predictions, weights, threshold, key)
        return found


def _train_op(loss: Any, optimizer: Any, train_op_fn: Callable[[Any], Any] | None) -> Any:
    """A step of training, together with the updates that layers ask for."""
    if optimizer is not None:
        if train_op_fn is not None:
            raise ValueError("train_op_fn and optimizer cannot both be set.")
        train_op = optimizer.minimize(loss, global_step=get_global_step())
    elif train_op_fn is not None:
        train_op = train_op_fn(loss)
    else:
        raise ValueError("train_op_fn and optimizer cannot both be None.")
    updates = get_collection(GraphKeys.UPDATE_OPS)
    return group(train_op, *updates) if updates else train_op


def checked_thresholds(thresholds: Any, message: str) -> tuple[float, ...]:
    thresholds = tuple(thresholds or ())
    for threshold in thresholds:
        if not 0.0 < threshold < 1.0:
            raise ValueError(message.format(threshold=threshold, thresholds=(thresholds,)))
    return thresholds


def class_ids_of(labels: Any, vocabulary: Any) -> Any:
    return index_table_from_tensor(vocabulary_list=tuple(vocabulary), name="class_id_lookup").lookup(labels)


def class_names_of(class_ids: Tensor, vocabulary: Any) -> Any:
    if vocabulary:
        table = index_to_string_table_from_tensor(vocabulary_list=vocabulary, name="class_string_lookup")
        return table.lookup(class_ids)
    return string_numbers.as_string(class_ids, name="str_classes")


def classification(scores: Tensor, n_classes: Any, vocabulary: Any) -> ClassificationOutput:
    return ClassificationOutput(scores=scores, classes=given.all_classes(scores, n_classes, vocabulary))


# -- one of several classes --------------------------------------------------------------------


class MultiClassHead(Head):
    """One of ``n_classes`` classes, by the softmax of as many logits."""

    def __init__(
        self,
        n_classes: Any,
        weight_column: Any = None,
        label_vocabulary: Any = None,
        loss_reduction: str = Reduction.SUM,
        loss_fn: Any = None,
        name: str | None = None,
    ) -> None:
        if label_vocabulary is not None and not isinstance(label_vocabulary, list | tuple):
            raise ValueError(f"label_vocabulary should be a list or a tuple. Given type: {type(label_vocabulary)}")
        given.check_reduction(loss_reduction)
        given.check_loss_fn(loss_fn)
        if n_classes is None:
            raise ValueError("n_classes cannot be None")
        self._n_classes = given.checked_class_count(n_classes)
        self._weight_column, self._label_vocabulary = weight_column, label_vocabulary
        self._loss_reduction, self._loss_fn, self._name = loss_reduction, loss_fn, name

    @property
    def logits_dimension(self) -> int:
        """The number of classes."""
        return self._n_classes  # type: ignore[no-any-return]

    def _losses(self, features: dict[str, Any], logits: Tensor, labels: Any) -> tuple[Tensor, Any]:
        labels = given.checked_labels(labels, logits, 1)
        if self._label_vocabulary is not None:
            if labels.dtype != dtypes.string:
                raise ValueError(f"Labels dtype should be string if there is a vocabulary. Instead got {labels.dtype}")
            labels = class_ids_of(labels, self._label_vocabulary)
        elif not labels.dtype.is_integer:
            raise ValueError(f"Labels dtype should be integer. Instead got {labels.dtype}.")
        labels = given.in_range(labels, self._n_classes)
        if self._loss_fn:
            return self._of_user(labels, logits, features), labels
        unreduced = losses.sparse_softmax_cross_entropy(labels=labels, logits=logits, reduction=Reduction.NONE)
        return arrays.expand_dims(unreduced, axis=-1), labels

    def _read(self, logits: Any) -> Reading:
        logits = given.checked_logits(logits, self.logits_dimension)
        with name_scope(None, "predictions", (logits,)):
            all_class_ids = given.all_class_ids(logits, self._n_classes)
            all_classes = given.all_classes(logits, self._n_classes, self._label_vocabulary)
            class_ids = ranking.argmax(logits, axis=-1, name=PredictionKeys.CLASS_IDS)
            class_ids = arrays.expand_dims(class_ids, axis=-1)
            classes = class_names_of(class_ids, self._label_vocabulary)
            probabilities = softmax(logits, name=PredictionKeys.PROBABILITIES)
        return Reading(
            logits,
            {
                PredictionKeys.LOGITS: logits,
                PredictionKeys.PROBABILITIES: probabilities,
                PredictionKeys.CLASS_IDS: class_ids,
                PredictionKeys.CLASSES: classes,
                PredictionKeys.ALL_CLASS_IDS: all_class_ids,
                PredictionKeys.ALL_CLASSES: all_classes,
            },
        )

    def _outputs(self, reading: Reading) -> dict[str, Any]:
        scores = reading.predictions[PredictionKeys.PROBABILITIES]
        output = classification(scores, self._n_classes, self._label_vocabulary)
        return {DEFAULT: output, CLASSIFY: output, PREDICT: PredictOutput(reading.predictions)}

    def _metrics(self, reading: Reading, labels: Any, loss: LossSpec, penalty: Any) -> dict[str, Any]:
        class_ids = reading.predictions[PredictionKeys.CLASS_IDS]
        key = MetricKeys
        with name_scope(None, "metrics", (loss.processed_labels, class_ids, loss.weights, loss.unreduced_loss)):
            return {
                self._key(key.LOSS_MEAN): mean(loss.unreduced_loss, weights=loss.weights, name=key.LOSS_MEAN),
                self._key(key.ACCURACY): accuracy(
                    loss.processed_labels, class_ids, weights=loss.weights, name=key.ACCURACY
                ),
                **self._penalty_metric(penalty),
            }


# -- yes or no ---------------------------------------------------------------------------------


class BinaryHead(Head):
    """Yes or no, by the logistic function of one logit."""

    def __init__(
        self,
        weight_column: Any = None,
        thresholds: Any = None,
        label_vocabulary: Any = None,
        loss_reduction: str = Reduction.SUM,
        loss_fn: Any = None,
        name: str | None = None,
    ) -> None:
        if label_vocabulary is not None and not isinstance(label_vocabulary, list | tuple):
            raise TypeError(f"label_vocabulary should be a list or tuple. Given type: {type(label_vocabulary)}")
        self._thresholds = checked_thresholds(thresholds, "thresholds not in (0, 1): {thresholds}.")
        given.check_reduction(loss_reduction)
        given.check_loss_fn(loss_fn)
        self._weight_column, self._label_vocabulary = weight_column, label_vocabulary
        self._loss_reduction, self._loss_fn, self._name = loss_reduction, loss_fn, name

    @property
    def logits_dimension(self) -> int:
        """One."""
        return 1

    def _losses(self, features: dict[str, Any], logits: Tensor, labels: Any) -> tuple[Tensor, Any]:
        labels = given.checked_labels(labels, logits, 1)
        if self._label_vocabulary is not None:
            labels = class_ids_of(labels, self._label_vocabulary)
        labels = given.in_range(casts.to_float(labels), 2)
        if self._loss_fn:
            return self._of_user(labels, logits, features), labels
        return sigmoid_cross_entropy_with_logits(labels=labels, logits=logits), labels

    def _read(self, logits: Any) -> Reading:
        with name_scope(None, "predictions", (logits,)):
            logits = given.checked_logits(logits, self.logits_dimension)
            logistic = sigmoid(logits, name=PredictionKeys.LOGISTIC)
            both = joining.concat((constants.zeros_like(logits), logits), axis=-1, name="two_class_logits")
            probabilities = softmax(both, name=PredictionKeys.PROBABILITIES)
            class_ids = ranking.argmax(both, axis=-1, name=PredictionKeys.CLASS_IDS)
            class_ids = arrays.expand_dims(class_ids, axis=-1)
            all_class_ids = given.all_class_ids(logits, 2)
            all_classes = given.all_classes(logits, 2, self._label_vocabulary)
            classes = class_names_of(class_ids, self._label_vocabulary)
        return Reading(
            logits,
            {
                PredictionKeys.LOGITS: logits,
                PredictionKeys.LOGISTIC: logistic,
                PredictionKeys.PROBABILITIES: probabilities,
                PredictionKeys.CLASS_IDS: class_ids,
                PredictionKeys.CLASSES: classes,
                PredictionKeys.ALL_CLASS_IDS: all_class_ids,
                PredictionKeys.ALL_CLASSES: all_classes,
            },
        )

    def _outputs(self, reading: Reading) -> dict[str, Any]:
        output = classification(reading.predictions[PredictionKeys.PROBABILITIES], 2, self._label_vocabulary)
        return {
            DEFAULT: output,
            CLASSIFY: output,
            REGRESS: RegressionOutput(reading.predictions[PredictionKeys.LOGISTIC]),
            PREDICT: PredictOutput(reading.predictions),
        }

    def _metrics(self, reading: Reading, labels: Any, loss: LossSpec, penalty: Any) -> dict[str, Any]:
        logistic = reading.predictions[PredictionKeys.LOGISTIC]
        class_ids = reading.predictions[PredictionKeys.CLASS_IDS]
        labels, weights, key = loss.processed_labels, loss.weights, MetricKeys
        with name_scope(None, "metrics", (labels, reading.logits, logistic, class_ids, weights, loss.unreduced_loss)):
            mean_label = given.labels_mean(labels, weights, key.LABEL_MEAN)
            return {
                self._key(key.LOSS_MEAN): mean(loss.unreduced_loss, weights=weights, name=key.LOSS_MEAN),
                self._key(key.ACCURACY): accuracy(labels, class_ids, weights=weights, name=key.ACCURACY),
                self._key(key.PRECISION): precision(labels, class_ids, weights=weights, name=key.PRECISION),
                self._key(key.RECALL): recall(labels, class_ids, weights=weights, name=key.RECALL),
                self._key(key.PREDICTION_MEAN): given.predictions_mean(logistic, weights, key.PREDICTION_MEAN),
                self._key(key.LABEL_MEAN): mean_label,
                self._key(key.ACCURACY_BASELINE): given.accuracy_baseline(mean_label),
                self._key(key.AUC): given.auc(labels, logistic, weights, name=key.AUC),
                self._key(key.AUC_PR): given.auc(labels, logistic, weights, curve="PR", name=key.AUC_PR),
                **self._penalty_metric(penalty),
                **self._threshold_metrics(self._thresholds, labels, logistic, weights),
            }


def binary_or_multi_class_head(
    n_classes: int, weight_column: Any, label_vocabulary: Any, loss_reduction: str
) -> BinaryHead | MultiClassHead:
    """The head of a classifier."""
    if n_classes == 2:
        return BinaryHead(weight_column, None, label_vocabulary, loss_reduction)
    return MultiClassHead(n_classes, weight_column, label_vocabulary, loss_reduction)


# -- numbers -----------------------------------------------------------------------------------


class RegressionHead(Head):
    """Numbers, by their squared errors or another loss; ``inverse_link_fn`` makes predictions of logits."""

    _has_weights_per_logit = True

    def __init__(
        self,
        weight_column: Any = None,
        label_dimension: int = 1,
        loss_reduction: str = Reduction.SUM,
        loss_fn: Any = None,
        inverse_link_fn: Any = None,
        name: str | None = None,
    ) -> None:
        given.check_reduction(loss_reduction)
        given.check_loss_fn(loss_fn)
        if label_dimension < 1:
            raise ValueError(f"Invalid label_dimension {label_dimension}.")
        self._dimension, self._weight_column, self._inverse_link_fn = label_dimension, weight_column, inverse_link_fn
        self._loss_reduction, self._loss_fn, self._name = loss_reduction, loss_fn, name

    @property
    def logits_dimension(self) -> int:
        """How many numbers an example has."""
        return self._dimension

    def _losses(self, features: dict[str, Any], logits: Tensor, labels: Any) -> tuple[Tensor, Any]:
        labels = casts.to_float(given.checked_labels(labels, logits, self._dimension))
        if self._loss_fn:
            return self._of_user(labels, logits, features, self._dimension), labels
        return losses.mean_squared_error(labels=labels, predictions=logits, reduction=Reduction.NONE), labels

    def _read(self, logits: Any) -> Reading:
        logits = given.checked_logits(logits, self._dimension)
        if not self._inverse_link_fn:
            return Reading(logits, {PredictionKeys.PREDICTIONS: logits})
        value = self._inverse_link_fn(logits)
        return Reading(logits, {PredictionKeys.PREDICTIONS: value, PredictionKeys.LOGITS: logits})

    def _outputs(self, reading: Reading) -> dict[str, Any]:
        output = RegressionOutput(reading.predictions[PredictionKeys.PREDICTIONS])
        return {DEFAULT: output, REGRESS: output, PREDICT: PredictOutput(reading.predictions)}

    def _metrics(self, reading: Reading, labels: Any, loss: LossSpec, penalty: Any) -> dict[str, Any]:
        value, key = reading.predictions[PredictionKeys.PREDICTIONS], MetricKeys
        return {
            self._key(key.LOSS_MEAN): mean(loss.unreduced_loss, weights=loss.weights),
            self._key(key.PREDICTION_MEAN): given.predictions_mean(value, loss.weights, key.PREDICTION_MEAN),
            self._key(key.LABEL_MEAN): mean(labels, weights=loss.weights),
            **self._penalty_metric(penalty),
        }


# -- tf.contrib.estimator ----------------------------------------------------------------------

_MEAN = Reduction.SUM_OVER_BATCH_SIZE


def multi_class_head(
    n_classes: Any,
    weight_column: Any = None,
    label_vocabulary: Any = None,
    loss_reduction: str = _MEAN,
    loss_fn: Any = None,
    name: str | None = None,
) -> MultiClassHead:
    """One of ``n_classes`` classes, more than two."""
    return MultiClassHead(n_classes, weight_column, label_vocabulary, loss_reduction, loss_fn, name)


def binary_classification_head(
    weight_column: Any = None,
    thresholds: Any = None,
    label_vocabulary: Any = None,
    loss_reduction: str = _MEAN,
    loss_fn: Any = None,
    name: str | None = None,
) -> BinaryHead:
    """Yes or no; accuracy, precision and recall are measured from each of ``thresholds`` on too."""
    return BinaryHead(weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn, name)


def regression_head(
    weight_column: Any = None,
    label_dimension: int = 1,
    loss_reduction: str = _MEAN,
    loss_fn: Any = None,
    inverse_link_fn: Any = None,
    name: str | None = None,
) -> RegressionHead:
    """Numbers, by their squared errors or ``loss_fn(labels, logits)``."""
    return RegressionHead(weight_column, label_dimension, loss_reduction, loss_fn, inverse_link_fn, name)


def poisson_regression_head(
    weight_column: Any = None,
    label_dimension: int = 1,
    loss_reduction: str = _MEAN,
    compute_full_loss: bool = True,
    name: str | None = None,
) -> RegressionHead:
    """Counts of a Poisson distribution whose mean is the exponential of the logit."""

    def poisson_loss(labels: Any, logits: Any) -> Any:
        return log_poisson_loss(targets=labels, log_input=logits, compute_full_loss=compute_full_loss)

    return RegressionHead(weight_column, label_dimension, loss_reduction, poisson_loss, exponentials.exp, name)


def logistic_regression_head(
    weight_column: Any = None, loss_reduction: str = _MEAN, name: str | None = None
) -> RegressionHead:
    """A number from 0 to 1, the logistic function of the logit."""

    def logistic_loss(labels: Any, logits: Any) -> Any:
        labels = given.in_range(labels, 2, message="Labels must be in range [0, 1]")
        return sigmoid_cross_entropy_with_logits(labels=labels, logits=logits)

    return RegressionHead(weight_column, 1, loss_reduction, logistic_loss, sigmoid, name)
