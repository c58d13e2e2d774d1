"""Boosted trees as ops: an ensemble of decision trees, which a session keeps.

Trees grow layer by layer.  With g and h the sums of gradients and Hessians of a node's examples, its best value is
w = -(g + l1 sign(w)) / (h + l2) and what it gains is g^2 / (h + l2).  At run time a handle is the ``Ensemble``.
Source: TensorFlow 1.15.5, ``kernels/boosted_trees``.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from retrograd.files import tree_messages as messages
from retrograd.graph import errors, log
from retrograd.graph.definition import REQUIRED
from retrograd.ops import boosted_tree_splits as splits
from retrograd.ops.boosted_tree_splits import host_op, weights_and_gains
from retrograd.ops.queues import resource_of

_CENTERED = 0.01  # a change of the bias that is relatively smaller ends the centering
NO_PRUNING, PRE_PRUNING, POST_PRUNING = range(3)

# -- at run time -------------------------------------------------------------------------------


class Ensemble:
    """Trees; ``None`` in the place of the proto until it is created."""

    def __init__(self) -> None:
        self.stamp = -1
        self.proto: Any = None
        self._columns: dict[int, tuple[Any, ...]] = {}

    def create(self, stamp: int, serialized: bytes) -> None:
        """The ensemble of a serialized one."""
        self.stamp, self._columns = stamp, {}
        self.proto = messages.message("TreeEnsemble").FromString(serialized)

    @property
    def last(self) -> int:
        """The number of the latest tree, -1 without any."""
        return len(self.proto.trees) - 1

    def add_tree(self, value: float = 0.0) -> None:
        """One more tree, of one leaf."""
        self.proto.trees.add().nodes.add().leaf.scalar = value
        self.proto.tree_weights.append(1.0)
        self.proto.tree_metadata.add()

    def split(self, tree: int, node_id: int, gain: float, left: Any, right: Any) -> Any:
        """Make a leaf a split, whose children differ from it by ``left`` and ``right``; the caller says which one."""
        self._columns.pop(tree, None)
        nodes = self.proto.trees[tree].nodes
        node, first = nodes[node_id], len(nodes)
        before = _value_of(node.leaf)
        if node_id or before.any():
            node.metadata.original_leaf.CopyFrom(node.leaf)
        node.metadata.gain = gain
        node.ClearField("leaf")
        for change in (left, right):
            _put(nodes.add().leaf, before + change)
        return node, {"left_id": first, "right_id": first + 1}

    def columns(self, tree: int) -> tuple[Any, ...]:
        """Of each node: is it a leaf, its values, feature, threshold, does it ask for equality, its children."""
        if tree not in self._columns:
            nodes = self.proto.trees[tree].nodes
            kinds = [node.WhichOneof("node") for node in nodes]
            found = [None if kind == "leaf" else getattr(node, kind) for node, kind in zip(nodes, kinds, strict=True)]
            values = [_value_of(n.leaf if s is None else n.metadata.original_leaf)
                      for n, s in zip(nodes, found, strict=True)]  # fmt: skip
            width = max(map(len, values))
            self._columns[tree] = (
                np.array([s is None for s in found]),
                np.stack([np.broadcast_to(v, [width]) for v in values]),
                np.array([0 if s is None else s.feature_id for s in found]),
                np.array([0 if s is None else s.value if k == "categorical_split" else s.threshold
                          for s, k in zip(found, kinds, strict=True)]),
                np.array([kind == "categorical_split" for kind in kinds]),
                np.array([[0, 0] if s is None else [s.left_id, s.right_id] for s in found]),
            )  # fmt: skip
        return self._columns[tree]

    def forget(self, tree: int) -> None:
        """The nodes of a tree have changed."""
        self._columns.pop(tree, None)

    def step(self, tree: int, nodes: Any, features: Any, rows: Any) -> Any:
        """The children that examples of the rows go to from nodes that are splits."""
        _, _, feature, threshold, is_equality, children = self.columns(tree)
        x, t = features[feature[nodes], rows], threshold[nodes]
        is_right = np.where(is_equality[nodes], x != t, x > t)
        return children[nodes, is_right.astype(int)]

    def down(self, tree: int, nodes: Any, features: Any, rows: Any) -> Any:
        """The leaves at which examples arrive that stand at ``nodes``."""
        leaves = self.columns(tree)[0]
        nodes = nodes.copy()
        while True:
            moving = np.flatnonzero(~leaves[nodes])
            if not len(moving):
                return nodes
            nodes[moving] = self.step(tree, nodes[moving], features, rows[moving])

    def correction(self, tree: int, nodes: Any) -> tuple[Any, Any]:
        """Where nodes are after the tree was pruned, and how their values have changed."""
        meta = self.proto.tree_metadata[tree]
        if not meta.is_finalized or not meta.post_pruned_nodes_meta:
            return nodes, np.zeros([len(nodes), 1], np.float32)
        moved = np.array([m.new_node_id for m in meta.post_pruned_nodes_meta])
        change = np.array([m.logit_change for m in meta.post_pruned_nodes_meta], np.float32)
        return moved[nodes], change[nodes]

    def prune(self, tree: int) -> None:
        """Take back splits of negative gain whose children are leaves, from the leaves upwards."""
        nodes = self.proto.trees[tree].nodes
        parents: dict[int, tuple[int, Any]] = {}  # of a deleted node: its parent, and the change of value
        self._take_back(nodes, 0, parents)
        if not parents:
            return
        self._columns.pop(tree, None)
        places: dict[int, int] = {}
        metadata = self.proto.tree_metadata[tree].post_pruned_nodes_meta
        for i in range(len(nodes)):
            change, at = np.zeros(1, np.float32), i
            while at in parents:
                at, step = parents[at]
                change += step
            if at == i:
                places[i] = len(places)
            metadata.add(new_node_id=places[at], logit_change=change.tolist())
        kept = []
        for i in places:
            node = type(nodes[i])()
            node.CopyFrom(nodes[i])
            kind = node.WhichOneof("node")
            if kind != "leaf":
                split = getattr(node, kind)
                split.left_id, split.right_id = places[split.left_id], places[split.right_id]
            kept.append(node)
        del nodes[:]
        nodes.extend(kept)

    def _take_back(self, nodes: Any, node_id: int, parents: dict[int, tuple[int, Any]]) -> None:
        node = nodes[node_id]
        kind = node.WhichOneof("node")
        if kind == "leaf":
            return
        children = (getattr(node, kind).left_id, getattr(node, kind).right_id)
        for child in children:
            self._take_back(nodes, child, parents)
        if node.metadata.gain < 0 and all(nodes[child].WhichOneof("node") == "leaf" for child in children):
            before = _value_of(node.metadata.original_leaf)
            for child in children:
                parents[child] = (node_id, before - _value_of(nodes[child].leaf))
            node.leaf.CopyFrom(node.metadata.original_leaf)
            node.ClearField("metadata")


def _value_of(leaf: Any) -> Any:
    """The values of a leaf, one for each logit."""
    return np.array(leaf.vector.value if leaf.HasField("vector") else [leaf.scalar], np.float32)


def _put(leaf: Any, values: Any) -> None:
    """Let a leaf have the values."""
    if len(values) == 1:
        leaf.scalar = values[0]
    else:
        leaf.vector.value[:] = values.tolist()


# -- kernels -----------------------------------------------------------------------------------


def _ensemble(xp: Any, memory: Any, *, container: Any, shared_name: Any) -> Any:
    return resource_of(memory, container, shared_name, lambda _: Ensemble())


def _create_ensemble(xp: Any, memory: Any, ensemble: Any, stamp: Any, serialized: Any) -> list[Any]:
    if ensemble.proto is None:
        ensemble.create(int(stamp), _bytes(serialized))
    return []


def _bytes(x: Any) -> bytes:
    return bytes(x if isinstance(x, bytes) else np.asarray(x).item())


def _deserialize(xp: Any, memory: Any, ensemble: Any, stamp: Any, serialized: Any) -> list[Any]:
    ensemble.create(int(stamp), _bytes(serialized))
    return []


def _serialize(xp: Any, memory: Any, ensemble: Any) -> list[Any]:
    return [np.int64(ensemble.stamp), np.array(ensemble.proto.SerializeToString(deterministic=True), object)]


def _states(xp: Any, memory: Any, ensemble: Any) -> list[Any]:
    proto, growing = ensemble.proto, ensemble.proto.growing_metadata
    count = len(proto.trees)
    finalized = count if not count or proto.tree_metadata[count - 1].is_finalized else count - 1
    layer = [growing.last_layer_node_start, max(1, growing.last_layer_node_end)]
    return [
        np.int64(ensemble.stamp), np.int32(count), np.int32(finalized), np.int32(growing.num_layers_attempted),
        np.array(layer, np.int32),
    ]  # fmt: skip


def _training_predict(
    xp: Any, memory: Any, ensemble: Any, cached_tree_ids: Any, cached_node_ids: Any, features: Any, *,
    logits_dimension: int,
) -> list[Any]:  # fmt: skip
    """What has changed since the cached nodes were reached."""
    count = len(features[0])
    logits, nodes = np.zeros([count, logits_dimension], np.float32), np.zeros(count, np.int64)
    if ensemble.last < 0:
        return [logits, np.zeros(count, np.int32), nodes.astype(np.int32)]
    features, rows = np.stack(features), np.arange(count)
    for tree in range(ensemble.last + 1):
        change = np.zeros([count, logits_dimension], np.float32)
        cached = np.flatnonzero((cached_tree_ids == tree) & (cached_node_ids >= 0))
        nodes[cached_tree_ids <= tree] = 0
        if len(cached):
            nodes[cached], change[cached] = ensemble.correction(tree, cached_node_ids[cached])
            change[cached] -= ensemble.columns(tree)[1][nodes[cached]]
        at = np.flatnonzero(cached_tree_ids <= tree)
        nodes[at] = ensemble.down(tree, nodes[at], features, rows[at])
        change[at] += ensemble.columns(tree)[1][nodes[at]]
        logits[at] += np.float32(ensemble.proto.tree_weights[tree]) * change[at]
    return [logits, np.full(count, ensemble.last, np.int32), nodes.astype(np.int32)]


def _predict(xp: Any, memory: Any, ensemble: Any, features: Any, *, logits_dimension: int) -> Any:
    """The sum over the trees of the weight times the value of the leaf."""
    count = len(features[0])
    logits = np.zeros([count, logits_dimension], np.float32)
    if ensemble.last >= 0:
        stacked, rows = np.stack(features), np.arange(count)
        for tree in range(ensemble.last + 1):
            leaves = ensemble.down(tree, np.zeros(count, np.int64), stacked, rows)
            logits += np.float32(ensemble.proto.tree_weights[tree]) * ensemble.columns(tree)[1][leaves]
    return logits


def _explain(xp: Any, memory: Any, ensemble: Any, features: Any, *, logits_dimension: int) -> Any:
    """For each example the logit at the root of the first tree and behind each split, and the splits' features."""
    if logits_dimension != 1:
        raise errors.InvalidArgumentError(None, None, "Currently only support feature contribs for 1 logit dimension.")
    stacked = np.stack(features)
    found = np.empty(stacked.shape[1], object)
    for row in range(stacked.shape[1]):
        told, total = messages.message("DebugOutput")(), np.float32(0)
        for tree in range(ensemble.last + 1):
            leaves, values, feature = ensemble.columns(tree)[:3]
            weight, node = np.float32(ensemble.proto.tree_weights[tree]), np.zeros(1, np.int64)
            if tree == 0:
                told.logits_path.append(weight * values[0, 0])
            while not leaves[node[0]]:
                told.feature_ids.append(int(feature[node[0]]))
                node = ensemble.step(tree, node, stacked, np.array([row]))
                told.logits_path.append(total + weight * values[node[0], 0])
            total += weight * values[node[0], 0]
        found[row] = told.SerializeToString()
    return found


