"""The networks of the older models: deep, linear, and both together."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from retrograd.contrib.optimizing import optimize_loss
from retrograd.estimator.canned.dnn import summarize_layer
from retrograd.estimator.older.ascent import SDCAOptimizer, model_by_ascent
from retrograd.estimator.older.specs import ModelFnOps
from retrograd.estimator.specs import ModeKeys
from retrograd.feature_column.models import input_layer, linear_model
from retrograd.feature_column.older_columns import Column
from retrograd.feature_column.older_embeddings import _EmbeddingColumn
from retrograd.feature_column.older_models import (
    input_from_feature_columns,
    joint_weighted_sum_from_feature_columns,
    weighted_sum_from_feature_columns,
)
from retrograd.grad.gradients import gradients
from retrograd.graph.scopes import colocate_with, control_dependencies, get_collection
from retrograd.graph.tensor import Tensor
from retrograd.nn import summaries
from retrograd.nn.activations import zero_fraction
from retrograd.nn.contrib.layers import dropout as dropped
from retrograd.nn.contrib.layers import fully_connected
from retrograd.ops import control
from retrograd.ops.activations import relu
from retrograd.ops.clipping import clip_by_global_norm
from retrograd.ops.exponentials import sigmoid
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
    net, scope = deep_input(features, columns, input_partitioner)
    return deep_layers(net, hidden_units, activation, dropout, mode, units, summarize), scope


def deep_input(features: dict[Any, Any], columns: Any, partitioner: Any) -> tuple[Tensor, str]:
    """The numbers of the columns, and the scope of their variables."""
    values, in_scope = tuple(features.values()), ["dnn"]
    with variable_scope("input_from_feature_columns", values=values, partitioner=partitioner) as scope:
        if _are_first_columns(columns):
            net = input_from_feature_columns(features, columns, weight_collections=in_scope, scope=scope)
        else:
            net = input_layer(features, columns, weight_collections=in_scope)
    return net, scope.name


def deep_layers(
    net: Any, hidden_units: Any, activation: Any, dropout: float | None, mode: str, units: int,
    summarize: Callable[[Any, str], None] = _summary_of_layer,
) -> Tensor:  # fmt: skip
    """The logits of a network on numbers, ``hidden_units`` wide in each layer."""
    in_scope = ["dnn"]
    for i, width in enumerate(hidden_units):
        with variable_scope(f"hiddenlayer_{i}", values=(net,)) as scope:
            net = fully_connected(net, width, activation_fn=activation, variables_collections=in_scope, scope=scope)
            if dropout is not None and mode == ModeKeys.TRAIN:
                net = dropped(net, keep_prob=1.0 - dropout)
        summarize(net, scope.name)
    with variable_scope("logits", values=(net,)) as scope:
        logits = fully_connected(net, units, activation_fn=None, variables_collections=in_scope, scope=scope)
    summarize(logits, scope.name)
    return logits  # type: ignore[no-any-return]


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


def partitioner_of(config: Any, smallest: int | None = None) -> Any:
    if smallest is None:
        return min_max_variable_partitioner(max_partitions=_servers(config))
    return min_max_variable_partitioner(max_partitions=_servers(config), min_slice_size=smallest)


# -- the models --------------------------------------------------------------------------------


def deep_model_fn(features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any = None) -> ModelFnOps:
    head, features = params["head"], _features(features)
    with variable_scope("dnn", values=tuple(features.values()), partitioner=partitioner_of(config)):
        logits, scope = _deep_logits(
            features, params["feature_columns"], params["hidden_units"], _activation(params["activation_fn"]),
            params["dropout"], mode, head.logits_dimension,
            partitioner_of(config, params["input_layer_min_slice_size"] or _SLICE), _summary_of_layer,
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


def linear_model_fn(features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any = None) -> ModelFnOps:
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
    partitioner = partitioner_of(config, _SLICE)
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


def combined_model_fn(features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any = None) -> ModelFnOps:
    head, features = params["head"], _features(features)
    linear_columns, deep_columns = params["linear_feature_columns"], params["dnn_feature_columns"]
    linear_optimizer = _optimizer(params["linear_optimizer"] or "Ftrl")
    deep_optimizer = _optimizer(params["dnn_optimizer"] or "Adagrad")
    values, units, clip = tuple(features.values()), head.logits_dimension, params["gradient_clip_norm"]
    logits, scope_of_columns = [], ""
    if deep_columns:
        if not params["dnn_hidden_units"]:
            raise ValueError("dnn_hidden_units must be defined when dnn_feature_columns is specified.")
        with variable_scope("dnn", values=values, partitioner=partitioner_of(config)):
            partitioner = params["input_layer_partitioner"] or partitioner_of(config, _SLICE)
            deep, scope_of_columns = _deep_logits(
                features, deep_columns, params["dnn_hidden_units"], params["dnn_activation_fn"] or relu,
                params["dnn_dropout"], mode, units, partitioner, summarize_layer,
            )  # fmt: skip
            logits.append(deep)
    if linear_columns:
        with variable_scope("linear", values=values, partitioner=partitioner_of(config, _SLICE)) as scope:
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
