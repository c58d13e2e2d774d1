"""``tf.contrib.learn``'s ready models: deep, linear, and both together, on the first or on the later feature columns.

Source: TensorFlow 1.15.5, ``contrib/learn/python/learn/estimators``: scopes, names, order of nodes, learning rates.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from retrograd.contrib.clustering import KMEANS_PLUS_PLUS_INIT, RANDOM_INIT, KMeans
from retrograd.contrib.optimizing import optimize_loss
from retrograd.estimator.canned.dnn import summarize_layer
from retrograd.estimator.canned.kmeans import InitializeClustersHook, LossRelativeChangeHook, points_of
from retrograd.estimator.learn import Estimator
from retrograd.estimator.older.arrays import ArrayInput
from retrograd.estimator.older.ascent import SDCAOptimizer, model_by_ascent
from retrograd.estimator.older.head_makers import multi_class_head, regression_head
from retrograd.estimator.older.keys import MetricKey, PredictionKey, ProblemType
from retrograd.estimator.older.specs import MetricSpec, ModelFnOps
from retrograd.estimator.specs import ModeKeys
from retrograd.feature_column.models import input_layer, linear_model
from retrograd.feature_column.older_columns import Column
from retrograd.feature_column.older_embeddings import _EmbeddingColumn
from retrograd.feature_column.older_models import (
    infer_real_valued_columns,
    input_from_feature_columns,
    joint_weighted_sum_from_feature_columns,
    weighted_sum_from_feature_columns,
)
from retrograd.grad.gradients import gradients
from retrograd.graph import dtypes, log
from retrograd.graph.graph import Graph
from retrograd.graph.scopes import colocate_with, control_dependencies, get_collection
from retrograd.graph.tensor import Tensor
from retrograd.nn import summaries
from retrograd.nn.activations import zero_fraction
from retrograd.nn.contrib.layers import dropout as dropped
from retrograd.nn.contrib.layers import fully_connected
from retrograd.nn.contrib.metrics import (
    streaming_accuracy,
    streaming_auc,
    streaming_mean,
    streaming_precision,
    streaming_recall,
)
from retrograd.ops import casts, comparison, control
from retrograd.ops.activations import relu
from retrograd.ops.clipping import clip_by_global_norm
from retrograd.ops.exponentials import sigmoid
from retrograd.ops.reductions import reduce_sum
from retrograd.ops.state import assign_add
from retrograd.ops.trigonometry import tanh
from retrograd.state.partitioned import min_max_variable_partitioner
from retrograd.state.scopes import variable_scope
from retrograd.train.ftrl import FtrlOptimizer
from retrograd.train.training_util import get_global_step

_SLICE = 64 << 20
_DEEP_RATE, _LINEAR_RATE = 0.05, 0.2

# -- the parts of the models -------------------------------------------------------------------


def _features(features: Any) -> dict[Any, Any]:
    return features if isinstance(features, dict) else {"": features}


def _are_first_columns(columns: Any) -> bool:
    return all(isinstance(column, Column) for column in columns)


def _optimizer(optimizer: Any) -> Any:
    return optimizer() if callable(optimizer) else optimizer


def _servers(config: Any) -> int:
    return config.num_ps_replicas if config else 0


def _summary_of_layer(value: Any, tag: str) -> None:
    summaries.scalar(f"{tag}_fraction_of_zero_values", zero_fraction(value))
    summaries.histogram(f"{tag}_activation", value)


def _deep_logits(
    features: dict[Any, Any], columns: Any, hidden_units: Any, activation: Any, dropout: float | None, mode: str,
    units: int, input_partitioner: Any, summarize: Callable[[Any, str], None],
) -> tuple[Tensor, str]:  # fmt: skip
    """In the scope ``dnn``: the logits, and the scope of the columns' variables."""
    values, in_scope = tuple(features.values()), ["dnn"]
    with variable_scope("input_from_feature_columns", values=values, partitioner=input_partitioner) as first:
        if _are_first_columns(columns):
            net = input_from_feature_columns(features, columns, weight_collections=in_scope, scope=first)
        else:
            net = input_layer(features, columns, weight_collections=in_scope)
    for i, width in enumerate(hidden_units):
        with variable_scope(f"hiddenlayer_{i}", values=(net,)) as scope:
            net = fully_connected(net, width, activation_fn=activation, variables_collections=in_scope, scope=scope)
            if dropout is not None and mode == ModeKeys.TRAIN:
                net = dropped(net, keep_prob=1.0 - dropout)
        summarize(net, scope.name)
    with variable_scope("logits", values=(net,)) as scope:
        logits = fully_connected(net, units, activation_fn=None, variables_collections=in_scope, scope=scope)
    summarize(logits, scope.name)
    return logits, first.name


