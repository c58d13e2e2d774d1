"""``tf.contrib.boosted_trees``: what an ensemble predicts, and the leaf at which each example arrives.

A prediction is the sum over the trees of the weight times the value of the leaf.  With dropout some trees are left
out of it, drawn from a seed.  Sources: Rashmi and Gilad-Bachrach, "DART", 2015; TensorFlow 1.15.5.
"""

from __future__ import annotations

from functools import lru_cache, wraps
from typing import Any

import numpy as np

from retrograd.files import gradient_tree_messages as messages
from retrograd.graph import errors
from retrograd.graph.definition import REQUIRED
from retrograd.ops import gradient_trees as trees_
from retrograd.ops import philox
from retrograd.ops.boosted_tree_splits import host_op
from retrograd.ops.candidates import unit_doubles
from retrograd.ops.gradient_trees import GradientTrees, NodeColumns


@lru_cache(maxsize=64)
def learner(serialized: bytes) -> Any:
    """How trees are learned, of an attribute."""
    serialized = serialized.encode("latin-1") if isinstance(serialized, str) else serialized
    return trees_.parsed("LearnerConfig", serialized, "Unable to parse learner config config.")


# -- examples ----------------------------------------------------------------------------------


def _checked(is_so: Any, complaint: str) -> None:
    if not is_so:
        raise errors.InvalidArgumentError(None, None, complaint)


class Examples:
    """The features of a batch: columns of numbers, and of some of the examples numbers or categories."""

    def __init__(self, dense: Any, floats: tuple[Any, Any, Any], ints: tuple[Any, Any, Any]) -> None:
        first = next((shapes for shapes in (floats[2], ints[2]) if len(shapes)), None)
        self.count = len(dense[0]) if len(dense) else int(first[0][0]) if first is not None else 0
        self._dense = np.stack([self._column(each) for each in dense]) if len(dense) else None
        self._floats = [self._sparse(*each, kind="float") for each in zip(*floats, strict=True)]
        self._ints = [self._sparse(*each, kind="int") for each in zip(*ints, strict=True)]

    def _column(self, x: Any) -> Any:
        _checked(x.ndim == 2, "Dense float feature must be a matrix.")
        _checked(
            len(x) == self.count, f"Dense float vector must have batch_size rows: {self.count} vs. {len(x)}"
        )  # fmt: skip
        _checked(x.shape[1] == 1, f"Dense float features may not be multivalent: dim_size(1) = {x.shape[1]}")
        return x[:, 0]

    def _sparse(self, indices: Any, values: Any, shape: Any, kind: str) -> tuple[Any, Any, Any]:
        """The examples, dimensions and values of a feature that not all examples have."""
        _checked(indices.ndim == 2, f"Sparse {kind} feature indices must be a matrix.")
        _checked(values.ndim == 1, f"Sparse {kind} feature values must be a vector.")
        _checked(shape.ndim == 1, f"Sparse {kind} feature shape must be a vector.")
        _checked(len(shape) == 2, f"Sparse {kind} feature column must be two-dimensional.")
        _checked(shape[0] == self.count, f"Sparse {kind} feature shape incompatible with batch size.")
        return indices[:, 0], indices[:, 1], values

    def goes_left(self, columns: NodeColumns, node: int, rows: Any) -> Any:
        """Which of the examples a split sends to the left."""
        kind, feature = columns.kind[node], int(columns.feature[node])
        if kind in (trees_.DENSE, trees_.ALL_DENSE):
            return self._dense[feature, rows] <= columns.threshold[node]  # type: ignore[index]
        if kind in (trees_.SPARSE_LEFT, trees_.SPARSE_RIGHT):
            examples, dimensions, values = self._floats[feature]
            mine = dimensions == columns.dimension[node]
            is_low = np.full(self.count, kind == trees_.SPARSE_LEFT)
            is_low[examples[mine]] = values[mine] <= columns.threshold[node]
            return is_low[rows]
        examples, _, values = self._ints[feature]
        has = np.zeros(self.count, bool)
        has[examples[np.isin(values, columns.categories[node])]] = True
        return has[rows]

    def leaves(self, columns: NodeColumns) -> Any:
        """The number of the leaf at which each example arrives in a tree."""
        nodes = np.zeros(self.count, np.int64)
        if columns.kind[0] >= trees_.ALL_DENSE:
            return self._leaves_of_layers(columns)
        while True:
            kinds = columns.kind[nodes]
            moving = np.flatnonzero(kinds != trees_.LEAF)
            if not len(moving):
                return nodes
            at = nodes[moving]
            if self._dense is not None and (kinds[moving] == trees_.DENSE).all():
                is_left = self._dense[columns.feature[at], moving] <= columns.threshold[at]
            else:
                is_left = np.zeros(len(moving), bool)
                for node in np.unique(at).tolist():
                    mine = at == node
                    is_left[mine] = self.goes_left(columns, node, moving[mine])
            nodes[moving] = columns.children[at, np.where(is_left, 0, 1)]

    def _leaves_of_layers(self, columns: NodeColumns) -> Any:
        """The same of an oblivious tree, in which all nodes of a layer ask the same."""
        rows, place, depth = np.arange(self.count), np.zeros(self.count, np.int64), 0
        while columns.kind[depth] != trees_.LEAF:
            place = 2 * place + ~self.goes_left(columns, depth, rows)
            depth += 1
        return depth + place


