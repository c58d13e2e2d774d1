"""Protocol buffers of boosted trees: an ensemble, and what its trees say of an example."""

from __future__ import annotations

from functools import cache
from typing import Any

from retrograd.files.messages import classes_of

_PACKAGE = "tensorflow.boosted_trees"
_PLACES = [("left_id", 3, "int32"), ("right_id", 4, "int32")]
_ENUMS = {"DefaultDirection": ("DEFAULT_LEFT", "DEFAULT_RIGHT")}
_MESSAGES: dict[str, list[tuple[str, int, str]]] = {
    "Vector": [("value", 1, "*float")],
    "SparseVector": [("index", 1, "*int32"), ("value", 2, "*float")],
    "Leaf": [("vector", 1, "Vector|leaf"), ("sparse_vector", 2, "SparseVector|leaf"), ("scalar", 3, "float")],
    "BucketizedSplit": [
        ("feature_id", 1, "int32"), ("threshold", 2, "int32"), *_PLACES, ("dimension_id", 5, "int32"),
        ("default_direction", 6, "DefaultDirection"),
    ],
    "CategoricalSplit": [("feature_id", 1, "int32"), ("value", 2, "int32"), *_PLACES, ("dimension_id", 5, "int32")],
    "DenseSplit": [("feature_id", 1, "int32"), ("threshold", 2, "float"), *_PLACES],
    "NodeMetadata": [("gain", 1, "float"), ("original_leaf", 2, "Leaf")],
    "Node": [
        ("leaf", 1, "Leaf|node"), ("bucketized_split", 2, "BucketizedSplit|node"),
        ("categorical_split", 3, "CategoricalSplit|node"), ("dense_split", 4, "DenseSplit|node"),
        ("metadata", 777, "NodeMetadata"),
    ],
    "Tree": [("nodes", 1, "*Node")],
    "PostPruneNodeUpdate": [("new_node_id", 1, "int32"), ("logit_change", 2, "*float")],
    "TreeMetadata": [
        ("num_layers_grown", 2, "int32"), ("is_finalized", 3, "bool"),
        ("post_pruned_nodes_meta", 4, "*PostPruneNodeUpdate"),
    ],
    "GrowingMetadata": [
        ("num_trees_attempted", 1, "int64"), ("num_layers_attempted", 2, "int64"),
        ("last_layer_node_start", 3, "int32"), ("last_layer_node_end", 4, "int32"),
    ],
    "TreeEnsemble": [
        ("trees", 1, "*Tree"), ("tree_weights", 2, "*float"), ("tree_metadata", 3, "*TreeMetadata"),
        ("growing_metadata", 4, "GrowingMetadata"),
    ],
    "DebugOutput": [("feature_ids", 1, "*int32"), ("logits_path", 2, "*float")],
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """The class of a message is found under its name."""
    if name not in _MESSAGES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return message(name)


@cache
def _classes() -> Any:
    return classes_of(_MESSAGES, _PACKAGE, enums=_ENUMS)


def message(name: str) -> Any:
    """The class of a message."""
    return _classes()[f"{_PACKAGE}.{name}"]
