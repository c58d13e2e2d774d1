"""Protocol buffers of ``tf.contrib.boosted_trees``: ensembles, splits, how trees are learned, and quantiles."""

from __future__ import annotations

from functools import cache
from typing import Any

from retrograd.files.messages import classes_of

_TREES, _LEARNER, _QUANTILES = "tensorflow.boosted_trees.trees", "tensorflow.boosted_trees.learner", "boosted_trees"
_Fields = dict[str, list[tuple[str, int, str]]]
_PLACES = [("left_id", 3, "int32"), ("right_id", 4, "int32")]
_TREE_FIELDS: _Fields = {
    "Vector": [("value", 1, "*float")],
    "SparseVector": [("index", 1, "*int32"), ("value", 2, "*float")],
    "Leaf": [("vector", 1, "Vector|leaf"), ("sparse_vector", 2, "SparseVector|leaf")],
    "DenseFloatBinarySplit": [
        ("feature_column", 1, "int32"), ("dimension_id", 5, "int32"), ("threshold", 2, "float"), *_PLACES,
    ],
    "SparseFloatBinarySplitDefaultLeft": [("split", 1, "DenseFloatBinarySplit")],
    "SparseFloatBinarySplitDefaultRight": [("split", 1, "DenseFloatBinarySplit")],
    "CategoricalIdBinarySplit": [("feature_column", 1, "int32"), ("feature_id", 2, "int64"), *_PLACES],
    "CategoricalIdSetMembershipBinarySplit": [
        ("feature_column", 1, "int32"), ("feature_ids", 2, "*int64"), *_PLACES,
    ],
    "ObliviousDenseFloatBinarySplit": [("feature_column", 1, "int32"), ("threshold", 2, "float")],
    "ObliviousCategoricalIdBinarySplit": [("feature_column", 1, "int32"), ("feature_id", 2, "int64")],
    "TreeNodeMetadata": [
        ("gain", 1, "float"), ("original_leaf", 2, "Leaf"), ("original_oblivious_leaves", 3, "*Leaf"),
    ],
    "TreeNode": [
        ("leaf", 1, "Leaf|node"), ("dense_float_binary_split", 2, "DenseFloatBinarySplit|node"),
        ("sparse_float_binary_split_default_left", 3, "SparseFloatBinarySplitDefaultLeft|node"),
        ("sparse_float_binary_split_default_right", 4, "SparseFloatBinarySplitDefaultRight|node"),
        ("categorical_id_binary_split", 5, "CategoricalIdBinarySplit|node"),
        ("categorical_id_set_membership_binary_split", 6, "CategoricalIdSetMembershipBinarySplit|node"),
        ("oblivious_dense_float_binary_split", 7, "ObliviousDenseFloatBinarySplit|node"),
        ("oblivious_categorical_id_binary_split", 8, "ObliviousCategoricalIdBinarySplit|node"),
        ("node_metadata", 777, "TreeNodeMetadata"),
    ],
    "DecisionTreeConfig": [("nodes", 1, "*TreeNode")],
    "DecisionTreeMetadata": [
        ("num_tree_weight_updates", 1, "int32"), ("num_layers_grown", 2, "int32"), ("is_finalized", 3, "bool"),
    ],
    "GrowingMetadata": [
        ("num_trees_attempted", 1, "int64"), ("num_layers_attempted", 2, "int64"), ("used_handler_ids", 3, "*int64"),
    ],
    "DecisionTreeEnsembleConfig": [
        ("trees", 1, "*DecisionTreeConfig"), ("tree_weights", 2, "*float"),
        ("tree_metadata", 3, "*DecisionTreeMetadata"), ("growing_metadata", 4, "GrowingMetadata"),
    ],
}  # fmt: skip
_SPLIT_FIELDS: _Fields = {
    "SplitInfo": [("split_node", 1, "TreeNode"), ("left_child", 2, "Leaf"), ("right_child", 3, "Leaf")],
    "ObliviousSplitInfo": [
        ("split_node", 1, "TreeNode"), ("children", 2, "*Leaf"), ("children_parent_id", 3, "*int32"),
    ],
}  # fmt: skip
_LEARNER_FIELDS: _Fields = {
    "TreeRegularizationConfig": [("l1", 1, "float"), ("l2", 2, "float"), ("tree_complexity", 3, "float")],
    "TreeConstraintsConfig": [
        ("max_tree_depth", 1, "uint32"), ("min_node_weight", 2, "float"),
        ("max_number_of_unique_feature_columns", 3, "int64"),
    ],
    "LearningRateConfig": [
        ("fixed", 1, "LearningRateFixedConfig|tuner"), ("dropout", 2, "LearningRateDropoutDrivenConfig|tuner"),
        ("line_search", 3, "LearningRateLineSearchConfig|tuner"),
    ],
    "LearningRateFixedConfig": [("learning_rate", 1, "float")],
    "LearningRateLineSearchConfig": [("max_learning_rate", 1, "float"), ("num_steps", 2, "int32")],
    "AveragingConfig": [
        ("average_last_n_trees", 1, "float|config"), ("average_last_percent_trees", 2, "float|config"),
    ],
    "LearningRateDropoutDrivenConfig": [
        ("dropout_probability", 1, "float"), ("probability_of_skipping_dropout", 2, "float"),
        ("learning_rate", 3, "float"),
    ],
    "LearnerConfig": [
        ("num_classes", 1, "uint32"), ("feature_fraction_per_tree", 2, "float|feature_fraction"),
        ("feature_fraction_per_level", 3, "float|feature_fraction"),
        ("regularization", 4, "TreeRegularizationConfig"), ("constraints", 5, "TreeConstraintsConfig"),
        ("pruning_mode", 8, "LearnerConfig.PruningMode"), ("growing_mode", 9, "LearnerConfig.GrowingMode"),
        ("learning_rate_tuner", 6, "LearningRateConfig"),
        ("multi_class_strategy", 10, "LearnerConfig.MultiClassStrategy"),
        ("averaging_config", 11, "AveragingConfig"), ("weak_learner_type", 12, "LearnerConfig.WeakLearnerType"),
        ("each_tree_start", 13, "DecisionTreeConfig"), ("each_tree_start_num_layers", 14, "int32"),
    ],
}  # fmt: skip
_ENUMS = {
    "LearnerConfig.PruningMode": ("PRUNING_MODE_UNSPECIFIED", "PRE_PRUNE", "POST_PRUNE"),
    "LearnerConfig.GrowingMode": ("GROWING_MODE_UNSPECIFIED", "WHOLE_TREE", "LAYER_BY_LAYER"),
    "LearnerConfig.MultiClassStrategy": (
        "MULTI_CLASS_STRATEGY_UNSPECIFIED", "TREE_PER_CLASS", "FULL_HESSIAN", "DIAGONAL_HESSIAN",
    ),
    "LearnerConfig.WeakLearnerType": ("NORMAL_DECISION_TREE", "OBLIVIOUS_DECISION_TREE"),
}  # fmt: skip
_QUANTILE_FIELDS: _Fields = {
    "QuantileConfig": [("eps", 1, "double"), ("num_quantiles", 2, "int64")],
    "QuantileEntry": [
        ("value", 1, "float"), ("weight", 2, "float"), ("min_rank", 3, "float"), ("max_rank", 4, "float"),
    ],
    "QuantileSummaryState": [("entries", 1, "*QuantileEntry")],
    "QuantileStreamState": [("summaries", 1, "*QuantileSummaryState")],
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """The class of a message is found under its name."""
    found = None if name.startswith("__") else _classes().get(name)
    if found is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return found


@cache
def _classes() -> dict[str, Any]:
    found = dict(classes_of(_TREE_FIELDS, _TREES))
    others = {name: found[f"{_TREES}.{name}"] for name in ("DecisionTreeConfig", "TreeNode", "Leaf")}
    found.update(classes_of({**_SPLIT_FIELDS, **_LEARNER_FIELDS}, _LEARNER, others, _ENUMS))
    found.update(classes_of(_QUANTILE_FIELDS, _QUANTILES))
    return {name.rpartition(".")[2]: kind for name, kind in found.items()}


def message(name: str) -> Any:
    """The class of a message."""
    return _classes()[name]