def _linear_logits(features: dict[Any, Any], columns: Any, units: int, joint: Any, scope: Any) -> Tensor:
    """In the scope ``linear``: the logits."""
    in_scope = ["linear"]
    if not _are_first_columns(columns):
        return linear_model(features, columns, units=units, weight_collections=in_scope)
    add_up = joint_weighted_sum_from_feature_columns if joint else weighted_sum_from_feature_columns
    return add_up(features, columns, units, weight_collections=in_scope, scope=scope)[0]


def _multipliers(given: Any, scope: str) -> Any:
    """The factors of the gradients of embeddings."""
    if not given:
        return None
    found = {}
    for column, factor in given.items():
        if not isinstance(column, _EmbeddingColumn):
            raise ValueError(
                f"learning rate multipler can only be defined for embedding columns. It is defined for {column}"
            )
        variables = get_collection("dnn", f"{scope}/{column.name}")
        if not variables:
            raise ValueError(f"Couldn't find a variable for column {column}")
        found.update(dict.fromkeys(variables, factor))
    return found


_ACTIVATIONS: dict[str, Any] = {"relu": relu, "tanh": tanh, "sigmoid": sigmoid}


def _activation(activation: Any) -> Any:
    if not isinstance(activation, str):
        return activation
    if activation not in _ACTIVATIONS:
        raise ValueError(f"Activation name should be one of [{', '.join(_ACTIVATIONS)}], you provided {activation}.")
    return _ACTIVATIONS[activation]


def _partitioner(config: Any, smallest: int | None = None) -> Any:
    if smallest is None:
        return min_max_variable_partitioner(max_partitions=_servers(config))
    return min_max_variable_partitioner(max_partitions=_servers(config), min_slice_size=smallest)


# -- the models --------------------------------------------------------------------------------


def _deep_model(features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any = None) -> ModelFnOps:
    head, features = params["head"], _features(features)
    with variable_scope("dnn", values=tuple(features.values()), partitioner=_partitioner(config)):
        logits, scope = _deep_logits(
            features, params["feature_columns"], params["hidden_units"], _activation(params["activation_fn"]),
            params["dropout"], mode, head.logits_dimension,
            _partitioner(config, params["input_layer_min_slice_size"] or _SLICE), _summary_of_layer,
        )  # fmt: skip

        def train_op_fn(loss: Any) -> Any:
            return optimize_loss(
                loss=loss, global_step=get_global_step(), learning_rate=_DEEP_RATE,
                optimizer=_optimizer(params["optimizer"] or "Adagrad"),
                gradient_multipliers=_multipliers(params["embedding_lr_multipliers"], scope),
                clip_gradients=params["gradient_clip_norm"], name="dnn", summaries=[],
            )  # fmt: skip

        return head.create_model_fn_ops(  # type: ignore[no-any-return]
            features=features, mode=mode, labels=labels, train_op_fn=train_op_fn, logits=logits
        )


def _linear_model(features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any = None) -> ModelFnOps:
    if isinstance(params["optimizer"], SDCAOptimizer):
        return model_by_ascent(
            features, labels, mode, params["head"], params["feature_columns"], params["optimizer"],
            params["weight_column_name"],
        )  # fmt: skip
    return linear_by_gradients(features, labels, mode, params, config)


