"""Heads of ``tf.contrib.estimator`` beyond one answer: several labels for an example, several heads on one model.

Source: ``tensorflow_estimator`` 1.15.1, ``contrib/estimator``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from retrograd.estimator.canned import labels as given
from retrograd.estimator.canned.heads import (
    CLASSIFY,
    DEFAULT,
    PREDICT,
    Head,
    LossSpec,
    Reading,
    checked_thresholds,
    class_ids_of,
    classification,
)
from retrograd.estimator.canned.keys import MetricKeys, PredictionKeys
from retrograd.estimator.export_outputs import PredictOutput
from retrograd.estimator.specs import EstimatorSpec, ModeKeys
from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.nn import losses, summaries
from retrograd.nn.losses import Reduction
from retrograd.nn.metrics.means import mean
from retrograd.nn.metrics.thresholds import auc
from retrograd.ops import arithmetic, arrays, casts, checks, constants, joining, reductions, slicing
from retrograd.ops.control import no_op
from retrograd.ops.exponentials import sigmoid
from retrograd.ops.sparse_joining import sparse_to_indicator
from retrograd.ops.sums import add_n
from retrograd.train.training_util import get_global_step

# -- several labels ----------------------------------------------------------------------------


def check_vocabulary(label_vocabulary: Any, n_classes: int) -> None:
    """That there is a word for each class, if there are words.

    Raises:
      ValueError: there is not.
    """
    if label_vocabulary is None:
        return
    if not isinstance(label_vocabulary, list | tuple):
        raise ValueError(f"label_vocabulary must be a list or tuple. Given type: {type(label_vocabulary)}")
    if len(label_vocabulary) != n_classes:
        raise ValueError(f"Length of label_vocabulary must be n_classes ({n_classes}). Given: {len(label_vocabulary)}")


def of_class(class_id: int, probabilities: Tensor, labels: Any) -> tuple[Tensor, Tensor]:
    """One class's probabilities, and its labels."""
    rank = arrays.rank(probabilities) - 1
    begin = joining.concat([constants.zeros([rank], dtype=dtypes.int32), [class_id]], axis=0)
    size = joining.concat([-1 * constants.ones([rank], dtype=dtypes.int32), [1]], axis=0)
    return slicing.slice_(probabilities, begin, size), slicing.slice_(labels, begin, size)


def checked_measured_classes(classes: Any, n_classes: int, label_vocabulary: Any) -> tuple[int, ...]:
    """The numbers of the classes that are measured each on its own, given as numbers or words."""
    classes = tuple(classes or ())
    if classes and isinstance(classes[0], str):
        if not label_vocabulary:
            raise ValueError("label_vocabulary must be provided when classes_for_class_based_metrics are sting.")
        return tuple(label_vocabulary.index(word) for word in classes)
    for class_id in classes:
        if not 0 <= class_id < n_classes:
            raise ValueError(
                f"All classes_for_class_based_metrics must be in range [0, {n_classes - 1}]. Given: {class_id}"
            )
    return classes


