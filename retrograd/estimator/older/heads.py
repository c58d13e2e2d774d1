"""Heads of ``tf.contrib.learn``: what stands on logits, that is a loss, predictions, metrics, a step of training.

With weights w of the examples a model trains on mean(w l) and reports sum(w l) / sum(w).  Source: TensorFlow 1.15.5,
``contrib/learn/python/learn/estimators/head.py``: scopes, names, order of nodes, keys, messages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.estimator.learn import ModelFnOps
from retrograd.estimator.specs import ModeKeys, fn_args
from retrograd.graph import dtypes, log
from retrograd.graph.convert import as_tensor, convert_to_tensor_or_sparse_tensor
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.io.lookup import index_table_from_tensor, index_to_string_table_from_tensor
from retrograd.nn import losses, summaries
from retrograd.nn.contrib.layers import linear
from retrograd.nn.cross_entropy import (
    log_poisson_loss,
    sigmoid_cross_entropy_with_logits,
    sparse_softmax_cross_entropy_with_logits,
)
from retrograd.nn.metrics.means import accuracy, mean
from retrograd.nn.metrics.thresholds import auc, precision_at_thresholds, recall_at_thresholds
from retrograd.nn.weights import broadcast_weights
from retrograd.ops import (
    arithmetic,
    arrays,
    casts,
    comparison,
    constants,
    control,
    joining,
    ranking,
    repeating,
    strings,
)
from retrograd.ops.asserts import Assert
from retrograd.ops.biases import bias_add
from retrograd.ops.exponentials import exp, sigmoid
from retrograd.ops.reductions import reduce_mean, reduce_sum
from retrograd.ops.slicing import slice_
from retrograd.ops.softmax import softmax
from retrograd.ops.sparse import sparse_reshape
from retrograd.ops.sparse_joining import sparse_to_indicator
from retrograd.ops.sums import add_n
from retrograd.state.scopes import variable_scope
from retrograd.state.variables import Variable
from retrograd.train.adagrad import AdagradOptimizer


class PredictionKey:
    """The names of predictions."""

    CLASSES, PROBABILITIES, LOGITS = "classes", "probabilities", "logits"
    LOGISTIC, SCORES, TOP_K, GENERIC = "logistic", "scores", "top_k", "output"


class MetricKey:
    """The names of metrics."""

    LOSS, AUC, AUC_PR = "loss", "auc", "auc_precision_recall"
    CLASS_AUC, CLASS_AUC_PR = "auc/class%d", "auc_precision_recall/class%d"
    PREDICTION_MEAN, CLASS_PREDICTION_MEAN = "labels/prediction_mean", "labels/prediction_mean/class%d"
    CLASS_LOGITS_MEAN, CLASS_PROBABILITY_MEAN = "labels/logits_mean/class%d", "labels/probability_mean/class%d"
    LABEL_MEAN, CLASS_LABEL_MEAN = "labels/actual_label_mean", "labels/actual_label_mean/class%d"
    ACCURACY, ACCURACY_BASELINE = "accuracy", "accuracy/baseline_label_mean"
    ACCURACY_MEAN = "accuracy/threshold_%f_mean"
    PRECISION_MEAN = "precision/positive_threshold_%f_mean"
    RECALL_MEAN = "recall/positive_threshold_%f_mean"


class ProblemType:
    """What a model is for."""

    UNSPECIFIED, CLASSIFICATION, LINEAR_REGRESSION, LOGISTIC_REGRESSION = range(4)


_KEYS, _METRICS = PredictionKey, MetricKey
_HALF = (0.5,)

# -- losses ------------------------------------------------------------------------------------


def weighted_loss(unweighted: Any, weight: Any, name: str = "loss") -> tuple[Tensor, Tensor]:
    """(mean(w l), sum(w l) / sum(w))."""
    with name_scope(name, values=(unweighted, weight)) as scope:
        if weight is None:
            loss = reduce_mean(unweighted, name=scope)
            return loss, loss
        weight = broadcast_weights(weight, unweighted)
        with name_scope(None, "weighted_loss", (unweighted, weight)) as inner:
            weighted = arithmetic.multiply(unweighted, weight, name=inner)
        trained = reduce_mean(weighted, name=scope)
        reported = arithmetic.div(
            reduce_sum(weighted), casts.cast(reduce_sum(weight), dtypes.float32), name="weighted_average_loss"
        )
        return trained, reported


def _columns(x: Any) -> Any:
    x = as_tensor(x)
    return arrays.expand_dims(x, axis=1) if len(x.get_shape()) == 1 else x


def _squared_loss(labels: Any, logits: Any, weights: Any = None) -> tuple[Tensor, Tensor]:
    with name_scope(None, "mean_squared_loss", (logits, labels)) as name:
        logits, labels = as_tensor(logits), as_tensor(labels)
        labels, logits = _columns(labels), _columns(logits)
        logits.get_shape().assert_is_compatible_with(labels.get_shape())
        loss = arithmetic.squared_difference(logits, casts.cast(labels, dtypes.float32), name=name)
        return weighted_loss(loss, weights)


def _poisson_loss(labels: Any, logits: Any, weights: Any = None) -> tuple[Tensor, Tensor]:
    with name_scope(None, "_poisson_loss", (logits, labels)) as name:
        logits, labels = as_tensor(logits), as_tensor(labels)
        labels, logits = _columns(labels), _columns(logits)
        logits.get_shape().assert_is_compatible_with(labels.get_shape())
        return weighted_loss(log_poisson_loss(labels, logits, compute_full_loss=True, name=name), weights)


def _two_classes_loss(labels: Any, logits: Any, weights: Any = None) -> tuple[Tensor, Tensor]:
    with name_scope(None, "log_loss_with_two_classes", (logits, labels)) as name:
        logits = as_tensor(logits)
        labels = _columns(casts.cast(labels, dtypes.float32))
        return weighted_loss(sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name=name), weights)


def _softmax_loss(labels: Any, logits: Any, weights: Any = None) -> tuple[Tensor, Tensor]:
    with name_scope(None, "softmax_cross_entropy_loss", (logits, labels)) as name:
        labels = as_tensor(labels)
        if not labels.dtype.is_integer:
            raise ValueError(f"Labels dtype should be integer Instead got {labels.dtype}.")
        is_column = len(labels.get_shape()) == 2
        if is_column:
            labels = arrays.squeeze(labels, axis=(1,))
        loss = sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits, name=name)
        return weighted_loss(arrays.expand_dims(loss, axis=(1,)) if is_column else loss, weights)


def _sigmoid_loss(labels: Any, logits: Any, weights: Any = None) -> tuple[Tensor, Tensor]:
    with name_scope(None, "sigmoid_cross_entropy_loss", (logits, labels)) as name:
        labels = casts.cast(labels, dtypes.float32)
        return weighted_loss(sigmoid_cross_entropy_with_logits(labels=labels, logits=logits, name=name), weights)


def _hinge_loss(labels: Any, logits: Any, weights: Any = None) -> tuple[Tensor, Tensor]:
    with name_scope(None, "hinge_loss", (logits, labels)) as name:
        is_low = comparison.less_equal(arrays.rank(labels), 2)
        checked = Assert(is_low, ("labels shape should be either [batch_size, 1] or [batch_size]",))
        with control_dependencies((checked,)):
            labels = arrays.reshape(labels, shape=(-1, 1))
        loss = losses.hinge_loss(labels=labels, logits=logits, scope=name, reduction=losses.Reduction.NONE)
        return weighted_loss(loss, weights)


def _of_user(loss_fn: Callable[..., Any]) -> Callable[..., Any]:
    """A loss of the user, as trained and as reported."""
    for name in ("labels", "logits", "weights"):
        if name not in fn_args(loss_fn):
            raise ValueError(f"Argument {name} not found in loss_fn.")

    def both(labels: Any, logits: Any, weights: Any = None) -> tuple[Any, Any]:
        loss = loss_fn(labels, logits) if weights is None else loss_fn(labels, logits, weights)
        return loss, loss

    return both


# -- metrics -----------------------------------------------------------------------------------


def _float_or_none(weights: Any) -> Any:
    if weights is None:
        return None
    with name_scope(None, "float_weights", (weights,)) as name:
        return casts.cast(weights, dtypes.float32, name=name)


def _weights_of(weights: Any, values: Any, class_id: int | None) -> Any:
    """Weights of ``values``, or of a class's column of them."""
    weights = _float_or_none(weights)
    if weights is None:
        return None
    weights = broadcast_weights(weights, values)
    return weights if class_id is None else weights[:, class_id]