def linear_by_gradients(
    features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any = None
) -> ModelFnOps:
    """The sum of the columns' weights under a head, trained by an optimizer of gradients."""
    head, features, columns = params["head"], _features(features), params["feature_columns"]
    rate = min(_LINEAR_RATE, 1 / math.sqrt(len(columns)))
    optimizer = params["optimizer"] or FtrlOptimizer(learning_rate=rate)
    partitioner = _partitioner(config, _SLICE)
    with variable_scope("linear", values=tuple(features.values()), partitioner=partitioner) as scope:
        logits = _linear_logits(features, columns, head.logits_dimension, params["joint_weights"], scope)

        def train_op_fn(loss: Any) -> Any:
            step, variables = get_global_step(), get_collection("linear")
            grads = gradients(loss, variables)
            if params["gradient_clip_norm"]:
                grads, _ = clip_by_global_norm(grads, params["gradient_clip_norm"])
            pairs = zip(grads, variables, strict=True)
            return _optimizer(optimizer).apply_gradients(pairs, global_step=step)

        return head.create_model_fn_ops(  # type: ignore[no-any-return]
            features=features, mode=mode, labels=labels, train_op_fn=train_op_fn, logits=logits
        )


def _combined_model(features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any = None) -> ModelFnOps:
    head, features = params["head"], _features(features)
    linear_columns, deep_columns = params["linear_feature_columns"], params["dnn_feature_columns"]
    linear_optimizer = _optimizer(params["linear_optimizer"] or "Ftrl")
    deep_optimizer = _optimizer(params["dnn_optimizer"] or "Adagrad")
    values, units, clip = tuple(features.values()), head.logits_dimension, params["gradient_clip_norm"]
    logits, scope_of_columns = [], ""
    if deep_columns:
        if not params["dnn_hidden_units"]:
            raise ValueError("dnn_hidden_units must be defined when dnn_feature_columns is specified.")
        with variable_scope("dnn", values=values, partitioner=_partitioner(config)):
            partitioner = params["input_layer_partitioner"] or _partitioner(config, _SLICE)
            deep, scope_of_columns = _deep_logits(
                features, deep_columns, params["dnn_hidden_units"], params["dnn_activation_fn"] or relu,
                params["dnn_dropout"], mode, units, partitioner, summarize_layer,
            )  # fmt: skip
            logits.append(deep)
    if linear_columns:
        with variable_scope("linear", values=values, partitioner=_partitioner(config, _SLICE)) as scope:
            logits.append(_linear_logits(features, linear_columns, units, params["joint_linear_weights"], scope))
            summarize_layer(logits[-1], scope.name)

    def train_op_fn(loss: Any) -> Any:
        step, ops = get_global_step(), []
        counts = not params["fix_global_step_increment_bug"]
        shared: dict[str, Any] = {
            "loss": loss, "global_step": step, "clip_gradients": clip, "summaries": [], "increment_global_step": counts,
        }  # fmt: skip
        if deep_columns:
            factors = _multipliers(params["embedding_lr_multipliers"], scope_of_columns)
            ops.append(
                optimize_loss(
                    learning_rate=_DEEP_RATE, optimizer=deep_optimizer, gradient_multipliers=factors,
                    variables=get_collection("dnn"), name="dnn", **shared,
                )
            )  # fmt: skip
        if linear_columns:
            rate = min(_LINEAR_RATE, 1.0 / math.sqrt(len(linear_columns)))
            ops.append(
                optimize_loss(
                    learning_rate=rate, optimizer=linear_optimizer, variables=get_collection("linear"), name="linear",
                    **shared,
                )
            )  # fmt: skip
        train_op = control.group(*ops)
        if counts:
            return train_op
        with control_dependencies([train_op]), colocate_with(step):
            return assign_add(step, 1).op

    both = logits[0] + logits[1] if len(logits) == 2 else logits[0]
    return head.create_model_fn_ops(  # type: ignore[no-any-return]
        features=features, mode=mode, labels=labels, train_op_fn=train_op_fn, logits=both
    )


# -- predictions -------------------------------------------------------------------------------


def one_key(estimator: Any, key: str, x: Any, input_fn: Any, batch_size: Any, as_iterable: bool, flat: bool) -> Any:
    """What is predicted under one key: iterated over, or as one array."""
    found = Estimator.predict(estimator, x, input_fn, batch_size, [key], as_iterable)
    if as_iterable:
        return (prediction[key] for prediction in found)
    return found[key].reshape(-1) if flat else found[key]