def _update(
    xp: Any, memory: Any, ensemble: Any, feature_ids: Any, node_ids: Any, gains: Any, thresholds: Any, lefts: Any,
    rights: Any, max_depth: Any, learning_rate: Any, *, pruning_mode: int,
) -> list[Any]:  # fmt: skip
    """One more layer: each node is split where it gains most; ties go to the feature with the smaller number."""

    def describe(node: Any, places: dict[str, int], f: int, candidate: int) -> None:
        _bucketized(node, feature_ids[f], thresholds[f][candidate], places)

    return _grow(
        ensemble, feature_ids, node_ids, gains, lefts, rights, max_depth, learning_rate, pruning_mode, describe
    )


def _update_v2(
    xp: Any, memory: Any, ensemble: Any, feature_ids: Any, dimension_ids: Any, node_ids: Any, gains: Any,
    thresholds: Any, lefts: Any, rights: Any, kinds: Any, max_depth: Any, learning_rate: Any, pruning_mode: Any,
) -> list[Any]:  # fmt: skip
    """The same of features of several dimensions, with splits of either kind."""

    def describe(node: Any, places: dict[str, int], f: int, candidate: int) -> None:
        kind, threshold = _bytes(kinds[f][candidate]), thresholds[f][candidate]
        if kind == splits.EQUAL:
            split = node.categorical_split
            split.feature_id, split.value = int(feature_ids[f]), int(threshold)
            split.left_id, split.right_id = places["left_id"], places["right_id"]
        else:
            split = _bucketized(node, feature_ids[f], threshold, places)
            split.default_direction = int(kind == splits.RIGHT)
        split.dimension_id = int(dimension_ids[f][candidate])

    mode = int(pruning_mode)
    return _grow(ensemble, feature_ids, node_ids, gains, lefts, rights, max_depth, learning_rate, mode, describe)