# -- dropout -----------------------------------------------------------------------------------


def _dice(seed: Any, count: int) -> Any:
    """The first numbers in [0, 1) that Philox gives for a seed."""
    words = philox.philox_blocks(np, *philox.seeded_stream(int(seed), 0), (count + 1) // 2)
    return unit_doubles(words.reshape(-1, 2))


def dropped_trees(seed: Any, config: Any, kept: set[int], count: int) -> list[int]:
    """Which of ``count`` trees are left out; ``config`` says with what probability.

    Raises:
      InvalidArgumentError: a probability is none.
    """
    p, skipping = config.dropout_probability, config.probability_of_skipping_dropout
    _checked(0 <= p <= 1, "Dropout probability must be in [0,1] range")
    _checked(0 <= skipping <= 1, "Probability of skipping dropout must be in [0,1] range")
    if p == 0 or skipping == 1:
        return []
    dice = iter(_dice(seed, count + 1).tolist())
    if skipping and next(dice) < skipping:
        return []
    return [tree for tree in range(count) if tree not in kept and next(dice) < p]


# -- kernels -----------------------------------------------------------------------------------


def _settings(config: Any) -> None:
    _checked(config.num_classes >= 2, "Number of classes must be >=2")
    averaging = config.averaging_config
    kind = averaging.WhichOneof("config")
    if kind == "average_last_n_trees":
        _checked(averaging.average_last_n_trees > 0, "Average last n trees must be a positive number")
    if kind == "average_last_percent_trees":
        is_share = 0 < averaging.average_last_percent_trees <= 1
        _checked(is_share, "Average last percent must be in (0,1] interval.")


def _averaged(config: Any, weights: Any) -> Any:
    """The weights of the mean of the last ensembles, of which each has one tree more than the one before."""
    averaging, count = config.averaging_config, len(weights)
    if averaging.WhichOneof("config") == "average_last_n_trees":
        start = int(max(0.0, count - averaging.average_last_n_trees))
    else:
        start = int(max(0.0, count * (1.0 - averaging.average_last_percent_trees)))
    share = np.arange(count - start, 0, -1, dtype=np.float32)
    weights[start:] = weights[start:] * share / np.float32(count - start)
    return weights


def _predict(
    xp: Any, memory: Any, trees: GradientTrees, seed: Any, dense: Any, float_indices: Any, float_values: Any,
    float_shapes: Any, int_indices: Any, int_values: Any, int_shapes: Any, *, learner_config: Any,
    apply_dropout: bool, apply_averaging: bool, center_bias: bool, reduce_dim: bool,
) -> list[Any]:  # fmt: skip
    """The logits, the trees that were dropped with their weights, and the leaf of each example in each tree."""
    config = learner(learner_config)
    _settings(config)
    examples = Examples(dense, (float_indices, float_values, float_shapes), (int_indices, int_values, int_shapes))
    proto, count = trees.proto, len(trees.proto.trees)
    dropped: list[int] = []
    if apply_dropout and config.learning_rate_tuner.WhichOneof("tuner") == "dropout":
        kept = ({0} if center_bias else set()) | ({count - 1} if proto.HasField("growing_metadata") else set())
        dropped = dropped_trees(seed, config.learning_rate_tuner.dropout, kept, count)
    weights = np.array(proto.tree_weights, np.float32)
    info = np.array([dropped, weights[dropped]], np.float32).reshape(2, -1)
    if apply_averaging and config.averaging_config.WhichOneof("config"):
        weights = _averaged(config, weights)
    only_whole = config.growing_mode == messages.message("LearnerConfig").WHOLE_TREE
    width = config.num_classes - 1 if reduce_dim else config.num_classes
    logits, leaves = np.zeros([examples.count, width], np.float32), np.zeros([examples.count, count], np.int32)
    for tree in range(count if examples.count else 0):
        is_first = center_bias and tree == 0
        is_growing = only_whole and len(proto.tree_metadata) and not proto.tree_metadata[tree].is_finalized
        if tree in dropped or (is_growing and not is_first):
            continue
        columns = trees.columns(tree)
        if not len(columns.kind):
            raise errors.InternalError(None, None, "Invalid tree: it has no nodes")
        at = examples.leaves(columns)
        leaves[:, tree] = at
        logits += weights[tree] * columns.values(width)[at]
    return [logits, info, leaves]


def _partition(
    xp: Any, memory: Any, trees: GradientTrees, dense: Any, float_indices: Any, float_values: Any, float_shapes: Any,
    int_indices: Any, int_values: Any, int_shapes: Any,
) -> Any:  # fmt: skip
    """The leaf of the tree that grows at which each example arrives; 0 if none grows."""
    examples = Examples(dense, (float_indices, float_values, float_shapes), (int_indices, int_values, int_shapes))
    if trees.is_whole or not trees.last.nodes:
        return np.zeros(examples.count, np.int32)
    return examples.leaves(trees.columns(len(trees.proto.trees) - 1)).astype(np.int32)


# -- the ops -----------------------------------------------------------------------------------

_SPARSE = (
    "sparse_{0}_feature_indices: num_sparse_{0}_features*int64, "
    "sparse_{0}_feature_values: num_sparse_{0}_features*{1}, sparse_{0}_feature_shapes: num_sparse_{0}_features*int64"
)
_FEATURES = ", ".join([
    "dense_float_features: num_dense_float_features*float32", _SPARSE.format("float", "float32"),
    _SPARSE.format("int", "int64"),
])  # fmt: skip
_COUNTS = {f"num_{kind}_features": REQUIRED for kind in ("dense_float", "sparse_float", "sparse_int")}
_ATTRS = {
    "learner_config": REQUIRED, **_COUNTS, "use_locking": False, "apply_dropout": REQUIRED,
    "apply_averaging": REQUIRED, "center_bias": REQUIRED, "reduce_dim": REQUIRED,
}  # fmt: skip


def _logits_shape(*_: Any, learner_config: Any, reduce_dim: bool) -> list[Any]:
    count = learner(learner_config).num_classes
    return [(None, count - 1 if reduce_dim else count), None]


PREDICT = host_op(
    "GradientTreesPrediction", f"{trees_.HANDLE}, seed: int64, {_FEATURES}",
    "predictions: float32, drop_out_tree_indices_weights: float32",
    wraps(_predict)(lambda *args, **attrs: _predict(*args, **attrs)[:2]), _logits_shape, _ATTRS,
)  # fmt: skip
PREDICT_LEAVES = host_op(
    "GradientTreesPredictionVerbose", f"{trees_.HANDLE}, seed: int64, {_FEATURES}",
    "predictions: float32, drop_out_tree_indices_weights: float32, leaf_index: int32", _predict,
    wraps(_logits_shape)(lambda *args, **attrs: [*_logits_shape(*args, **attrs), (None, None)]), _ATTRS,
)  # fmt: skip
PARTITION = host_op(
    "GradientTreesPartitionExamples", f"{trees_.HANDLE}, {_FEATURES}", "partition_ids: int32", _partition,
    lambda *_: (None,), {**_COUNTS, "use_locking": False},
)  # fmt: skip