class _Predicting(Estimator):
    def _foremost(self, *where: Any) -> Any:
        """What is predicted where nobody says what."""
        raise NotImplementedError

    def predict(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, outputs: Any = None,
        as_iterable: bool = True, iterate_batches: bool = False,
    ) -> Any:  # fmt: skip
        """The classes or numbers, or of ``outputs`` dictionaries."""
        if not outputs:
            return self._foremost(x, input_fn, batch_size, as_iterable)
        return super().predict(x, input_fn, batch_size, outputs, as_iterable, iterate_batches)


class _Classifier(_Predicting):
    def _foremost(self, *where: Any) -> Any:
        return self.predict_classes(*where)

    def predict_classes(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True
    ) -> Any:
        """The most probable class of each example."""
        return one_key(self, PredictionKey.CLASSES, x, input_fn, batch_size, as_iterable, True)

    def predict_proba(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True
    ) -> Any:
        """How probable each class is, for each example."""
        return one_key(self, PredictionKey.PROBABILITIES, x, input_fn, batch_size, as_iterable, False)


class _Regressor(_Predicting):
    def evaluate(
        self, x: Any = None, y: Any = None, input_fn: Any = None, feed_fn: Any = None, batch_size: int | None = None,
        steps: int | None = None, metrics: Any = None, name: str | None = None, checkpoint_path: str | None = None,
        hooks: Any = None, log_progress: bool = True,
    ) -> dict[str, Any]:  # fmt: skip
        """Bare functions in ``metrics`` are of the predicted numbers."""
        of_scores = {
            key if isinstance(metric, MetricSpec) or isinstance(key, tuple) else (key, PredictionKey.SCORES): metric
            for key, metric in (metrics or {}).items()
        }
        return super().evaluate(
            x, y, input_fn, feed_fn, batch_size, steps, of_scores, name, checkpoint_path, hooks, log_progress
        )

    def _foremost(self, *where: Any) -> Any:
        return self.predict_scores(*where)

    def predict_scores(
        self, x: Any = None, input_fn: Any = None, batch_size: int | None = None, as_iterable: bool = True
    ) -> Any:
        """The number of each example."""
        return one_key(self, PredictionKey.SCORES, x, input_fn, batch_size, as_iterable, False)


# -- deep --------------------------------------------------------------------------------------


def _deep_params(
    head: Any, hidden_units: Any, feature_columns: Any, optimizer: Any, activation_fn: Any, dropout: Any,
    gradient_clip_norm: Any, embedding_lr_multipliers: Any, input_layer_min_slice_size: Any,
) -> dict[str, Any]:  # fmt: skip
    return locals()


class DNNClassifier(_Classifier):
    """Classes by a network of dense layers.

    Args:
      hidden_units: the sizes of the layers.
      feature_columns: what the model reads; categories as embeddings or one-hot.
      n_classes: how many classes there are; labels are the numbers below, or of ``label_keys``.
      weight_column_name: the feature that weighs the examples.
      optimizer: an optimizer, a function that makes one, or a name; Adagrad at a rate of 0.05.
      dropout: the probability with which each number behind a layer is dropped.
      gradient_clip_norm: the greatest norm of all gradients together.
      enable_centered_bias: learn the classes' frequencies beside the model.
      feature_engineering_fn: ``(features, labels) -> (features, labels)``, applied before the model.
      embedding_lr_multipliers: from columns of embeddings to factors of their gradients.
      input_layer_min_slice_size: the least bytes of a part of a column's variable.
    """

    def __init__(
        self, hidden_units: Any, feature_columns: Any, model_dir: Any = None, n_classes: int = 2,
        weight_column_name: Any = None, optimizer: Any = None, activation_fn: Any = relu, dropout: Any = None,
        gradient_clip_norm: Any = None, enable_centered_bias: bool = False, config: Any = None,
        feature_engineering_fn: Any = None, embedding_lr_multipliers: Any = None,
        input_layer_min_slice_size: Any = None, label_keys: Any = None,
    ) -> None:  # fmt: skip
        head = multi_class_head(n_classes, None, weight_column_name, enable_centered_bias, label_keys=label_keys)
        params = _deep_params(
            head, hidden_units, tuple(feature_columns or ()), optimizer, activation_fn, dropout, gradient_clip_norm,
            embedding_lr_multipliers, input_layer_min_slice_size,
        )  # fmt: skip
        super().__init__(_deep_model, model_dir, config, params, feature_engineering_fn)