def _bucketized(node: Any, feature: Any, threshold: Any, places: dict[str, int]) -> Any:
    split = node.bucketized_split
    split.feature_id, split.threshold = int(feature), int(threshold)
    split.left_id, split.right_id = places["left_id"], places["right_id"]
    return split


def _grow(
    ensemble: Any, feature_ids: Any, node_ids: Any, gains: Any, lefts: Any, rights: Any, max_depth: Any,
    learning_rate: Any, pruning_mode: int, describe: Callable[..., None],
) -> list[Any]:  # fmt: skip
    """One more layer; ``describe`` writes which split a node is."""
    ensemble.stamp += 1
    best = _best_of_features(feature_ids, node_ids, gains)
    _count_attempt(ensemble)
    if ensemble.last < 0:
        ensemble.add_tree()
    if not best:
        log.warning("Not growing tree ensemble as no good splits were found.")
        return []
    tree, proto = ensemble.last, ensemble.proto
    first = len(proto.trees[tree].nodes)
    rate = np.float32(learning_rate)
    for node, (gain, f, candidate) in sorted(best.items()):
        if pruning_mode == PRE_PRUNING and gain < 0:
            continue
        left, right = rate * lefts[f][candidate], rate * rights[f][candidate]
        describe(*ensemble.split(tree, node, float(gain), left, right), f, candidate)
    end = len(proto.trees[tree].nodes)
    if end == first:
        return []
    proto.tree_metadata[tree].num_layers_grown += 1
    if proto.tree_metadata[tree].num_layers_grown >= int(max_depth):
        first, end = 0, 1
        proto.tree_metadata[tree].is_finalized = True
        if pruning_mode == POST_PRUNING:
            ensemble.prune(tree)
        ensemble.add_tree()
    proto.growing_metadata.last_layer_node_start, proto.growing_metadata.last_layer_node_end = first, end
    return []