class MultiLabelHead(Head):
    """Any of ``n_classes`` labels, each by the logistic function of a logit of its own."""

    def __init__(
        self, n_classes: int, weight_column: Any, thresholds: Any, label_vocabulary: Any, loss_reduction: str,
        loss_fn: Any, classes_for_class_based_metrics: Any, name: str | None,
    ) -> None:  # fmt: skip
        if n_classes is None or n_classes < 2:
            raise ValueError(f"n_classes must be > 1 for multi-class classification. Given: {n_classes}")
        self._thresholds = checked_thresholds(thresholds, "thresholds must be in (0, 1) range. Given: {threshold}")
        check_vocabulary(label_vocabulary, n_classes)
        given.check_loss_fn(loss_fn)
        given.check_reduction(loss_reduction)
        self._n_classes, self._weight_column, self._label_vocabulary = n_classes, weight_column, label_vocabulary
        self._measured = checked_measured_classes(classes_for_class_based_metrics, n_classes, label_vocabulary)
        self._loss_reduction, self._loss_fn, self._name = loss_reduction, loss_fn, name

    @property
    def logits_dimension(self) -> int:
        """The number of labels."""
        return self._n_classes

    def _indicators(self, labels: Any) -> Tensor:
        """1 for each label that is there: of ids that are sparse, or as given."""
        if labels is None:
            return given.checked_labels(None, constants.zeros([]), self._n_classes)
        if not isinstance(labels, SparseTensor):
            message = "labels must be an integer indicator Tensor with values in [0, 1]"
            return given.in_range(labels, 2, message=message)
        if labels.dtype == dtypes.string:
            ids = class_ids_of(labels.values, self._label_vocabulary)
            labels = SparseTensor(labels.indices, ids, labels.dense_shape)
            return casts.to_int64(sparse_to_indicator(labels, self._n_classes))  # type: ignore[no-any-return]
        message = f"labels must be an integer SparseTensor with values in [0, {self._n_classes})"
        is_integer = checks.assert_integer(labels.values, message=message)
        most = as_tensor(self._n_classes, dtype=labels.dtype)
        below = checks.assert_less(labels.values, most, message=message)
        from_zero = checks.assert_non_negative(labels.values, message=message)
        with control_dependencies([is_integer, below, from_zero]):
            return casts.to_int64(sparse_to_indicator(labels, self._n_classes))  # type: ignore[no-any-return]

    def _losses(self, features: dict[str, Any], logits: Tensor, labels: Any) -> tuple[Tensor, Any]:
        labels = given.checked_labels(self._indicators(labels), logits, self._n_classes)
        if self._loss_fn:
            return self._of_user(labels, logits, features), labels
        unreduced = losses.sigmoid_cross_entropy(multi_class_labels=labels, logits=logits, reduction=Reduction.NONE)
        return reductions.reduce_mean(unreduced, axis=-1, keepdims=True), labels

    def _read(self, logits: Any) -> Reading:
        logits = given.checked_logits(logits, self._n_classes)
        with name_scope(None, "predictions", (logits,)):
            probabilities = sigmoid(logits, name=PredictionKeys.PROBABILITIES)
        return Reading(logits, {PredictionKeys.LOGITS: logits, PredictionKeys.PROBABILITIES: probabilities})

    def _outputs(self, reading: Reading) -> dict[str, Any]:
        scores = reading.predictions[PredictionKeys.PROBABILITIES]
        output = classification(scores, self._n_classes, self._label_vocabulary)
        return {DEFAULT: output, CLASSIFY: output, PREDICT: PredictOutput(reading.predictions)}

    def _metrics(self, reading: Reading, labels: Any, loss: LossSpec, penalty: Any) -> dict[str, Any]:
        probabilities = reading.predictions[PredictionKeys.PROBABILITIES]
        labels, weights, key = loss.processed_labels, loss.weights, MetricKeys
        with name_scope(None, "metrics", [labels, probabilities, weights, loss.unreduced_loss]):
            found = {
                self._key(key.LOSS_MEAN): mean(loss.unreduced_loss, weights=weights, name=key.LOSS_MEAN),
                self._key(key.AUC): auc(labels, probabilities, weights=weights, name=key.AUC),
                self._key(key.AUC_PR): auc(labels, probabilities, weights=weights, curve="PR", name=key.AUC_PR),
                **self._penalty_metric(penalty),
                **self._threshold_metrics(self._thresholds, labels, probabilities, weights),
            }
            for class_id in self._measured:
                found.update(self._of_class(class_id, labels, probabilities, weights))
        return found

    def _of_class(self, class_id: int, labels: Any, probabilities: Tensor, weights: Any) -> dict[str, Any]:
        own, own_labels = of_class(class_id, probabilities, labels)
        key, word = MetricKeys, self._label_vocabulary[class_id] if self._label_vocabulary else None
        probability = key.PROBABILITY_MEAN_AT_NAME % word if word else key.PROBABILITY_MEAN_AT_CLASS % class_id
        area = key.AUC_AT_NAME % word if word else key.AUC_AT_CLASS % class_id
        area_pr = key.AUC_PR_AT_NAME % word if word else key.AUC_PR_AT_CLASS % class_id
        return {
            self._key(probability): given.predictions_mean(own, weights, probability),
            self._key(area): given.auc(own_labels, own, weights, name=area),
            self._key(area_pr): given.auc(own_labels, own, weights, curve="PR", name=area_pr),
        }


