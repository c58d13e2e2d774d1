"""A network and boosted trees together: the network is trained first, then trees on what it leaves over.

Source: TensorFlow 1.15.5, ``contrib/boosted_trees/estimator_batch/dnn_tree_combined_estimator.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.contrib.optimizing import optimize_loss
from retrograd.estimator.canned.labels import weights_of
from retrograd.estimator.estimator import Estimator as CoreEstimator
from retrograd.estimator.gradient_trees.builders import ModelBuilderOutputType
from retrograd.estimator.gradient_trees.heads import create_dnn_to_tree_cross_entropy_loss_fn
from retrograd.estimator.gradient_trees.hooks import StopAfterNTrees, SwitchTrainOp
from retrograd.estimator.gradient_trees.model import PREDICTIONS, GradientBoostedDecisionTreeModel
from retrograd.estimator.gradient_trees.resources import tree_ensemble_variable
from retrograd.estimator.learn import Estimator
from retrograd.estimator.older.head_makers import multi_class_head, regression_head
from retrograd.estimator.older.model_fns import deep_input, deep_layers
from retrograd.estimator.specs import ModeKeys
from retrograd.feature_column.older_numbers import real_valued_column
from retrograd.graph import log
from retrograd.graph.collections import GraphKeys
from retrograd.graph.scopes import colocate_with, control_dependencies, device, get_collection, name_scope
from retrograd.nn import summaries
from retrograd.ops import arrays, constants, control
from retrograd.ops.activations import relu
from retrograd.ops.conditions import cond
from retrograd.ops.state import assign_add
from retrograd.state.partitioned import min_max_variable_partitioner
from retrograd.state.scopes import variable_scope
from retrograd.train.training_util import get_global_step

_RATE = 0.001
_SLICE = 64 << 20
_INPUT = "dnn_input_layer"  # what the network reads, as a feature of the trees


def _made_optimizer(optimizer: Any) -> Any:
    return optimizer() if callable(optimizer) else optimizer


def _weights(features: Any, head: Any, logits: Any, is_core: bool) -> Any:
    return weights_of(features, head._weight_column, logits) if is_core else head._weights(features)


def _model(
    features: Any, labels: Any, mode: str, config: Any, head: Any, hidden_units: Any, columns: Any, learner: Any,
    num_trees: int, examples_per_layer: Any, given: dict[str, Any], output_type: int,
) -> Any:  # fmt: skip
    """The model of the network and the trees under a head; ``given`` are its other arguments by their names."""
    is_spec, is_core = output_type == ModelBuilderOutputType.ESTIMATOR_SPEC, given["use_core_versions"]
    if not isinstance(features, dict):
        raise ValueError(f"features should be a dictionary of `Tensor`s. Given type: {type(features)}")
    if not columns:
        raise ValueError("dnn_feature_columns must be specified")
    if is_spec and not is_core:
        raise ValueError("You must use core versions with Estimator Spec")
    distilled, only_trees = given["dnn_to_tree_distillation_param"], given["predict_with_tree_only"]
    if distilled and not only_trees:
        log.warning("update predict_with_tree_only to True since distillationis specified.")
        only_trees = True
    step, network_steps = get_global_step(), given["dnn_steps_to_train"]
    partitioner = given["dnn_input_layer_partitioner"] or min_max_variable_partitioner(
        max_partitions=config.num_ps_replicas, min_slice_size=_SLICE
    )
    with variable_scope("dnn", values=tuple(features.values()), partitioner=partitioner):
        net, _ = deep_input(features, columns, partitioner)

        def network() -> Any:
            return deep_layers(
                net, hidden_units, given["dnn_activation_fn"], given["dnn_dropout"], mode, head.logits_dimension
            )  # fmt: skip

        if only_trees and mode == ModeKeys.PREDICT:
            network_logits = constants.constant(0.0)
        elif only_trees and mode == ModeKeys.EVAL:
            network_logits = cond(step > network_steps, lambda: constants.constant(0.0), network)
        else:
            network_logits = network()

    def train_network(loss: Any) -> Any:
        variables = get_collection(GraphKeys.TRAINABLE_VARIABLES, scope="dnn")
        return optimize_loss(
            loss=loss, global_step=get_global_step(), learning_rate=_RATE,
            optimizer=_made_optimizer(given["dnn_optimizer"]), name="dnn", variables=variables, summaries=[],
        )  # fmt: skip

    with device(step.device):
        handle = tree_ensemble_variable(0, "", name="ensemble_model")
    tree_features, tree_columns = dict(features), given["tree_feature_columns"]
    if given["dnn_input_layer_to_tree"]:
        tree_features[_INPUT] = net
        tree_columns = [*tree_columns, real_valued_column(_INPUT)]
    trees = GradientBoostedDecisionTreeModel(
        is_chief=config.is_chief, num_ps_replicas=config.num_ps_replicas, ensemble_handle=handle,
        center_bias=given["tree_center_bias"], examples_per_layer=examples_per_layer, learner_config=learner,
        feature_columns=tree_columns, logits_dimension=head.logits_dimension, features=tree_features,
        use_core_columns=is_core,
    )  # fmt: skip
    with name_scope("gbdt"):
        predictions = trees.predict(mode)
        tree_logits = predictions[PREDICTIONS]

    def train_trees(loss: Any) -> Any:
        if distilled:
            weight, loss_fn = distilled
            classes = 2 if head.logits_dimension == 1 else head.logits_dimension
            loss_fn = loss_fn or create_dnn_to_tree_cross_entropy_loss_fn(classes)
            weights = _weights(features, head, tree_logits, is_core)
            between = weight * loss_fn(arrays.stop_gradient(network_logits), tree_logits, weights)
            summaries.scalar("dnn_to_tree_distillation_loss", between)
            loss += between
        grown = trees.train(loss, predictions, labels)
        with control_dependencies([grown]), colocate_with(step):
            return assign_add(step, 1).op

    if not only_trees:
        logits = network_logits + tree_logits
    elif mode == ModeKeys.EVAL:
        logits = cond(step > network_steps, lambda: tree_logits, lambda: network_logits)
    else:
        logits = tree_logits
    make = head.create_estimator_spec if is_spec else head.create_model_fn_ops

    def made(train_op_fn: Any, of: Any, read: Any = features) -> Any:
        return make(features=read, mode=mode, labels=labels, train_op_fn=train_op_fn, logits=of)

    both = made(lambda loss: control.no_op(), logits)
    if mode != ModeKeys.TRAIN:
        return both
    first = made(train_network, network_logits).train_op
    second = made(train_trees, logits, tree_features).train_op
    whole, tried = trees.get_number_of_trees_tensor()
    count = num_trees + (1 if given["tree_center_bias"] else 0)
    hooks = [
        SwitchTrainOp(first, network_steps, second),
        StopAfterNTrees(count, tried, whole, given["override_global_step_value"]),
    ]
    if is_spec:
        return both._replace(training_hooks=hooks + list(both.training_hooks))
    both.training_hooks.extend(hooks)
    return both


def _model_fn(
    head: Any, hidden_units: Any, columns: Any, learner: Any, num_trees: int, examples_per_layer: Any,
    output_type: int, **given: Any,
) -> Callable[..., Any]:  # fmt: skip
    def model_fn(features: Any, labels: Any, mode: str, config: Any) -> Any:
        return _model(
            features, labels, mode, config, head, hidden_units, columns, learner, num_trees, examples_per_layer,
            given, output_type,
        )  # fmt: skip

    return model_fn


class DNNBoostedTreeCombinedEstimator(Estimator):
    """A network and trees under a head of ``tf.contrib.learn``: their logits are added.

    Args:
      dnn_hidden_units, dnn_feature_columns, dnn_optimizer, dnn_activation_fn, dnn_dropout: the network, as of
        ``tf.contrib.learn.DNNEstimator``; the rate of learning is 0.001.
      tree_learner_config, num_trees, tree_examples_per_layer, tree_center_bias: the trees, as of
        ``GradientBoostedDecisionTreeEstimator``.
      dnn_input_layer_to_tree: whether trees read what the network reads, beside ``tree_feature_columns``.
      dnn_steps_to_train: after how many steps the trees are trained in place of the network.
      predict_with_tree_only: whether trees predict alone.
      dnn_to_tree_distillation_param: a weight, and a loss of the network's logits, the trees' and the weights, or None:
        trees learn from the network, too, and predict alone.
      use_core_versions: whether columns are of ``tf.feature_column``.
      override_global_step_value: what the global step is to be when training ends.
    """

    def __init__(
        self, dnn_hidden_units: Any, dnn_feature_columns: Any, tree_learner_config: Any, num_trees: int,
        tree_examples_per_layer: Any, head: Any, model_dir: Any = None, config: Any = None,
        feature_engineering_fn: Any = None,
        dnn_optimizer: Any = "Adagrad", dnn_activation_fn: Any = relu, dnn_dropout: float | None = None,
        dnn_input_layer_partitioner: Any = None, dnn_input_layer_to_tree: bool = True,
        dnn_steps_to_train: int = 10000, predict_with_tree_only: bool = False, tree_feature_columns: Any = None,
        tree_center_bias: bool = False, dnn_to_tree_distillation_param: Any = None, use_core_versions: bool = False,
        override_global_step_value: int | None = None,
    ) -> None:  # fmt: skip
        model_fn = _model_fn(
            head, dnn_hidden_units, dnn_feature_columns, tree_learner_config, num_trees, tree_examples_per_layer,
            ModelBuilderOutputType.MODEL_FN_OPS, dnn_optimizer=dnn_optimizer, dnn_activation_fn=dnn_activation_fn,
            dnn_dropout=dnn_dropout, dnn_input_layer_partitioner=dnn_input_layer_partitioner,
            dnn_input_layer_to_tree=dnn_input_layer_to_tree, dnn_steps_to_train=dnn_steps_to_train,
            predict_with_tree_only=predict_with_tree_only, tree_feature_columns=tree_feature_columns,
            tree_center_bias=tree_center_bias, dnn_to_tree_distillation_param=dnn_to_tree_distillation_param,
            use_core_versions=use_core_versions, override_global_step_value=override_global_step_value,
        )  # fmt: skip
        super().__init__(model_fn, model_dir, config, feature_engineering_fn=feature_engineering_fn)


class DNNBoostedTreeCombinedClassifier(DNNBoostedTreeCombinedEstimator):
    """One of ``n_classes`` classes; arguments as of ``DNNBoostedTreeCombinedEstimator``."""

    def __init__(
        self, dnn_hidden_units: Any, dnn_feature_columns: Any, tree_learner_config: Any, num_trees: int,
        tree_examples_per_layer: Any, n_classes: int = 2, weight_column_name: str | None = None,
        model_dir: Any = None, config: Any = None,
        label_name: str | None = None, label_keys: Any = None, feature_engineering_fn: Any = None,
        dnn_optimizer: Any = "Adagrad", dnn_activation_fn: Any = relu, dnn_dropout: float | None = None,
        dnn_input_layer_partitioner: Any = None, dnn_input_layer_to_tree: bool = True,
        dnn_steps_to_train: int = 10000, predict_with_tree_only: bool = False, tree_feature_columns: Any = None,
        tree_center_bias: bool = False, dnn_to_tree_distillation_param: Any = None, use_core_versions: bool = False,
        override_global_step_value: int | None = None,
    ) -> None:  # fmt: skip
        head = multi_class_head(
            n_classes=n_classes, label_name=label_name, label_keys=label_keys, weight_column_name=weight_column_name
        )
        super().__init__(
            dnn_hidden_units, dnn_feature_columns, tree_learner_config, num_trees, tree_examples_per_layer, head,
            model_dir, config, feature_engineering_fn, dnn_optimizer, dnn_activation_fn, dnn_dropout,
            dnn_input_layer_partitioner, dnn_input_layer_to_tree, dnn_steps_to_train,
            predict_with_tree_only, tree_feature_columns, tree_center_bias,
            dnn_to_tree_distillation_param, use_core_versions, override_global_step_value,
        )  # fmt: skip


class DNNBoostedTreeCombinedRegressor(DNNBoostedTreeCombinedEstimator):
    """``label_dimension`` numbers; arguments as of ``DNNBoostedTreeCombinedEstimator``."""

    def __init__(
        self, dnn_hidden_units: Any, dnn_feature_columns: Any, tree_learner_config: Any, num_trees: int,
        tree_examples_per_layer: Any, weight_column_name: str | None = None, model_dir: Any = None, config: Any = None,
        label_name: str | None = None, label_dimension: int = 1, feature_engineering_fn: Any = None,
        dnn_optimizer: Any = "Adagrad", dnn_activation_fn: Any = relu, dnn_dropout: float | None = None,
        dnn_input_layer_partitioner: Any = None, dnn_input_layer_to_tree: bool = True,
        dnn_steps_to_train: int = 10000, predict_with_tree_only: bool = False, tree_feature_columns: Any = None,
        tree_center_bias: bool = False, dnn_to_tree_distillation_param: Any = None, use_core_versions: bool = False,
        override_global_step_value: int | None = None,
    ) -> None:  # fmt: skip
        head = regression_head(
            label_name=label_name, label_dimension=label_dimension, weight_column_name=weight_column_name
        )
        tree_learner_config.num_classes = 2 if label_dimension == 1 else label_dimension
        super().__init__(
            dnn_hidden_units, dnn_feature_columns, tree_learner_config, num_trees, tree_examples_per_layer, head,
            model_dir, config, feature_engineering_fn, dnn_optimizer, dnn_activation_fn, dnn_dropout,
            dnn_input_layer_partitioner, dnn_input_layer_to_tree, dnn_steps_to_train,
            predict_with_tree_only, tree_feature_columns, tree_center_bias,
            dnn_to_tree_distillation_param, use_core_versions, override_global_step_value,
        )  # fmt: skip


class CoreDNNBoostedTreeCombinedEstimator(CoreEstimator):
    """The same under a head of ``tf.estimator``."""

    def __init__(
        self, dnn_hidden_units: Any, dnn_feature_columns: Any, tree_learner_config: Any, num_trees: int,
        tree_examples_per_layer: Any, head: Any, model_dir: Any = None, config: Any = None,
        dnn_optimizer: Any = "Adagrad", dnn_activation_fn: Any = relu, dnn_dropout: float | None = None,
        dnn_input_layer_partitioner: Any = None, dnn_input_layer_to_tree: bool = True,
        dnn_steps_to_train: int = 10000, predict_with_tree_only: bool = False, tree_feature_columns: Any = None,
        tree_center_bias: bool = False, dnn_to_tree_distillation_param: Any = None,
    ) -> None:  # fmt: skip
        model_fn = _model_fn(
            head, dnn_hidden_units, dnn_feature_columns, tree_learner_config, num_trees, tree_examples_per_layer,
            ModelBuilderOutputType.ESTIMATOR_SPEC, dnn_optimizer=dnn_optimizer, dnn_activation_fn=dnn_activation_fn,
            dnn_dropout=dnn_dropout, dnn_input_layer_partitioner=dnn_input_layer_partitioner,
            dnn_input_layer_to_tree=dnn_input_layer_to_tree, dnn_steps_to_train=dnn_steps_to_train,
            predict_with_tree_only=predict_with_tree_only, tree_feature_columns=tree_feature_columns,
            tree_center_bias=tree_center_bias, dnn_to_tree_distillation_param=dnn_to_tree_distillation_param,
            use_core_versions=True, override_global_step_value=None,
        )  # fmt: skip
        super().__init__(model_fn, model_dir=model_dir, config=config)