def _best_of_features(feature_ids: Any, node_ids: Any, gains: Any) -> dict[int, tuple[Any, int, int]]:
    """For each node the gain, the place of the feature and the place among its candidates."""
    best: dict[int, tuple[Any, int, int]] = {}
    for f in range(len(node_ids)):
        for candidate, (node, gain) in enumerate(zip(node_ids[f].tolist(), gains[f], strict=True)):
            if node in best and abs(gain - best[node][0]) < splits.TOLERANCE:
                is_better = feature_ids[f] < feature_ids[best[node][1]]
            else:
                is_better = node not in best or gain - best[node][0] >= splits.TOLERANCE
            if is_better:
                best[node] = (gain, f, candidate)
    return best


def _count_attempt(ensemble: Any) -> None:
    proto, last = ensemble.proto, ensemble.last
    proto.growing_metadata.num_layers_attempted += 1
    begins = last <= 0 or proto.tree_metadata[last - 1].is_finalized
    if last < 0 or (begins and len(proto.trees[last].nodes) == 1):
        proto.growing_metadata.num_trees_attempted += 1


def _center(xp: Any, memory: Any, ensemble: Any, gradients: Any, hessians: Any, l1: Any, l2: Any) -> Any:
    """Move the value of the first leaf to where the mean gradient is 0; whether that was not yet the last step."""
    ensemble.stamp += 1
    g, h = np.ravel(gradients)[:1], np.ravel(hessians)[:1]
    step = np.float32(weights_and_gains(g, h, l1, l2)[0][0])
    if ensemble.last < 0:
        ensemble.add_tree(step)
        return np.bool_(True)
    leaf = ensemble.proto.trees[0].nodes[0].leaf
    before = np.float32(leaf.scalar)
    with np.errstate(divide="ignore", invalid="ignore"):
        goes_on = abs(step / before) > _CENTERED
    leaf.scalar = before + step
    ensemble.forget(0)
    return np.bool_(goes_on)