def multi_label_head(
    n_classes: int, weight_column: Any = None, thresholds: Any = None, label_vocabulary: Any = None,
    loss_reduction: str = Reduction.SUM_OVER_BATCH_SIZE, loss_fn: Any = None,
    classes_for_class_based_metrics: Any = None, name: str | None = None,
) -> MultiLabelHead:  # fmt: skip
    """Any of ``n_classes`` labels, given as indicators or as sparse ids.

    Args:
      classes_for_class_based_metrics: the labels that are measured each on its own.
    """
    return MultiLabelHead(
        n_classes, weight_column, thresholds, label_vocabulary, loss_reduction, loss_fn,
        classes_for_class_based_metrics, name,
    )  # fmt: skip


# -- several heads -----------------------------------------------------------------------------


def logits_of_heads(heads: Sequence[Any], logits: Any) -> dict[str, Tensor]:
    """The logits of each head, by its name."""
    with name_scope(None, "split_logits", values=[logits]):
        logits = as_tensor(logits)
        sizes = [head.logits_dimension for head in heads]
        shape = logits.shape.as_list()
        if shape[-1] is not None and shape[-1] != sum(sizes):
            raise ValueError(
                f"Could not split logits of shape {shape!r} among the heads with individual logits dimensions: "
                f"{sizes!r}. The last dimension of the logits tensor should equal {sum(sizes)} but is {shape[-1]}."
            )
        batch = arrays.shape(logits)[:-1]
        zeros, all_of_it = constants.zeros_like(batch), -1 * constants.ones_like(batch)
        found, begin = {}, 0
        for head, size in zip(heads, sizes, strict=True):
            starts = joining.concat([zeros, [begin]], axis=0)
            counts = joining.concat([all_of_it, [size]], axis=0)
            found[head.name] = slicing.slice_(logits, starts, counts)
            begin += size
    return found


def outputs_of_heads(heads: Sequence[Any], specs: list[EstimatorSpec]) -> dict[str, Any]:
    """The signatures of all heads, the first head's default, and one of all predictions."""
    outputs: dict[str, Any] = {DEFAULT: specs[0].export_outputs[DEFAULT]}
    together = {}
    for head, spec in zip(heads, specs, strict=True):
        for key, output in spec.export_outputs.items():
            outputs[head.name if key == DEFAULT else f"{head.name}/{key}"] = output
            if key == PREDICT:
                together.update({f"{head.name}/{k}": v for k, v in output.outputs.items()})
    outputs[PREDICT] = PredictOutput(together)
    return outputs


