"""``tf.contrib.boosted_trees``: how an ensemble grows, a layer of its last tree at a time.

Each leaf is split where it gains most; a tree that is as deep as it may be is whole, is pruned, and the next begins.
Source: TensorFlow 1.15.5, ``contrib/boosted_trees``: ties, which splits are none, weights after dropout.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.files import gradient_tree_messages as messages
from retrograd.graph import errors, log
from retrograd.graph.definition import REQUIRED
from retrograd.ops.boosted_tree_splits import host_op
from retrograd.ops.gradient_tree_walks import dropped_trees, learner
from retrograd.ops.gradient_trees import HANDLE, GradientTrees, binary_split, parsed

_Best = dict[int, tuple[float, int, Any]]  # of each node the gain, the handler and the split


def _is_filled(leaf: Any) -> bool:
    return leaf.WhichOneof("leaf") is not None


def _number(node: Any) -> int:
    """The number of the field that a node is: of equal gains the simplest is taken."""
    return node.DESCRIPTOR.fields_by_name[node.WhichOneof("node")].number  # type: ignore[no-any-return]


def _is_better(gain: float, handler: int, split: Any, best: tuple[float, int, Any]) -> bool:
    if gain != best[0]:
        return bool(gain > best[0])
    return (-_number(split.split_node), handler) > (-_number(best[2].split_node), best[1])


def _checked_sizes(partitions: Any, found: Any, name: str) -> None:
    if len(partitions) != len(found):
        told = f"Inconsistent partition Ids and {name} tensors: {len(partitions)} != {len(found)}"
        raise errors.InvalidArgumentError(None, None, told)


def _best_splits(partitions: Any, gains: Any, splits: Any, least: float) -> _Best:
    """The best split of each leaf, that leaves no side empty; ``least`` is what it must gain."""
    found: dict[int, list[tuple[float, int, Any]]] = {}
    for handler, columns in enumerate(zip(partitions, gains, splits, strict=True)):
        _checked_sizes(columns[0], columns[1], "gains")
        _checked_sizes(columns[0], columns[2], "splits")
        for node, gain, split in zip(*(np.asarray(column).tolist() for column in columns), strict=True):
            if gain >= least:
                found.setdefault(node, []).append((gain, handler, split))
    best: _Best = {}
    for node, candidates in found.items():
        for gain, handler, serialized in sorted(candidates, key=lambda each: each[0], reverse=True):
            if node in best and gain < best[node][0]:
                break
            split = parsed("SplitInfo", serialized, "Unable to parse split info.")
            is_split = _is_filled(split.right_child) and _is_filled(split.left_child)
            if split.split_node.WhichOneof("node") is None or not is_split:
                continue
            if node not in best or _is_better(gain, handler, split, best[node]):
                best[node] = gain, handler, split
    return best


def _best_layer(gains: Any, splits: Any, least: float) -> tuple[float, int, Any] | None:
    """The best split of a whole layer."""
    best: tuple[float, int, Any] | None = None
    for handler, (gain_of, split_of) in enumerate(zip(gains, splits, strict=True)):
        for name, given in (("Gains", gain_of), ("Splits", split_of)):
            if len(given) != 1:
                told = f"{name} size must be one for oblivious weak learner: {len(given)} != 1"
                raise errors.InvalidArgumentError(None, None, told)
        split = parsed("ObliviousSplitInfo", split_of[0], "Unable to parse oblivious split info.")
        gain, children = float(gain_of[0]), [_is_filled(leaf) for leaf in split.children]
        if gain < least or not any(left and right for left, right in zip(children[::2], children[1::2], strict=True)):
            continue
        if best is None or _is_better(gain, handler, split, best):
            best = gain, handler, split
    return best


# -- growing -----------------------------------------------------------------------------------


def _merged(before: Any, leaf: Any, config: Any) -> Any:
    """A new leaf with what its parent had been worth, unless the whole tree is made before it counts."""
    is_whole = config.growing_mode == messages.message("LearnerConfig").WHOLE_TREE
    kind = before.WhichOneof("leaf")
    if is_whole or kind is None:
        return leaf
    if leaf.WhichOneof("leaf") is None:
        leaf.CopyFrom(before)
    elif kind == "vector" and len(before.vector.value):
        total = np.float32(leaf.vector.value) + np.float32(before.vector.value)
        leaf.vector.value[:] = total.tolist()
    elif kind == "sparse_vector":
        sums = dict(zip(leaf.sparse_vector.index, leaf.sparse_vector.value, strict=True))
        for index, value in zip(before.sparse_vector.index, before.sparse_vector.value, strict=True):
            sums[index] = float(np.float32(sums.get(index, 0.0)) + np.float32(value))
        leaf.sparse_vector.index[:], leaf.sparse_vector.value[:] = sums.keys(), sums.values()
    return leaf


def _begin_or_go_on(trees: GradientTrees, rate: Any, max_depth: int) -> None:
    """One more tree if the last one is whole, one more layer of it otherwise."""
    if trees.is_whole:
        trees.add_tree(rate).nodes.add().leaf.SetInParent()
        trees.last_metadata.is_finalized = max_depth <= 1
        trees.last_metadata.num_tree_weight_updates = 1
    else:
        trees.last_metadata.num_layers_grown += 1
        trees.last_metadata.is_finalized = trees.last_metadata.num_layers_grown >= max_depth


def _weigh_after_dropout(trees: GradientTrees, seed: Any, config: Any, center_bias: bool) -> None:
    """A whole tree that was made without some others shares their weight: of n, each keeps n / (n + 1)."""
    tuner = config.learning_rate_tuner
    if tuner.WhichOneof("tuner") != "dropout" or not trees.last_metadata.is_finalized:
        return
    proto, last = trees.proto, len(trees.proto.trees) - 1
    dropped = dropped_trees(seed, tuner.dropout, {last} | ({0} if center_bias else set()), last + 1)
    if not dropped:
        return
    count, weights = len(dropped), np.array([proto.tree_weights[tree] for tree in dropped], np.float32)
    changed = [*zip(dropped, weights * np.float32(count) / np.float32(count + 1), strict=True)]
    changed.append((last, np.float32(np.sum(weights, dtype=np.float64)) / np.float32(count + 1)))
    for tree, weight in changed:
        proto.tree_weights[tree] = weight
        proto.tree_metadata[tree].num_tree_weight_updates += 1


def _split_leaf(trees: GradientTrees, node_id: int, best: tuple[float, int, Any], config: Any) -> None:
    gain, handler, split = best
    nodes = trees.last.nodes
    if node_id >= len(nodes) or nodes[node_id].WhichOneof("node") != "leaf":
        raise errors.InternalError(None, None, f"Invalid node {node_id} to split.")
    first = len(nodes)
    for child in (split.left_child, split.right_child):
        nodes.add().leaf.CopyFrom(_merged(nodes[node_id].leaf, child, config))
    children = binary_split(split.split_node)
    children.left_id, children.right_id = first, first + 1
    metadata = split.split_node.node_metadata
    metadata.gain = gain
    if config.pruning_mode == messages.message("LearnerConfig").POST_PRUNE:
        metadata.original_leaf.CopyFrom(nodes[node_id].leaf)
    nodes[node_id].CopyFrom(split.split_node)
    used = trees.proto.growing_metadata.used_handler_ids
    if config.constraints.max_number_of_unique_feature_columns and handler not in used:
        used[:] = sorted([*used, handler])


def _split_layer(trees: GradientTrees, best: tuple[float, int, Any], config: Any) -> None:
    """All leaves of an oblivious tree are split; one that no example reached has its value twice."""
    gain, _, split = best
    nodes = trees.last.nodes
    depth = next(i for i, node in enumerate(nodes) if node.WhichOneof("node") == "leaf")
    parents, leaves = list(split.children_parent_id), []
    for node_id in range(depth, depth + (1 << depth)):
        before = nodes[node_id].leaf
        if parents and node_id == parents[0]:
            at = 2 * (len(split.children_parent_id) - len(parents))
            leaves += [_merged(before, split.children[at + side], config) for side in (0, 1)]
            del parents[0]
        else:
            leaves += [before, before]
    new = type(split.split_node)()
    new.CopyFrom(split.split_node)
    new.node_metadata.gain = gain
    for node in nodes[depth:]:
        new.node_metadata.original_oblivious_leaves.add().CopyFrom(node.leaf)
    kept = [type(leaf).FromString(leaf.SerializeToString()) for leaf in leaves]
    del nodes[depth:]
    nodes.add().CopyFrom(new)
    for leaf in kept:
        nodes.add().leaf.CopyFrom(leaf)


# -- pruning -----------------------------------------------------------------------------------


def _prune(nodes: Any) -> None:
    """Take back splits of negative gain whose children are leaves, from the leaves upwards; maybe all of the tree."""
    kept = [type(node).FromString(node.SerializeToString()) for node in nodes]
    _take_back(kept, 0)
    del nodes[:]
    nodes.add().CopyFrom(kept[0])
    places = {0: 0}
    for i, node in enumerate(kept):
        split = binary_split(node)
        if node.WhichOneof("node") is None or split is None:
            continue
        new = binary_split(nodes[places[i]])
        for side in ("left_id", "right_id"):
            child = getattr(split, side)
            places[child] = len(nodes)
            setattr(new, side, len(nodes))
            nodes.add().CopyFrom(kept[child])
    if len(nodes) == 1 and nodes[0].node_metadata.gain <= 0:
        del nodes[:]


def _take_back(nodes: list[Any], node_id: int) -> None:
    node = nodes[node_id]
    split = binary_split(node)
    if split is None:
        return
    children = [split.left_id, split.right_id]
    for child in children:
        _take_back(nodes, child)
    if node.node_metadata.gain < 0 and all(nodes[child].WhichOneof("node") == "leaf" for child in children):
        for child in children:
            nodes[child].Clear()
        node.leaf.CopyFrom(node.node_metadata.original_leaf)
        node.ClearField("node_metadata")
    else:
        node.node_metadata.ClearField("original_leaf")


# -- the op ------------------------------------------------------------------------------------


def _grow(
    xp: Any, memory: Any, trees: GradientTrees, stamp: Any, next_stamp: Any, learning_rate: Any, dropout_seed: Any,
    max_tree_depth: Any, weak_learner_type: Any, partition_ids: Any, gains: Any, splits: Any, *,
    learner_config: Any, center_bias: bool,
) -> list[Any]:  # fmt: skip
    trees.check(stamp)
    trees.stamp = int(next_stamp)
    config, kinds = learner(learner_config), messages.message("LearnerConfig")
    trees.count_attempt()
    least = 0.0 if config.pruning_mode == kinds.PRE_PRUNE else -np.inf
    is_oblivious = int(weak_learner_type) == kinds.OBLIVIOUS_DECISION_TREE
    best = {} if is_oblivious else _best_splits(partition_ids, gains, splits, least)
    layer = _best_layer(gains, splits, least) if is_oblivious else None
    if not best and layer is None:
        log.warning("Not growing tree ensemble as no good splits were found.")
        return []
    depth = int(max_tree_depth)
    _begin_or_go_on(trees, np.float32(learning_rate), depth)
    _weigh_after_dropout(trees, dropout_seed, config, center_bias)
    trees.forget(len(trees.proto.trees) - 1)
    if layer is not None:
        _split_layer(trees, layer, config)
    for node in sorted(best):
        _split_leaf(trees, node, best[node], config)
    if config.pruning_mode == kinds.POST_PRUNE and trees.last_metadata.is_finalized:
        if is_oblivious:
            raise errors.UnimplementedError(None, None, "Post-prunning is not implemented for Oblivious trees.")
        _prune(trees.last.nodes)
        if not trees.last.nodes:
            trees.remove_last()
        if trees.is_whole and config.each_tree_start.nodes:
            trees.add_tree(np.float32(learning_rate)).CopyFrom(config.each_tree_start)
            trees.last_metadata.is_finalized = depth <= 1
            trees.last_metadata.num_tree_weight_updates = 1
            trees.last_metadata.num_layers_grown = config.each_tree_start_num_layers
    return []


GROW = host_op(
    "GrowTreeEnsemble",
    f"{HANDLE}, stamp_token: int64, next_stamp_token: int64, learning_rate: float32, dropout_seed: int64, "
    "max_tree_depth: int32, weak_learner_type: int32, partition_ids: num_handlers*int32, "
    "gains: num_handlers*float32, splits: num_handlers*string",
    "", _grow, attrs={"learner_config": REQUIRED, "num_handlers": REQUIRED, "center_bias": REQUIRED},
)  # fmt: skip