def _mean_of(x: Any, weights: Any = None, class_id: int | None = None) -> Any:
    x = casts.cast(x, dtypes.float32)
    weights = _weights_of(weights, x, class_id)
    return mean(x if class_id is None else x[:, class_id], weights)


def _share_of(x: Any, weights: Any, class_id: int) -> Any:
    found = comparison.equal(casts.cast(class_id, dtypes.int32), casts.cast(x, dtypes.int32))
    return mean(comparison.where(found, constants.ones_like(x), constants.zeros_like(x)), weights=weights)


def _area(predictions: Any, labels: Any, weights: Any, class_id: int | None = None, curve: str = "ROC") -> Any:
    predictions = casts.cast(predictions, dtypes.float32)
    if labels.dtype.base_dtype != dtypes.bool:
        log.warning("Casting %s labels to bool.", labels.dtype)
        labels = casts.cast(labels, dtypes.bool)
    weights = _weights_of(weights, predictions, class_id)
    if class_id is not None:
        predictions, labels = predictions[:, class_id], labels[:, class_id]
    return auc(labels, predictions, weights, curve=curve)


def _accuracy_from(predictions: Any, labels: Any, weights: Any, threshold: float) -> Any:
    return accuracy(labels, casts.cast(comparison.greater_equal(predictions, threshold), dtypes.float32), weights)