class MultiHead:
    """Several heads on one model: their logits stand behind each other, their losses are added."""

    def __init__(self, heads: Sequence[Any], head_weights: Sequence[float] | None) -> None:
        if head_weights and len(head_weights) != len(heads):
            raise ValueError(
                f"heads and head_weights must have the same size. Given len(heads): {len(heads)}. "
                f"Given len(head_weights): {len(head_weights)}."
            )
        if not heads:
            raise ValueError(f"Must specify heads. Given: {heads}")
        for head in heads:
            if not head.name:
                raise ValueError(f"All given heads must have name specified. Given: {head}")
        self._heads, self._weights = tuple(heads), tuple(head_weights or ())

    @property
    def name(self) -> str:
        """The names of the heads."""
        return "_".join(head.name for head in self._heads)

    @property
    def logits_dimension(self) -> int:
        """How many logits all heads have."""
        return sum(head.logits_dimension for head in self._heads)

    def _total(self, of_heads: Sequence[Any]) -> Tensor:
        with name_scope("merge_losses", values=[*of_heads, *self._weights]):
            if self._weights:
                pairs = zip(of_heads, self._weights, strict=True)
                of_heads = [arithmetic.multiply(loss, weight) for loss, weight in pairs]
            return add_n(list(of_heads))

    def create_loss(self, features: dict[str, Any], mode: str, logits: Any, labels: dict[str, Any]) -> LossSpec:
        """The sum of the heads' losses; what is kept of the examples is by the heads' names."""
        own = logits if isinstance(logits, dict) else logits_of_heads(self._heads, logits)
        specs = {h.name: h.create_loss(features, mode, own[h.name], labels[h.name]) for h in self._heads}
        scale = dict(zip(specs, self._weights, strict=True)) if self._weights else {}
        unreduced = {k: arithmetic.multiply(s.unreduced_loss, scale[k]) if scale else s.unreduced_loss
                     for k, s in specs.items()}  # fmt: skip
        weights = {k: arithmetic.multiply(s.weights, scale[k]) if scale else s.weights for k, s in specs.items()}
        total = self._total([s.training_loss for s in specs.values()])
        return LossSpec(total, unreduced, weights, {k: s.processed_labels for k, s in specs.items()})

    def create_estimator_spec(
        self, features: dict[str, Any], mode: str, logits: Any, labels: Any = None, optimizer: Any = None,
        train_op_fn: Callable[[Any], Any] | None = None,
    ) -> EstimatorSpec:  # fmt: skip
        """The model on these logits, in one mode; predictions are by pairs (head's name, key)."""
        own = logits if isinstance(logits, dict) else logits_of_heads(self._heads, logits)
        if labels and not isinstance(labels, dict):
            raise ValueError(f"labels must be a dict. Given: {labels}")
        specs = [
            head.create_estimator_spec(
                features=features, mode=mode, logits=own[head.name], labels=labels[head.name] if labels else None,
                train_op_fn=lambda _: no_op(),
            )
            for head in self._heads
        ]  # fmt: skip
        predictions = {
            (head.name, key): value
            for head, spec in zip(self._heads, specs, strict=True)
            for key, value in spec.predictions.items()
        }
        if mode == ModeKeys.PREDICT:
            return EstimatorSpec(mode, predictions=predictions, export_outputs=outputs_of_heads(self._heads, specs))
        if mode == ModeKeys.EVAL:
            return self._evaluation(specs, predictions)
        loss = self._total([spec.loss for spec in specs])
        if optimizer is not None and train_op_fn is not None:
            raise ValueError("train_op_fn and optimizer cannot both be set.")
        if optimizer is not None:
            train_op = optimizer.minimize(loss, global_step=get_global_step())
        elif train_op_fn is not None:
            train_op = train_op_fn(loss)
        else:
            raise ValueError("train_op_fn and optimizer cannot both be None.")
        with name_scope(""):
            summaries.scalar(MetricKeys.LOSS, loss)
        return EstimatorSpec(mode, loss=loss, train_op=train_op, predictions=predictions)

    def _evaluation(self, specs: list[EstimatorSpec], predictions: dict[Any, Any]) -> EstimatorSpec:
        metrics = {}
        with name_scope("merge_eval"):
            for head, spec in zip(self._heads, specs, strict=True):
                key = f"{MetricKeys.LOSS}/{head.name}"
                metrics[key] = mean(spec.loss, name=key)
                metrics.update(spec.eval_metric_ops)
            loss = self._total([spec.loss for spec in specs])
        return EstimatorSpec(ModeKeys.EVAL, predictions=predictions, loss=loss, eval_metric_ops=metrics)


def multi_head(heads: Sequence[Any], head_weights: Sequence[float] | None = None) -> MultiHead:
    """Several heads, each with a name, on one model; ``head_weights`` weigh their losses."""
    return MultiHead(heads, head_weights)