class DNNRegressor(_Regressor):
    """Numbers by a network of dense layers; arguments as of ``DNNClassifier``."""

    def __init__(
        self, hidden_units: Any, feature_columns: Any, model_dir: Any = None, weight_column_name: Any = None,
        optimizer: Any = None, activation_fn: Any = relu, dropout: Any = None, gradient_clip_norm: Any = None,
        enable_centered_bias: bool = False, config: Any = None, feature_engineering_fn: Any = None,
        label_dimension: int = 1, embedding_lr_multipliers: Any = None, input_layer_min_slice_size: Any = None,
    ) -> None:  # fmt: skip
        head = regression_head(None, weight_column_name, label_dimension, enable_centered_bias)
        params = _deep_params(
            head, hidden_units, tuple(feature_columns or ()), optimizer, activation_fn, dropout, gradient_clip_norm,
            embedding_lr_multipliers, input_layer_min_slice_size,
        )  # fmt: skip
        super().__init__(_deep_model, model_dir, config, params, feature_engineering_fn)


class DNNEstimator(Estimator):
    """A network of dense layers under a head of the user; arguments as of ``DNNClassifier``."""

    def __init__(
        self, head: Any, hidden_units: Any, feature_columns: Any, model_dir: Any = None, optimizer: Any = None,
        activation_fn: Any = relu, dropout: Any = None, gradient_clip_norm: Any = None, config: Any = None,
        feature_engineering_fn: Any = None, embedding_lr_multipliers: Any = None,
        input_layer_min_slice_size: Any = None,
    ) -> None:  # fmt: skip
        params = _deep_params(
            head, hidden_units, feature_columns, optimizer, activation_fn, dropout, gradient_clip_norm,
            embedding_lr_multipliers, input_layer_min_slice_size,
        )  # fmt: skip
        super().__init__(_deep_model, model_dir, config, params, feature_engineering_fn)


# -- linear ------------------------------------------------------------------------------------


def _linear_params(
    head: Any, feature_columns: Any, optimizer: Any, gradient_clip_norm: Any, joint_weights: bool,
    weight_column_name: Any = None,
) -> dict[str, Any]:  # fmt: skip
    if not feature_columns:
        raise AssertionError("a linear model needs feature_columns")
    if isinstance(optimizer, SDCAOptimizer) and joint_weights:
        raise AssertionError("_joint_weights is incompatible with SDCAOptimizer.")
    return locals()


class LinearClassifier(_Classifier):
    """Classes by a sum of weights; by default Ftrl at a rate of at most 0.2. Arguments as of ``DNNClassifier``."""

    def __init__(
        self, feature_columns: Any, model_dir: Any = None, n_classes: int = 2, weight_column_name: Any = None,
        optimizer: Any = None, gradient_clip_norm: Any = None, enable_centered_bias: bool = False,
        _joint_weight: bool = False, config: Any = None, feature_engineering_fn: Any = None, label_keys: Any = None,
    ) -> None:  # fmt: skip
        if isinstance(optimizer, SDCAOptimizer):
            if enable_centered_bias:
                raise ValueError("enable_centered_bias is not supported with SDCA")
            assert n_classes == 2, "SDCA only applies to binary classification."
        head = multi_class_head(n_classes, None, weight_column_name, enable_centered_bias, label_keys=label_keys)
        params = _linear_params(head, feature_columns, optimizer, gradient_clip_norm, _joint_weight, weight_column_name)
        super().__init__(_linear_model, model_dir, config, params, feature_engineering_fn)