def _at(metric: Callable[..., Any], predictions: Any, labels: Any, weights: Any, threshold: float) -> Any:
    value, update = metric(labels, predictions, (threshold,), _float_or_none(weights))
    return arrays.squeeze(value), arrays.squeeze(update)


# -- heads -------------------------------------------------------------------------------------


class Head:
    """What stands on the logits of a model."""

    @property
    def logits_dimension(self) -> int:
        """How many logits an example has."""
        raise NotImplementedError("Calling an abstract method.")

    def create_model_fn_ops(
        self, features: Any, mode: str, labels: Any = None, train_op_fn: Any = None, logits: Any = None,
        logits_input: Any = None, scope: Any = None,
    ) -> ModelFnOps:  # fmt: skip
        """The model on its logits, or on what a dense layer ``logits`` makes logits of.

        Raises:
          ValueError: for training ``train_op_fn``, a function from the loss to an op, is missing; or both or none of
            ``logits`` and ``logits_input`` are given.
        """
        raise NotImplementedError("Calling an abstract method.")


def _check_mode(mode: str) -> None:
    if mode not in (ModeKeys.TRAIN, ModeKeys.EVAL, ModeKeys.PREDICT):
        raise ValueError(f"mode={mode} unrecognized.")


class _SingleHead(Head):
    _scope: str  # the default name of the scope

    def __init__(
        self, kind: int, dimension: int | None, label_name: Any, weight_column_name: Any, centered: bool,
        head_name: str | None, loss_fn: Any, thresholds: Any = None, metric_class_ids: Any = None,
    ) -> None:  # fmt: skip
        if dimension is None or dimension < 1:
            raise ValueError(f"Invalid logits_dimension {dimension}.")
        self._problem_type, self._logits_dimension = kind, dimension
        self._label_name, self._weight_column_name, self._head_name = label_name, weight_column_name, head_name
        self._enable_centered_bias, self._loss_fn = centered, loss_fn
        self._thresholds, self._metric_class_ids = thresholds or _HALF, tuple(metric_class_ids or ())
        for class_id in self._metric_class_ids:
            if not 0 <= class_id < dimension:
                raise ValueError(f"Class ID {class_id} not in [0, {dimension}).")

    @property
    def logits_dimension(self) -> int:
        return self._logits_dimension

    @property
    def label_name(self) -> Any:
        """Which of several labels it takes."""
        return self._label_name

    @property
    def weight_column_name(self) -> Any:
        """Which feature weighs the examples."""
        return self._weight_column_name

    @property
    def head_name(self) -> str | None:
        """The name, which stands behind the names of metrics."""
        return self._head_name

    def _key(self, key: str) -> str:
        return f"{key}/{self._head_name}" if self._head_name else key

    def _labels(self, mode: str, labels: Any) -> Any:
        if mode == ModeKeys.PREDICT or labels is None:
            return None
        found = convert_to_tensor_or_sparse_tensor(labels[self._label_name] if isinstance(labels, dict) else labels)
        return self._as_wanted(found)

    def _as_wanted(self, labels: Any) -> Any:
        if isinstance(labels, SparseTensor):
            raise ValueError("SparseTensor is not supported.")
        return labels

    def _loss(self, labels: Any, logits: Any, weights: Any = None) -> tuple[Any, Any]:
        return self._loss_fn(labels, logits, weights=weights)  # type: ignore[no-any-return]

    def _predictions(self, logits: Any) -> dict[str, Any]:
        raise NotImplementedError

    def _metrics(self, loss: Any, predictions: dict[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        raise NotImplementedError

    def _alternatives(self, predictions: dict[str, Any]) -> dict[Any, Any]:
        return {self._head_name: (self._problem_type, predictions)}

    def create_model_fn_ops(
        self, features: Any, mode: str, labels: Any = None, train_op_fn: Any = None, logits: Any = None,
        logits_input: Any = None, scope: Any = None,
    ) -> ModelFnOps:  # fmt: skip
        values = (*features.values(), labels, logits, logits_input)
        with variable_scope(scope, default_name=self._head_name or self._scope, values=values):
            labels = self._labels(mode, labels)
            logits = self._given(logits, logits_input)
            _check_mode(mode)
            bias = self._centered_bias() if self._enable_centered_bias else None
            if bias is not None:
                logits = bias_add(logits, bias)
            predictions = self._predictions(logits)
            loss = train_op = metrics = None
            if mode != ModeKeys.PREDICT and labels is not None:
                weights = self._weights(features)
                loss, reported = self._loss(labels, logits, weights)
                with name_scope(""):
                    summaries.scalar(self._key(_METRICS.LOSS), arrays.identity(reported))
                if mode == ModeKeys.TRAIN:
                    if train_op_fn is None:
                        raise ValueError("train_op_fn can not be None in TRAIN mode")
                    train_op = self._trained(loss, labels, train_op_fn, bias, arrays.shape(logits)[0], weights)
                metrics = self._metrics(reported, predictions, labels, weights)
            return ModelFnOps(
                mode=mode, predictions=predictions, loss=loss, train_op=train_op, eval_metric_ops=metrics,
                output_alternatives=self._alternatives(predictions),
            )  # fmt: skip

    def _given(self, logits: Any, logits_input: Any) -> Tensor:
        if logits is None:
            if logits_input is None:
                raise ValueError("Neither logits nor logits_input supplied.")
            return linear(logits_input, self._logits_dimension, scope="logits")
        if logits_input is not None:
            raise ValueError("Both logits and logits_input supplied.")
        logits = as_tensor(logits, name="logits")
        if logits.get_shape().dims is not None:
            logits.get_shape().dims[-1].assert_is_compatible_with(self._logits_dimension)
        return logits  # type: ignore[no-any-return]

    def _weights(self, features: Any) -> Any:
        name = self._weight_column_name
        if not name:
            return None
        if name not in features:
            raise ValueError(f"Weights {name} missing from features.")
        with name_scope(None, "weight_tensor", tuple(features.values())):
            weights = casts.cast(features[name], dtypes.float32)
            if weights.get_shape().ndims != 1:
                return weights
            log.warning("Weights %s has shape %s, expanding to make it 2d.", name, weights.get_shape())
            is_sparse = isinstance(weights, SparseTensor)
            return sparse_reshape(weights, (-1, 1)) if is_sparse else arrays.reshape(weights, (-1, 1))

    def _centered_bias(self) -> Any:
        count = self._logits_dimension
        bias: Any = Variable(constants.zeros(shape=(count,)), trainable=True, name="centered_bias_weight")
        for i in range(count):
            summaries.scalar(self._key(f"centered_bias/bias_{i}"), bias[i])
        return bias

    def _trained(self, loss: Any, labels: Any, train_op_fn: Any, bias: Any, batch_size: Any, weights: Any) -> Any:
        step = None if bias is None else self._bias_step(bias, batch_size, labels, weights)
        named = labels if not isinstance(labels, dict) else None
        with name_scope(None, "train_op", (loss, named)):
            train_op = train_op_fn(loss)
            return train_op if step is None else control.group(train_op, step)

    def _bias_step(self, bias: Any, batch_size: Any, labels: Any, weights: Any) -> Any:
        named = labels if not isinstance(labels, dict) else None
        with name_scope(None, "centered_bias_step", (named,)) as name:
            count = arrays.shape(bias)[0]
            logits = arrays.reshape(repeating.tile(bias, (batch_size,)), (batch_size, count))
            with name_scope(None, "centered_bias", (named, logits)):
                loss = reduce_mean(self._loss(labels, logits, weights), name="training_loss")
        return AdagradOptimizer(0.1).minimize(loss, var_list=(bias,), name=name)


class _WithProbabilities(_SingleHead):
    """A head that says how probable each class is."""

    _label_keys: Any = None

    def _alternatives(self, predictions: dict[str, Any]) -> dict[Any, Any]:
        probabilities = predictions[_KEYS.PROBABILITIES]
        with name_scope(None, "_classification_output_alternatives", (probabilities,)):
            size = arrays.shape(probabilities)[0]
            if self._label_keys:
                row = arrays.expand_dims(self._label_keys, axis=0)
                classes = repeating.tile(row, multiples=[size, 1], name="classes_tensor")
            else:
                row = arrays.expand_dims(constants.range_(arrays.shape(probabilities)[1]), axis=0)
                classes = strings.as_string(repeating.tile(row, multiples=[size, 1]), name="classes_tensor")
        shown = {_KEYS.PROBABILITIES: probabilities, _KEYS.CLASSES: classes}
        return {self._head_name: (self._problem_type, shown)}


class _RegressionHead(_SingleHead):
    _scope = "regression_head"

    def __init__(
        self, dimension: int, loss_fn: Any, link_fn: Any, label_name: Any, weight_column_name: Any, centered: bool,
        head_name: str | None,
    ) -> None:  # fmt: skip
        kind = ProblemType.LINEAR_REGRESSION
        super().__init__(kind, dimension, label_name, weight_column_name, centered, head_name, loss_fn)
        self._link_fn = link_fn

    def _predictions(self, logits: Any) -> dict[str, Any]:
        with name_scope(None, "predictions", (logits,)):
            if self._logits_dimension == 1:
                logits = arrays.squeeze(logits, axis=(1,), name=_KEYS.SCORES)
            return {_KEYS.SCORES: self._link_fn(logits)}

    def _metrics(self, loss: Any, predictions: dict[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        with name_scope("metrics", values=[loss]):
            return {self._key(_METRICS.LOSS): mean(loss)}


def _two_logits(logits: Any) -> Tensor:
    return joining.concat((constants.zeros_like(logits), logits), 1)


class _BinaryLogisticHead(_WithProbabilities):
    _scope = "binary_logistic_head"

    def _predictions(self, logits: Any) -> dict[str, Any]:
        with name_scope(None, "predictions", (logits,)):
            both = _two_logits(logits)
            return {
                _KEYS.LOGITS: logits,
                _KEYS.LOGISTIC: sigmoid(logits, name=_KEYS.LOGISTIC),
                _KEYS.PROBABILITIES: softmax(both, name=_KEYS.PROBABILITIES),
                _KEYS.CLASSES: ranking.argmax(both, 1, name=_KEYS.CLASSES),
            }

    def _metrics(self, loss: Any, predictions: dict[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        key, logistic = self._key, predictions[_KEYS.LOGISTIC]
        with name_scope("metrics", values=[loss, labels, weights, *predictions.values()]):
            metrics = {
                key(_METRICS.LOSS): mean(loss),
                key(_METRICS.ACCURACY): accuracy(labels, predictions[_KEYS.CLASSES], weights),
                key(_METRICS.PREDICTION_MEAN): _mean_of(logistic, weights),
                key(_METRICS.LABEL_MEAN): _mean_of(labels, weights),
                key(_METRICS.ACCURACY_BASELINE): _mean_of(labels, weights),
                key(_METRICS.AUC): _area(logistic, labels, weights),
                key(_METRICS.AUC_PR): _area(logistic, labels, weights, curve="PR"),
            }
            for t in self._thresholds:
                metrics[key(_METRICS.ACCURACY_MEAN % t)] = _accuracy_from(logistic, labels, weights, t)
                metrics[key(_METRICS.PRECISION_MEAN % t)] = _at(precision_at_thresholds, logistic, labels, weights, t)
                metrics[key(_METRICS.RECALL_MEAN % t)] = _at(recall_at_thresholds, logistic, labels, weights, t)
        return metrics


class _MultiClassHead(_WithProbabilities):
    _scope = "multi_class_head"

    def __init__(
        self, n_classes: int, label_name: Any, weight_column_name: Any, centered: bool, head_name: str | None,
        loss_fn: Any, thresholds: Any, metric_class_ids: Any, label_keys: Any,
    ) -> None:  # fmt: skip
        super().__init__(
            ProblemType.CLASSIFICATION, n_classes, label_name, weight_column_name, centered, head_name, loss_fn,
            thresholds, metric_class_ids,
        )  # fmt: skip
        if label_keys and len(label_keys) != n_classes:
            raise ValueError("Length of label_keys must equal n_classes.")
        self._label_keys = label_keys

    def _as_wanted(self, labels: Any) -> Any:
        labels = super()._as_wanted(labels)
        if not self._label_keys:
            return {"labels": labels, "label_ids": labels}
        table = index_table_from_tensor(self._label_keys, name="label_id_lookup")
        return {"labels": labels, "label_ids": table.lookup(labels)}

    def _loss(self, labels: Any, logits: Any, weights: Any = None) -> tuple[Any, Any]:
        return self._loss_fn(labels["label_ids"], logits, weights=weights)  # type: ignore[no-any-return]

    def _predictions(self, logits: Any) -> dict[str, Any]:
        with name_scope(None, "predictions", (logits,)):
            classes = ranking.argmax(logits, 1, name=_KEYS.CLASSES)
            if self._label_keys:
                table = index_to_string_table_from_tensor(self._label_keys, name="class_string_lookup")
                classes = table.lookup(classes)
            probabilities = softmax(logits, name=_KEYS.PROBABILITIES)
            return {_KEYS.LOGITS: logits, _KEYS.PROBABILITIES: probabilities, _KEYS.CLASSES: classes}

    def _metrics(self, loss: Any, predictions: dict[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        values = (loss, labels["labels"], labels["label_ids"], weights, *predictions.values())
        key, classes = self._key, predictions[_KEYS.CLASSES]
        with name_scope("metrics", values=values):
            metrics = {
                key(_METRICS.LOSS): mean(loss),
                key(_METRICS.ACCURACY): accuracy(labels["labels"], classes, weights),
            }
            for i in () if self._label_keys else self._metric_class_ids:
                metrics[key(_METRICS.CLASS_PREDICTION_MEAN % i)] = _share_of(classes, weights, i)
                metrics[key(_METRICS.CLASS_LABEL_MEAN % i)] = _share_of(labels["label_ids"], weights, i)
                probabilities = predictions[_KEYS.PROBABILITIES]
                metrics[key(_METRICS.CLASS_PROBABILITY_MEAN % i)] = _mean_of(probabilities, weights, i)
                metrics[key(_METRICS.CLASS_LOGITS_MEAN % i)] = _mean_of(predictions[_KEYS.LOGITS], weights, i)
        return metrics


class _BinarySvmHead(_SingleHead):
    _scope = "binary_svm_head"

    def _predictions(self, logits: Any) -> dict[str, Any]:
        with name_scope(None, "predictions", (logits,)):
            classes = ranking.argmax(_two_logits(logits), 1, name=_KEYS.CLASSES)
            return {_KEYS.LOGITS: logits, _KEYS.CLASSES: classes}

    def _metrics(self, loss: Any, predictions: dict[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        with name_scope("metrics", values=[loss, labels, weights, *predictions.values()]):
            return {
                self._key(_METRICS.LOSS): mean(loss),
                self._key(_METRICS.ACCURACY): accuracy(labels, predictions[_KEYS.CLASSES], weights),
            }


class _MultiLabelHead(_WithProbabilities):
    _scope = "multi_label_head"

    def _as_wanted(self, labels: Any) -> Any:
        if isinstance(labels, SparseTensor):
            return casts.cast(sparse_to_indicator(labels, self._logits_dimension), dtypes.int64)
        return labels

    def _predictions(self, logits: Any) -> dict[str, Any]:
        with name_scope(None, "predictions", (logits,)):
            probabilities = sigmoid(logits, name=_KEYS.PROBABILITIES)
            classes = casts.cast(comparison.greater(logits, 0), dtypes.int64, name=_KEYS.CLASSES)
            return {_KEYS.LOGITS: logits, _KEYS.PROBABILITIES: probabilities, _KEYS.CLASSES: classes}

    def _metrics(self, loss: Any, predictions: dict[str, Any], labels: Any, weights: Any) -> dict[str, Any]:
        key, classes = self._key, predictions[_KEYS.CLASSES]
        probabilities, logits = predictions[_KEYS.PROBABILITIES], predictions[_KEYS.LOGITS]
        with name_scope("metrics", values=[loss, labels, weights, *predictions.values()]):
            metrics = {
                key(_METRICS.LOSS): mean(loss),
                key(_METRICS.ACCURACY): accuracy(labels, classes, weights),
                key(_METRICS.AUC): _area(probabilities, labels, weights),
                key(_METRICS.AUC_PR): _area(probabilities, labels, weights, curve="PR"),
            }
            for i in self._metric_class_ids:
                metrics[key(_METRICS.CLASS_PREDICTION_MEAN % i)] = _mean_of(classes, weights, i)
                metrics[key(_METRICS.CLASS_LABEL_MEAN % i)] = _mean_of(labels, weights, i)
                metrics[key(_METRICS.CLASS_PROBABILITY_MEAN % i)] = _mean_of(probabilities, weights, i)
                metrics[key(_METRICS.CLASS_LOGITS_MEAN % i)] = _mean_of(logits, weights, i)
                metrics[key(_METRICS.CLASS_AUC % i)] = _area(probabilities, labels, weights, i)
                metrics[key(_METRICS.CLASS_AUC_PR % i)] = _area(probabilities, labels, weights, i, curve="PR")
        return metrics


class _LossOnlyHead(Head):
    """A loss beside others, without logits."""

    def __init__(self, loss_fn: Callable[[], Any], head_name: str | None) -> None:
        self._loss_fn, self.head_name = loss_fn, head_name or "loss_only_head"

    @property
    def logits_dimension(self) -> int:
        return 0

    def create_model_fn_ops(
        self, features: Any, mode: str, labels: Any = None, train_op_fn: Any = None, logits: Any = None,
        logits_input: Any = None, scope: Any = None,
    ) -> ModelFnOps:  # fmt: skip
        _check_mode(mode)
        loss = train_op = None
        if mode != ModeKeys.PREDICT:
            with variable_scope(scope, default_name=self.head_name):
                loss = self._loss_fn()
                loss = add_n(loss) if isinstance(loss, list) else loss
                with name_scope(""):
                    summaries.scalar(f"{_METRICS.LOSS}/{self.head_name}", arrays.identity(loss))
                if mode == ModeKeys.TRAIN:
                    if train_op_fn is None:
                        raise ValueError("train_op_fn can not be None in TRAIN mode")
                    with name_scope(None, "train_op", (loss,)):
                        train_op = train_op_fn(loss)
        return ModelFnOps(mode=mode, loss=loss, train_op=train_op, predictions={}, eval_metric_ops={})


class _MultiHead(Head):
    """Several heads beside each other; the loss is the sum of theirs, weighted."""

    def __init__(self, heads: Any, loss_weights: Any) -> None:
        for head in heads:
            if not head.head_name:
                raise ValueError("Members of MultiHead must have names.")
        self._heads, self._loss_weights = heads, loss_weights

    @property
    def logits_dimension(self) -> int:
        return sum(head.logits_dimension for head in self._heads)

    def _total(self, terms: list[Any]) -> Tensor:
        if not self._loss_weights:
            return add_n(terms)
        return add_n([arithmetic.multiply(t, w) for t, w in zip(terms, self._loss_weights, strict=True)])

    def _parts(self, logits: Any) -> list[Any]:
        if logits is None:
            return [None] * len(self._heads)
        if isinstance(logits, dict):
            return [None if isinstance(h, _LossOnlyHead) else logits[h.head_name] for h in self._heads]
        parts, begin = [], 0
        for head in self._heads:
            parts.append(slice_(logits, [0, begin], [-1, head.logits_dimension]))
            begin += head.logits_dimension
        return parts

    def create_model_fn_ops(
        self, features: Any, mode: str, labels: Any = None, train_op_fn: Any = None, logits: Any = None,
        logits_input: Any = None, scope: Any = None,
    ) -> ModelFnOps:  # fmt: skip
        _check_mode(mode)
        made = [
            head.create_model_fn_ops(
                features=features, mode=mode, labels=labels, train_op_fn=no_op_train_fn, logits=part,
                logits_input=logits_input if logits is None else None, scope=scope,
            )
            for head, part in zip(self._heads, self._parts(logits), strict=True)
        ]  # fmt: skip
        metrics = {key: value for ops in made for key, value in (ops.eval_metric_ops or {}).items()}
        if mode == ModeKeys.TRAIN:
            if train_op_fn is None:
                raise ValueError("train_op_fn can not be None in TRAIN mode.")
            loss = self._total([ops.loss for ops in made])
            train_op = control.group(train_op_fn(loss), *(ops.train_op for ops in made))
            return ModelFnOps(mode=mode, loss=loss, train_op=train_op, eval_metric_ops=metrics)
        named = [(h.head_name, ops) for h, ops in zip(self._heads, made, strict=True)]
        predictions = {(name, key): value for name, ops in named for key, value in ops.predictions.items()}
        if mode == ModeKeys.EVAL:
            loss = self._total([ops.loss for ops in made])
            return ModelFnOps(mode=mode, predictions=predictions, loss=loss, eval_metric_ops=metrics)
        outputs = {name: ops.output_alternatives[name] for name, ops in named if ops.output_alternatives}
        return ModelFnOps(mode=mode, predictions=predictions, output_alternatives=outputs)


# -- their makers ------------------------------------------------------------------------------


def regression_head(
    label_name: Any = None, weight_column_name: Any = None, label_dimension: int = 1,
    enable_centered_bias: bool = False, head_name: str | None = None, link_fn: Any = None,
) -> Head:  # fmt: skip
    """Numbers, by their squared errors; ``link_fn`` makes predictions of logits."""
    link_fn = arrays.identity if link_fn is None else link_fn
    return _RegressionHead(
        label_dimension, _squared_loss, link_fn, label_name, weight_column_name, enable_centered_bias, head_name
    )


def poisson_regression_head(
    label_name: Any = None, weight_column_name: Any = None, label_dimension: int = 1,
    enable_centered_bias: bool = False, head_name: str | None = None,
) -> Head:  # fmt: skip
    """Counts of a Poisson distribution whose mean is the exponential of the logit."""
    return _RegressionHead(
        label_dimension, _poisson_loss, exp, label_name, weight_column_name, enable_centered_bias, head_name
    )


def multi_class_head(
    n_classes: Any, label_name: Any = None, weight_column_name: Any = None, enable_centered_bias: bool = False,
    head_name: str | None = None, thresholds: Any = None, metric_class_ids: Any = None, loss_fn: Any = None,
    label_keys: Any = None,
) -> Head:  # fmt: skip
    """One of ``n_classes`` classes; of two, by the logistic function of one logit.

    Raises:
      ValueError: there are less than two classes, or arguments are given that two classes do not have.
    """
    if n_classes is None or n_classes < 2:
        raise ValueError(f"n_classes must be > 1 for classification: {n_classes}.")
    loss = _of_user(loss_fn) if loss_fn else None
    if n_classes > 2:
        return _MultiClassHead(
            n_classes, label_name, weight_column_name, enable_centered_bias, head_name, loss or _softmax_loss,
            thresholds, metric_class_ids, label_keys,
        )  # fmt: skip
    if metric_class_ids:
        raise ValueError("metric_class_ids invalid for n_classes==2.")
    if label_keys:
        raise ValueError("label_keys is not supported for n_classes=2.")
    return _BinaryLogisticHead(
        ProblemType.LOGISTIC_REGRESSION, 1, label_name, weight_column_name, enable_centered_bias, head_name,
        loss or _two_classes_loss, thresholds,
    )  # fmt: skip


def binary_svm_head(
    label_name: Any = None, weight_column_name: Any = None, enable_centered_bias: bool = False,
    head_name: str | None = None, thresholds: Any = None,
) -> Head:  # fmt: skip
    """Yes or no, by the hinge loss of one logit."""
    return _BinarySvmHead(
        ProblemType.LOGISTIC_REGRESSION, 1, label_name, weight_column_name, enable_centered_bias, head_name,
        _hinge_loss, thresholds,
    )  # fmt: skip


def multi_label_head(
    n_classes: int, label_name: Any = None, weight_column_name: Any = None, enable_centered_bias: bool = False,
    head_name: str | None = None, thresholds: Any = None, metric_class_ids: Any = None, loss_fn: Any = None,
) -> Head:  # fmt: skip
    """Any of ``n_classes`` classes.

    Raises:
      ValueError: there are less than two classes.
    """
    if n_classes < 2:
        raise ValueError("n_classes must be > 1 for classification.")
    return _MultiLabelHead(
        ProblemType.CLASSIFICATION, n_classes, label_name, weight_column_name, enable_centered_bias, head_name,
        _of_user(loss_fn) if loss_fn else _sigmoid_loss, thresholds, metric_class_ids,
    )  # fmt: skip


def loss_only_head(loss_fn: Callable[[], Any], head_name: str | None = None) -> Head:
    """A loss that ``loss_fn()`` gives, or the sum of a list of them."""
    return _LossOnlyHead(loss_fn, head_name)


def multi_head(heads: Any, loss_weights: Any = None) -> Head:
    """Several heads with names; the loss is the sum of theirs, weighted.

    Raises:
      ValueError: there are more or less weights than heads, or a head has no name.
    """
    if loss_weights and len(loss_weights) != len(heads):
        raise ValueError("heads and loss_weights must have same size")
    return _MultiHead(heads, loss_weights)


def no_op_train_fn(loss: Any) -> Any:
    """No step of training."""
    return control.no_op()
