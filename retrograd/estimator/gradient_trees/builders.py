"""The ``model_fn`` of boosted trees, for estimators of ``tf.contrib.learn`` and of ``tf.estimator``.

Source: TensorFlow 1.15.5, ``contrib/boosted_trees/estimator_batch/model.py``: parameters, names, order of nodes.
"""

from __future__ import annotations

from typing import Any

from retrograd.estimator.export_outputs import ClassificationOutput
from retrograd.estimator.gradient_trees.hooks import StopAfterNTrees
from retrograd.estimator.gradient_trees.model import LEAF_INDEX, PREDICTIONS, GradientBoostedDecisionTreeModel
from retrograd.estimator.gradient_trees.resources import tree_ensemble_variable
from retrograd.estimator.older.keys import PredictionKey, ProblemType
from retrograd.estimator.older.specs import ModelFnOps
from retrograd.estimator.specs import EstimatorSpec, ModeKeys
from retrograd.files import gradient_tree_messages as messages
from retrograd.graph.scopes import colocate_with, control_dependencies, device, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.ops.state import assign_add
from retrograd.train.training_util import get_global_step

_FIRST_WEIGHT = 0.1  # of the tree whose first splits are given


class ModelBuilderOutputType:
    """What a builder gives: ``ModelFnOps`` or an ``EstimatorSpec``."""

    MODEL_FN_OPS, ESTIMATOR_SPEC = 0, 1


def estimator_spec_to_model_fn_ops(estimator_spec: EstimatorSpec, export_alternatives: bool = False) -> ModelFnOps:
    """What an older estimator takes of a newer one's model."""
    outputs = (estimator_spec.export_outputs or {}).items() if export_alternatives else ()
    alternatives: Any = {
        key: (
            ProblemType.CLASSIFICATION,
            {PredictionKey.SCORES: output.scores, PredictionKey.CLASSES: output.classes},
        )
        for key, output in outputs
        if isinstance(output, ClassificationOutput)
    }
    if export_alternatives and estimator_spec.export_outputs is None:
        alternatives = None
    return ModelFnOps(
        mode=estimator_spec.mode, predictions=estimator_spec.predictions, loss=estimator_spec.loss,
        train_op=estimator_spec.train_op, eval_metric_ops=estimator_spec.eval_metric_ops,
        output_alternatives=alternatives if export_alternatives else [],
    )  # fmt: skip


def _first_trees(config: Any) -> Any:
    """The ensemble to begin with: one with a tree, where the first splits of trees are given."""
    if not config.each_tree_start.nodes:
        return ""
    if config.each_tree_start_num_layers <= 0:
        raise ValueError("You must provide each_tree_start_num_layers.")
    ensemble = messages.message("DecisionTreeEnsembleConfig")()
    ensemble.trees.add().CopyFrom(config.each_tree_start)
    ensemble.tree_weights.append(_FIRST_WEIGHT)
    ensemble.tree_metadata.add(num_tree_weight_updates=1, num_layers_grown=config.each_tree_start_num_layers)
    return ensemble.SerializeToString()


def _begun(features: Any, params: dict[str, Any], config: Any) -> tuple[Any, dict[str, Any], Any]:
    """The features as a dict, those that trees read, and the global step."""
    if features is None:
        raise ValueError("At least one feature must be specified.")
    if config is None:
        raise ValueError("Missing estimator RunConfig.")
    if isinstance(features, Tensor):
        features = {features.name: features}
    trained_on = {key: x for key, x in features.items() if key != params["weight_column_name"]}
    return features, trained_on, get_global_step()


def _ensemble(step: Any, config: Any) -> Any:
    with device(step.device):
        return tree_ensemble_variable(0, config, name="ensemble_model")


def _model(handle: Any, features: Any, params: dict[str, Any], config: Any, **more: Any) -> Any:
    return GradientBoostedDecisionTreeModel(
        is_chief=config.is_chief, num_ps_replicas=config.num_ps_replicas, ensemble_handle=handle,
        center_bias=params["center_bias"], examples_per_layer=params["examples_per_layer"],
        learner_config=params["learner_config"], feature_columns=params["feature_columns"],
        logits_dimension=params["head"].logits_dimension, features=features,
        use_core_columns=params["use_core_libs"], output_leaf_index=params["output_leaf_index"], **more,
    )  # fmt: skip