class LinearRegressor(_Regressor):
    """Numbers by a sum of weights; arguments as of ``LinearClassifier``."""

    def __init__(
        self, feature_columns: Any, model_dir: Any = None, weight_column_name: Any = None, optimizer: Any = None,
        gradient_clip_norm: Any = None, enable_centered_bias: bool = False, label_dimension: int = 1,
        _joint_weights: bool = False, config: Any = None, feature_engineering_fn: Any = None,
    ) -> None:  # fmt: skip
        if isinstance(optimizer, SDCAOptimizer):
            if enable_centered_bias:
                log.warning("centered_bias is not supported with SDCA, please disable it explicitly.")
                enable_centered_bias = False
            assert label_dimension == 1, "SDCA only applies for label_dimension=1."
        head = regression_head(None, weight_column_name, label_dimension, enable_centered_bias)
        params = _linear_params(
            head, feature_columns, optimizer, gradient_clip_norm, _joint_weights, weight_column_name
        )
        super().__init__(_linear_model, model_dir, config, params, feature_engineering_fn)


class LinearEstimator(Estimator):
    """A sum of weights under a head of the user; arguments as of ``LinearClassifier``."""

    def __init__(
        self, feature_columns: Any, head: Any, model_dir: Any = None, weight_column_name: Any = None,
        optimizer: Any = None, gradient_clip_norm: Any = None, _joint_weights: bool = False, config: Any = None,
        feature_engineering_fn: Any = None,
    ) -> None:  # fmt: skip
        if isinstance(optimizer, SDCAOptimizer):
            raise ValueError("LinearEstimator does not support SDCA optimizer.")
        params = _linear_params(head, feature_columns, optimizer, gradient_clip_norm, _joint_weights)
        super().__init__(_linear_model, model_dir, config, params, feature_engineering_fn)


# -- both --------------------------------------------------------------------------------------


def _combined_params(
    head: Any, linear_feature_columns: Any, linear_optimizer: Any, joint_linear_weights: bool,
    dnn_feature_columns: Any, dnn_optimizer: Any, dnn_hidden_units: Any, dnn_activation_fn: Any, dnn_dropout: Any,
    gradient_clip_norm: Any, embedding_lr_multipliers: Any, fix_global_step_increment_bug: bool,
    input_layer_partitioner: Any,
) -> dict[str, Any]:  # fmt: skip
    params = locals()
    for key in ("linear_feature_columns", "dnn_feature_columns"):
        params[key] = tuple(params[key] or ())
    if not params["linear_feature_columns"] + params["dnn_feature_columns"]:
        raise ValueError("Either linear_feature_columns or dnn_feature_columns must be defined.")
    return params


class DNNLinearCombinedClassifier(_Classifier):
    """Classes by a network and a sum of weights, wide and deep: each part with its columns and its optimizer.

    Without ``fix_global_step_increment_bug`` each part counts the step, as it always did.
    """

    def __init__(
        self, model_dir: Any = None, n_classes: int = 2, weight_column_name: Any = None,
        linear_feature_columns: Any = None, linear_optimizer: Any = None, _joint_linear_weights: bool = False,
        dnn_feature_columns: Any = None, dnn_optimizer: Any = None, dnn_hidden_units: Any = None,
        dnn_activation_fn: Any = relu, dnn_dropout: Any = None, gradient_clip_norm: Any = None,
        enable_centered_bias: bool = False, config: Any = None, feature_engineering_fn: Any = None,
        embedding_lr_multipliers: Any = None, input_layer_min_slice_size: Any = None, label_keys: Any = None,
        fix_global_step_increment_bug: bool = False,
    ) -> None:  # fmt: skip
        head = multi_class_head(n_classes, None, weight_column_name, enable_centered_bias, label_keys=label_keys)
        slices = None if input_layer_min_slice_size is None else _partitioner(config, input_layer_min_slice_size)
        params = _combined_params(
            head, linear_feature_columns, linear_optimizer, _joint_linear_weights, dnn_feature_columns, dnn_optimizer,
            dnn_hidden_units, dnn_activation_fn, dnn_dropout, gradient_clip_norm, embedding_lr_multipliers,
            fix_global_step_increment_bug, slices,
        )  # fmt: skip
        super().__init__(_combined_model, model_dir, config, params, feature_engineering_fn)