# -- the ops -----------------------------------------------------------------------------------


_PLACE = {"container": "", "shared_name": ""}
_TREES = "tree_ensemble_handle: resource"
_MADE = {"num_features": REQUIRED}
_READ = {"num_bucketized_features": REQUIRED, "logits_dimension": REQUIRED}
_BUCKETS = "bucketized_features: num_bucketized_features*int32"


def _logits_shape(handle: Any, features: Any, *, logits_dimension: int) -> Any:
    return (features[0].dims[0] if features[0].dims else None, logits_dimension)


def _training_shape(handle: Any, trees: Any, nodes: Any, features: Any, *, logits_dimension: int) -> Any:
    count = features[0].dims[0] if features[0].dims else None
    return [(count, logits_dimension), (count,), (count,)]


ENSEMBLE = host_op("BoostedTreesEnsembleResourceHandleOp", "", "resource: resource", _ensemble, lambda: (), _PLACE)
IS_ENSEMBLE = host_op(
    "IsBoostedTreesEnsembleInitialized", _TREES, "is_initialized: bool",
    lambda xp, memory, ensemble: np.bool_(ensemble.proto is not None), lambda _: (),
)  # fmt: skip
CREATE_ENSEMBLE = host_op(
    "BoostedTreesCreateEnsemble", f"{_TREES}, stamp_token: int64, tree_ensemble_serialized: string", "",
    _create_ensemble,
)  # fmt: skip
DESERIALIZE = host_op(
    "BoostedTreesDeserializeEnsemble", f"{_TREES}, stamp_token: int64, tree_ensemble_serialized: string", "",
    _deserialize,
)  # fmt: skip
SERIALIZE = host_op(
    "BoostedTreesSerializeEnsemble", _TREES, "stamp_token: int64, tree_ensemble_serialized: string", _serialize,
    lambda _: [(), ()],
)  # fmt: skip
STATES = host_op(
    "BoostedTreesGetEnsembleStates", _TREES,
    "stamp_token: int64, num_trees: int32, num_finalized_trees: int32, num_attempted_layers: int32, "
    "last_layer_nodes_range: int32",
    _states, lambda _: [(), (), (), (), (2,)],
)  # fmt: skip
TRAINING_PREDICT = host_op(
    "BoostedTreesTrainingPredict", f"{_TREES}, cached_tree_ids: int32, cached_node_ids: int32, {_BUCKETS}",
    "partial_logits: float32, tree_ids: int32, node_ids: int32", _training_predict, _training_shape, _READ,
)  # fmt: skip
PREDICT = host_op("BoostedTreesPredict", f"{_TREES}, {_BUCKETS}", "logits: float32", _predict, _logits_shape, _READ)
UPDATE = host_op(
    "BoostedTreesUpdateEnsemble",
    f"{_TREES}, feature_ids: int32, node_ids: num_features*int32, gains: num_features*float32, "
    "thresholds: num_features*int32, left_node_contribs: num_features*float32, "
    "right_node_contribs: num_features*float32, max_depth: int32, learning_rate: float32",
    "", _update, attrs={**_MADE, "pruning_mode": REQUIRED},
)  # fmt: skip
UPDATE_V2 = host_op(
    "BoostedTreesUpdateEnsembleV2",
    f"{_TREES}, feature_ids: int32, dimension_ids: num_features*int32, node_ids: num_features*int32, "
    "gains: num_features*float32, thresholds: num_features*int32, left_node_contribs: num_features*float32, "
    "right_node_contribs: num_features*float32, split_types: num_features*string, max_depth: int32, "
    "learning_rate: float32, pruning_mode: int32",
    "", _update_v2, attrs=_MADE,
)  # fmt: skip
CENTER_BIAS = host_op(
    "BoostedTreesCenterBias", f"{_TREES}, mean_gradients: float32, mean_hessians: float32, l1: float32, l2: float32",
    "continue_centering: bool", _center, lambda *_: (),
)  # fmt: skip
EXPLAIN = host_op(
    "BoostedTreesExampleDebugOutputs", f"{_TREES}, {_BUCKETS}", "examples_debug_outputs_serialized: string", _explain,
    lambda _, features, **__: (features[0].dims[0] if features[0].dims else None,), _READ,
)  # fmt: skip