def _made(
    model: Any, predictions: dict[str, Any], logits: Any, features: Any, labels: Any, mode: str,
    params: dict[str, Any], step: Any, output_type: int,
) -> Any:  # fmt: skip
    """What a head makes of the logits, with the trees' step of training, and the hook that ends it."""
    head, is_spec = params["head"], output_type == ModelBuilderOutputType.ESTIMATOR_SPEC

    def train_op_fn(loss: Any) -> Any:
        grown = model.train(loss, predictions, labels)
        with control_dependencies([grown]), colocate_with(step):
            return assign_add(step, 1).op

    hooks, count = [], params["num_trees"]
    if count:
        whole, tried = model.get_number_of_trees_tensor()
        count += 1 if params["center_bias"] else 0
        hooks.append(StopAfterNTrees(count, tried, whole, params.get("override_global_step_value")))
    is_core = params["use_core_libs"] and callable(getattr(head, "create_estimator_spec", None))
    given = {"features": features, "mode": mode, "labels": labels, "train_op_fn": train_op_fn, "logits": logits}
    made = head.create_estimator_spec(**given) if is_spec or is_core else head.create_model_fn_ops(**given)
    if not is_spec and is_core:
        made = estimator_spec_to_model_fn_ops(made)
    if LEAF_INDEX in predictions:
        made.predictions[LEAF_INDEX] = predictions[LEAF_INDEX]
    if is_spec:
        return made._replace(training_hooks=hooks + list(made.training_hooks))
    made.training_hooks.extend(hooks)
    return made


def model_builder(
    features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any,
    output_type: int = ModelBuilderOutputType.MODEL_FN_OPS,
) -> Any:  # fmt: skip
    """The model of an ensemble of trees under a head.

    Args:
      params: head, learner_config, feature_columns, examples_per_layer, weight_column_name, num_trees, center_bias,
        use_core_libs, logits_modifier_function, output_leaf_index, num_quantiles, override_global_step_value.
      output_type: one of ``ModelBuilderOutputType``.

    Raises:
      ValueError: there are no features, or no configuration.
    """
    features, trained_on, step = _begun(features, params, config)
    handle = _ensemble(step, _first_trees(params["learner_config"]))
    model = _model(handle, trained_on, params, config, num_quantiles=params["num_quantiles"])
    with name_scope("gbdt", "gbdt_optimizer"):
        predictions = model.predict(mode)
        logits = predictions[PREDICTIONS]
        if params["logits_modifier_function"]:
            logits = params["logits_modifier_function"](logits, features, mode)
    return _made(model, predictions, logits, features, labels, mode, params, step, output_type)


def _pairs(features: dict[str, Any], keys: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The features of the left and of the right of pairs, by what their names begin with."""
    if len(keys) != 2:
        raise ValueError("You must provide keys for ranking.")
    left, right = keys
    if left is None or right is None:
        raise ValueError("Both pair keys should be provided for ranking.")
    found: tuple[dict[str, Any], dict[str, Any]] = {}, {}
    for name, feature in features.items():
        is_left = name.startswith(left + ".")
        assert is_left or name.startswith(right + ".")
        found[0 if is_left else 1][name[2:]] = feature
    return found


def ranking_model_builder(
    features: Any, labels: Any, mode: str, params: dict[str, Any], config: Any,
    output_type: int = ModelBuilderOutputType.MODEL_FN_OPS,
) -> Any:  # fmt: skip
    """The same, trained on pairs: the head gets the difference of the logits of left and right.

    Args:
      params: as of ``model_builder``, with ranking_model_pair_keys.

    Raises:
      ValueError: the keys are not two, or there are no features.
    """
    features, trained_on, step = _begun(features, params, config)
    handle = _ensemble(step, "")
    main, other = trained_on, None
    if mode in (ModeKeys.TRAIN, ModeKeys.EVAL):
        main, other = _pairs(trained_on, params["ranking_model_pair_keys"])
    model = _model(handle, main, params, config, num_quantiles=params["num_quantiles"])
    with name_scope("gbdt", "gbdt_optimizer"):
        if other is None:
            predictions = model.predict(mode)
            logits = predictions[PREDICTIONS]
        else:
            right = _model(handle, other, params, config)
            predictions = model.predict(mode)
            logits = predictions[PREDICTIONS] - right.predict(mode)[PREDICTIONS]
        if params["logits_modifier_function"]:
            logits = params["logits_modifier_function"](logits, features, mode)
        if other is not None:
            predictions[PREDICTIONS] = logits
    return _made(model, predictions, logits, features, labels, mode, params, step, output_type)