class DNNLinearCombinedRegressor(_Regressor):
    """Numbers by a network and a sum of weights; arguments as of ``DNNLinearCombinedClassifier``."""

    def __init__(
        self, model_dir: Any = None, weight_column_name: Any = None, linear_feature_columns: Any = None,
        linear_optimizer: Any = None, _joint_linear_weights: bool = False, dnn_feature_columns: Any = None,
        dnn_optimizer: Any = None, dnn_hidden_units: Any = None, dnn_activation_fn: Any = relu,
        dnn_dropout: Any = None, gradient_clip_norm: Any = None, enable_centered_bias: bool = False,
        label_dimension: int = 1, config: Any = None, feature_engineering_fn: Any = None,
        embedding_lr_multipliers: Any = None, input_layer_min_slice_size: Any = None,
        fix_global_step_increment_bug: bool = False,
    ) -> None:  # fmt: skip
        head = regression_head(None, weight_column_name, label_dimension, enable_centered_bias)
        slices = None if input_layer_min_slice_size is None else _partitioner(config, input_layer_min_slice_size)
        params = _combined_params(
            head, linear_feature_columns, linear_optimizer, _joint_linear_weights, dnn_feature_columns, dnn_optimizer,
            dnn_hidden_units, dnn_activation_fn, dnn_dropout, gradient_clip_norm, embedding_lr_multipliers,
            fix_global_step_increment_bug, slices,
        )  # fmt: skip
        super().__init__(_combined_model, model_dir, config, params, feature_engineering_fn)


class DNNLinearCombinedEstimator(Estimator):
    """A network and a sum of weights under a head of the user; arguments as of ``DNNLinearCombinedClassifier``."""

    def __init__(
        self, head: Any, model_dir: Any = None, linear_feature_columns: Any = None, linear_optimizer: Any = None,
        _joint_linear_weights: bool = False, dnn_feature_columns: Any = None, dnn_optimizer: Any = None,
        dnn_hidden_units: Any = None, dnn_activation_fn: Any = None, dnn_dropout: Any = None,
        gradient_clip_norm: Any = None, config: Any = None, feature_engineering_fn: Any = None,
        embedding_lr_multipliers: Any = None, fix_global_step_increment_bug: bool = False,
        input_layer_partitioner: Any = None,
    ) -> None:  # fmt: skip
        params = _combined_params(
            head, linear_feature_columns, linear_optimizer, _joint_linear_weights, dnn_feature_columns, dnn_optimizer,
            dnn_hidden_units, dnn_activation_fn, dnn_dropout, gradient_clip_norm, embedding_lr_multipliers,
            fix_global_step_increment_bug, input_layer_partitioner,
        )  # fmt: skip
        super().__init__(_combined_model, model_dir, config, params, feature_engineering_fn)


# -- others ------------------------------------------------------------------------------------


def LogisticRegressor(
    model_fn: Callable[..., Any], thresholds: Any = None, model_dir: Any = None, config: Any = None,
    feature_engineering_fn: Any = None,
) -> Estimator:  # fmt: skip
    """An estimator of a model that predicts probabilities, with the metrics of yes or no."""

    def measured(features: Any, labels: Any, mode: str, params: Any) -> ModelFnOps:
        predictions, loss, train_op = model_fn(features, labels, mode)
        metrics = None
        if mode == ModeKeys.EVAL:
            metrics = _logistic_metrics(labels, predictions, params.get("thresholds") or [0.5])
        outputs = {"head": (ProblemType.LOGISTIC_REGRESSION, {"predictions": predictions})}
        return ModelFnOps(mode, predictions, loss, train_op, metrics, outputs)

    return Estimator(measured, model_dir, config, {"thresholds": thresholds}, feature_engineering_fn)


def _logistic_metrics(labels: Any, predictions: Any, thresholds: Any) -> dict[str, Any]:
    labels = next(iter(labels.values())) if isinstance(labels, dict) and len(labels) == 1 else labels
    metrics = {
        MetricKey.PREDICTION_MEAN: streaming_mean(predictions),
        MetricKey.LABEL_MEAN: streaming_mean(labels),
        MetricKey.ACCURACY_BASELINE: streaming_mean(labels),
        MetricKey.AUC: streaming_auc(labels=labels, predictions=predictions),
    }
    for t in thresholds:
        above = casts.cast(
            comparison.greater_equal(predictions, t), dtypes.float32, name=f"predictions_at_threshold_{t:f}"
        )
        metrics[MetricKey.ACCURACY_MEAN % t] = streaming_accuracy(labels=labels, predictions=above)
        metrics[MetricKey.PRECISION_MEAN % t] = streaming_precision(labels=labels, predictions=above)
        metrics[MetricKey.RECALL_MEAN % t] = streaming_recall(labels=labels, predictions=above)
    return metrics


