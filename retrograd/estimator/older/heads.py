"""Heads of ``tf.contrib.learn``: what stands on logits, that is a loss, predictions, metrics, a step of training.

With weights w of the examples a model trains on mean(w l) and reports sum(w l) / sum(w).  Source: TensorFlow 1.15.5,
``contrib/learn/python/learn/estimators/head.py``: scopes, names, order of nodes, keys, messages.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.estimator.older.head_metrics import _HALF, _accuracy_from, _area, _at, _mean_of, _share_of
from retrograd.estimator.older.keys import MetricKey, PredictionKey, ProblemType
from retrograd.estimator.older.specs import ModelFnOps
from retrograd.estimator.specs import ModeKeys
from retrograd.graph import dtypes, log
from retrograd.graph.convert import as_tensor, convert_to_tensor_or_sparse_tensor
from retrograd.graph.scopes import name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.io.lookup import index_table_from_tensor, index_to_string_table_from_tensor
from retrograd.nn import summaries
from retrograd.nn.contrib.layers import linear
from retrograd.nn.metrics.means import accuracy, mean
from retrograd.nn.metrics.thresholds import precision_at_thresholds, recall_at_thresholds
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
    string_numbers,
)
from retrograd.ops.biases import bias_add
from retrograd.ops.exponentials import sigmoid
from retrograd.ops.reductions import reduce_mean
from retrograd.ops.slicing import slice_
from retrograd.ops.softmax import softmax
from retrograd.ops.sparse import sparse_reshape
from retrograd.ops.sparse_joining import sparse_to_indicator
from retrograd.ops.sums import add_n
from retrograd.state.scopes import variable_scope
from retrograd.state.variables import Variable
from retrograd.train.adagrad import AdagradOptimizer

_KEYS, _METRICS = PredictionKey, MetricKey


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
                classes = string_numbers.as_string(repeating.tile(row, multiples=[size, 1]), name="classes_tensor")
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


def no_op_train_fn(loss: Any) -> Any:
    """No step of training."""
    return control.no_op()