class KMeansClustering(Estimator):
    """Clusters of points; arguments as of ``tf.contrib.factorization.KMeansClustering``."""

    SCORES, CLUSTER_IDX, CLUSTERS, ALL_SCORES = "scores", "cluster_idx", "clusters", "all_scores"
    SQUARED_EUCLIDEAN_DISTANCE, COSINE_DISTANCE = "squared_euclidean", "cosine"
    RANDOM_INIT, KMEANS_PLUS_PLUS_INIT = RANDOM_INIT, KMEANS_PLUS_PLUS_INIT
    LOSS_OP_NAME = "kmeans_loss"

    def __init__(
        self, num_clusters: Any, model_dir: Any = None, initial_clusters: Any = RANDOM_INIT,
        distance_metric: str = SQUARED_EUCLIDEAN_DISTANCE, random_seed: int = 0, use_mini_batch: bool = True,
        mini_batch_steps_per_iteration: int = 1, kmeans_plus_plus_num_retries: int = 2,
        relative_tolerance: float | None = None, config: Any = None,
    ) -> None:  # fmt: skip
        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> ModelFnOps:
            distances, nearest, scores, is_initialized, init_op, step = KMeans(
                points_of(features), num_clusters, initial_clusters, distance_metric, use_mini_batch,
                mini_batch_steps_per_iteration, random_seed, kmeans_plus_plus_num_retries,
            ).training_graph()  # fmt: skip
            count = assign_add(get_global_step(), 1)
            loss = reduce_sum(scores, name=self.LOSS_OP_NAME)
            summaries.scalar("loss/raw", loss)
            train_op = control.with_dependencies([step, count], loss)
            hooks: list[Any] = [InitializeClustersHook(init_op, is_initialized, config.is_chief, self.model_dir)]
            if relative_tolerance is not None:
                hooks.append(LossRelativeChangeHook(loss, relative_tolerance))
            return ModelFnOps(
                mode, {self.ALL_SCORES: distances[0], self.CLUSTER_IDX: nearest[0]}, loss, train_op,
                {self.SCORES: loss}, training_hooks=hooks,
            )  # fmt: skip

        super().__init__(model_fn, model_dir, config)

    def predict_cluster_idx(self, input_fn: Any = None) -> Iterator[Any]:
        """The nearest cluster of each point."""
        for result in self.predict(input_fn=input_fn, outputs=[self.CLUSTER_IDX]):
            yield result[self.CLUSTER_IDX]

    def score(self, input_fn: Any = None, steps: int | None = None) -> Any:
        """The sum of the distances of points to their nearest centers."""
        return np.sum(self.evaluate(input_fn=input_fn, steps=steps)[self.SCORES])

    def transform(self, input_fn: Any = None, as_iterable: bool = False) -> Any:
        """The distances of each point to all centers."""
        found = self.predict(input_fn=input_fn, outputs=[self.ALL_SCORES], as_iterable=as_iterable)
        return found if as_iterable else found[self.ALL_SCORES]

    def clusters(self) -> Any:
        """The centers in the latest checkpoint."""
        return self.get_variable_value(self.CLUSTERS)


def infer_real_valued_columns_from_input_fn(input_fn: Callable[[], Any]) -> list[Any]:
    """A column of numbers for each feature that ``input_fn`` gives."""
    with Graph().as_default():
        return infer_real_valued_columns(input_fn()[0])


def infer_real_valued_columns_from_input(x: Any) -> list[Any]:
    """A column of numbers for each feature of arrays."""
    with Graph().as_default():
        return infer_real_valued_columns(ArrayInput(x, None, None, shuffle=False, epochs=1).tensors()[0])
