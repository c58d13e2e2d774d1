"""Boosted trees as ops: an ensemble of decision trees and the quantiles of features, which a session keeps.

Trees grow layer by layer.  With g and h the sums of gradients and Hessians of a node's examples, its best value is
w = -(g + l1 sign(w)) / (h + l2) and what it gains is g^2 / (h + l2).  At run time a handle is the ``Ensemble`` or the
``Quantiles``.  Source: TensorFlow 1.15.5, ``kernels/boosted_trees``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.files import messages
from retrograd.graph import log
from retrograd.graph.definition import REQUIRED, Effect, OpDef, define, not_differentiable
from retrograd.ops import quantile_sketch as sketches
from retrograd.ops.queues import resource_of

_TOLERANCE = np.float32(1e-15)
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

    def split(self, tree: int, node_id: int, feature: int, threshold: int, gain: float, left: Any, right: Any) -> None:
        """Make a leaf a split; its children differ from it by ``left`` and ``right``."""
        self._columns.pop(tree, None)
        nodes = self.proto.trees[tree].nodes
        node, first = nodes[node_id], len(nodes)
        before = np.float32(node.leaf.scalar)
        if node_id or before != 0:
            node.metadata.original_leaf.scalar = before
        node.metadata.gain = gain
        node.bucketized_split.feature_id, node.bucketized_split.threshold = feature, threshold
        node.bucketized_split.left_id, node.bucketized_split.right_id = first, first + 1
        for change in (left, right):
            nodes.add().leaf.scalar = before + change

    def columns(self, tree: int) -> tuple[Any, ...]:
        """Of each node: is it a leaf, its value, its feature, its threshold, its children."""
        if tree not in self._columns:
            nodes = self.proto.trees[tree].nodes
            splits = [node.bucketized_split for node in nodes]
            leaves = np.array([node.WhichOneof("node") == "leaf" for node in nodes])
            self._columns[tree] = (
                leaves,
                np.array(
                    [n.leaf.scalar if leaf else n.metadata.original_leaf.scalar
                     for n, leaf in zip(nodes, leaves, strict=True)], np.float32),
                np.array([s.feature_id for s in splits]),
                np.array([s.threshold for s in splits]),
                np.array([[s.left_id, s.right_id] for s in splits]),
            )  # fmt: skip
        return self._columns[tree]

    def forget(self, tree: int) -> None:
        """The nodes of a tree have changed."""
        self._columns.pop(tree, None)

    def down(self, tree: int, nodes: Any, features: Any, rows: Any) -> Any:
        """The leaves at which examples arrive that stand at ``nodes``."""
        leaves, _, feature, threshold, children = self.columns(tree)
        nodes = nodes.copy()
        while True:
            moving = np.flatnonzero(~leaves[nodes])
            if not len(moving):
                return nodes
            at = nodes[moving]
            is_right = features[feature[at], rows[moving]] > threshold[at]
            nodes[moving] = children[at, is_right.astype(int)]

    def correction(self, tree: int, nodes: Any) -> tuple[Any, Any]:
        """Where nodes are after the tree was pruned, and how their values have changed."""
        meta = self.proto.tree_metadata[tree]
        if not meta.is_finalized or not meta.post_pruned_nodes_meta:
            return nodes, np.zeros(len(nodes), np.float32)
        moved = np.array([m.new_node_id for m in meta.post_pruned_nodes_meta])
        change = np.array([m.logit_change[0] for m in meta.post_pruned_nodes_meta], np.float32)
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
            change, at = np.float32(0), i
            while at in parents:
                at, step = parents[at]
                change += step
            if at == i:
                places[i] = len(places)
            metadata.add(new_node_id=places[at], logit_change=[change])
        kept = []
        for i in places:
            node = type(nodes[i])()
            node.CopyFrom(nodes[i])
            if node.WhichOneof("node") == "bucketized_split":
                split = node.bucketized_split
                split.left_id, split.right_id = places[split.left_id], places[split.right_id]
            kept.append(node)
        del nodes[:]
        nodes.extend(kept)

    def _take_back(self, nodes: Any, node_id: int, parents: dict[int, tuple[int, Any]]) -> None:
        node = nodes[node_id]
        if node.WhichOneof("node") == "leaf":
            return
        children = (node.bucketized_split.left_id, node.bucketized_split.right_id)
        for child in children:
            self._take_back(nodes, child, parents)
        if node.metadata.gain < 0 and all(nodes[child].WhichOneof("node") == "leaf" for child in children):
            before = np.float32(node.metadata.original_leaf.scalar)
            for child in children:
                parents[child] = (node_id, before - np.float32(nodes[child].leaf.scalar))
            node.leaf.scalar = before
            node.ClearField("metadata")


class Quantiles:
    """The sketch of each feature, and the boundaries of its buckets."""

    def __init__(self) -> None:
        self.is_created = False

    def create(self, epsilon: float, most: int, count: int) -> None:
        """Begin with nothing."""
        self.epsilon, self.most, self.is_created = epsilon, most, True
        self.boundaries = [np.zeros(0, np.float32) for _ in range(count)]
        self.clear()

    def clear(self) -> None:
        """Begin anew; the boundaries stay."""
        self.sketches = [sketches.Sketch(self.epsilon, self.most) for _ in self.boundaries]


def _weights_and_gains(g: Any, h: Any, l1: Any, l2: Any) -> tuple[Any, Any]:
    """w = -(g + l1 sign(w)) / (h + l2) and -(g + l1 sign(w)) w; 0 where there is nothing to divide by."""
    if l1 > 0:
        g = np.where(g > l1, g - l1, np.where(g < -l1, g + l1, np.float32(0)))
    total = h + l2
    empty = total <= _TOLERANCE
    w = np.where(empty, np.float32(0), -g / np.where(empty, np.float32(1), total))
    return w, -g * w


# -- kernels -----------------------------------------------------------------------------------


def _ensemble(xp: Any, memory: Any, *, container: Any, shared_name: Any) -> Any:
    return resource_of(memory, container, shared_name, lambda _: Ensemble())


def _quantiles(xp: Any, memory: Any, *, container: Any, shared_name: Any) -> Any:
    return resource_of(memory, container, shared_name, lambda _: Quantiles())


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
    xp: Any, memory: Any, ensemble: Any, cached_tree_ids: Any, cached_node_ids: Any, features: Any
) -> list[Any]:
    """What has changed since the cached nodes were reached."""
    count = len(features[0])
    if ensemble.last < 0:
        return [np.zeros([count, 1], np.float32), np.zeros(count, np.int32), np.zeros(count, np.int32)]
    features, rows = np.stack(features), np.arange(count)
    logits = np.zeros(count, np.float32)
    nodes = np.zeros(count, np.int64)
    for tree in range(ensemble.last + 1):
        here = cached_tree_ids == tree
        change = np.zeros(count, np.float32)
        cached = np.flatnonzero(here & (cached_node_ids >= 0))
        nodes[cached_tree_ids <= tree] = 0
        if len(cached):
            nodes[cached], change[cached] = ensemble.correction(tree, cached_node_ids[cached])
            change[cached] -= ensemble.columns(tree)[1][nodes[cached]]
        at = np.flatnonzero(cached_tree_ids <= tree)
        nodes[at] = ensemble.down(tree, nodes[at], features, rows[at])
        change[at] += ensemble.columns(tree)[1][nodes[at]]
        logits[at] += np.float32(ensemble.proto.tree_weights[tree]) * change[at]
    return [logits[:, None], np.full(count, ensemble.last, np.int32), nodes.astype(np.int32)]


def _predict(xp: Any, memory: Any, ensemble: Any, features: Any) -> Any:
    """The sum over the trees of the weight times the value of the leaf."""
    count = len(features[0])
    logits = np.zeros(count, np.float32)
    if ensemble.last >= 0:
        stacked, rows = np.stack(features), np.arange(count)
        for tree in range(ensemble.last + 1):
            leaves = ensemble.down(tree, np.zeros(count, np.int64), stacked, rows)
            logits += np.float32(ensemble.proto.tree_weights[tree]) * ensemble.columns(tree)[1][leaves]
    return logits[:, None]


def _stats(
    xp: Any, memory: Any, node_ids: Any, gradients: Any, hessians: Any, features: Any, *, max_splits: int,
    num_buckets: int,
) -> Any:  # fmt: skip
    """The sums of gradients and Hessians of each feature, node and bucket."""
    result = np.zeros([len(features), max_splits, num_buckets, 2], np.float32)
    for i, buckets in enumerate(features):
        buckets = np.minimum(buckets, num_buckets - 1)  # there may be one boundary more than was asked for
        np.add.at(result[i, :, :, 0], (node_ids, buckets), gradients[:, 0])
        np.add.at(result[i, :, :, 1], (node_ids, buckets), hessians[:, 0])
    return result


def _best_gains(
    xp: Any, memory: Any, node_range: Any, stats: Any, l1: Any, l2: Any, tree_complexity: Any, min_node_weight: Any
) -> list[Any]:
    """For each feature and node the bucket at which splitting gains most."""
    found: list[list[Any]] = []
    for summary in stats:
        rows = []
        for node in range(int(node_range[0]), int(node_range[1])):
            g = np.cumsum(summary[node, :, 0], dtype=np.float32)
            h = np.cumsum(summary[node, :, 1], dtype=np.float32)
            if h[-1] < min_node_weight:
                continue
            left, gain_left = _weights_and_gains(g, h, l1, l2)
            right, gain_right = _weights_and_gains(g[-1] - g, h[-1] - h, l1, l2)
            parent = _weights_and_gains(g[-1:], h[-1:], l1, l2)[1][0]
            gains = gain_left + gain_right
            best = 0
            for bucket in np.flatnonzero(gains > np.maximum.accumulate(np.concatenate([gains[:1], gains[:-1]]))):
                best = int(bucket) if gains[bucket] - gains[best] >= _TOLERANCE else best
            rows.append((node, gains[best] - parent - tree_complexity, best, left[best], right[best]))
        columns = list(zip(*rows, strict=True)) if rows else [()] * 5
        found.append([
            np.array(columns[0], np.int32), np.array(columns[1], np.float32), np.array(columns[2], np.int32),
            np.array(columns[3], np.float32)[:, None], np.array(columns[4], np.float32)[:, None],
        ])  # fmt: skip
    return [each[k] for k in range(5) for each in found]


def _update(
    xp: Any, memory: Any, ensemble: Any, feature_ids: Any, node_ids: Any, gains: Any, thresholds: Any, lefts: Any,
    rights: Any, max_depth: Any, learning_rate: Any, *, pruning_mode: int,
) -> list[Any]:  # fmt: skip
    """One more layer: each node is split where it gains most; ties go to the feature with the smaller number."""
    ensemble.stamp += 1
    best: dict[int, tuple[Any, int, int]] = {}
    for f in range(len(node_ids)):
        for candidate, (node, gain) in enumerate(zip(node_ids[f].tolist(), gains[f], strict=True)):
            if node in best and abs(gain - best[node][0]) < _TOLERANCE:
                is_better = feature_ids[f] < feature_ids[best[node][1]]
            else:
                is_better = node not in best or gain - best[node][0] >= _TOLERANCE
            if is_better:
                best[node] = (gain, f, candidate)
    _count_attempt(ensemble)
    if ensemble.last < 0:
        ensemble.add_tree()
    if not best:
        log.warning("Not growing tree ensemble as no good splits were found.")
        return []
    tree, proto = ensemble.last, ensemble.proto
    first = len(proto.trees[tree].nodes)
    for node, (gain, f, candidate) in sorted(best.items()):
        if pruning_mode == PRE_PRUNING and gain < 0:
            continue
        rate = np.float32(learning_rate)
        left, right = rate * lefts[f][candidate, 0], rate * rights[f][candidate, 0]
        ensemble.split(tree, node, int(feature_ids[f]), int(thresholds[f][candidate]), float(gain), left, right)
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
    step = np.float32(_weights_and_gains(g, h, l1, l2)[0][0])
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


def _create_quantiles(
    xp: Any, memory: Any, quantiles: Any, epsilon: Any, num_streams: Any, *, max_elements: int
) -> list[Any]:
    if not quantiles.is_created:
        quantiles.create(float(epsilon), max_elements, int(num_streams))
    return []


def _make_summaries(xp: Any, memory: Any, values: Any, weights: Any, epsilon: Any) -> list[Any]:
    """The summary of each feature: rows of value, weight, least and greatest rank."""
    count = np.size(values[0])
    weights = np.broadcast_to(np.ravel(weights), [count]) if np.size(weights) == 1 else np.ravel(weights)
    result = []
    for feature in values:
        sketch = sketches.Sketch(float(epsilon), count + 1)
        sketch.add_numbers(np.ravel(feature), weights)
        result.append(np.array(sketch.finished(), np.float32).reshape(-1, 4))
    return result


def _add_summaries(xp: Any, memory: Any, quantiles: Any, summaries: Any) -> list[Any]:
    for sketch, rows in zip(quantiles.sketches, summaries, strict=True):
        sketch.add([sketches.Entry(*row) for row in np.asarray(rows).tolist()])
    return []


def _flush(xp: Any, memory: Any, quantiles: Any, num_buckets: Any, *, generate_quantiles: bool) -> list[Any]:
    """The sketches become boundaries."""
    count = int(num_buckets)
    for i, sketch in enumerate(quantiles.sketches):
        entries = sketch.finished()
        if generate_quantiles:
            found = sketches.quantiles_of(entries, count - 1)
        else:
            found = sketches.boundaries_of(entries, count)
        quantiles.boundaries[i] = np.array(found, np.float32)
    quantiles.clear()
    return []


def _take_boundaries(xp: Any, memory: Any, quantiles: Any, boundaries: Any) -> list[Any]:
    quantiles.boundaries = [np.asarray(each, np.float32) for each in boundaries]
    return []


def _bucketize(xp: Any, values: Any, boundaries: Any) -> list[Any]:
    """The first bucket whose boundary is not below the value; the last one takes all that is above."""
    found = []
    for value, bounds in zip(values, boundaries, strict=True):
        bucket = np.minimum(np.searchsorted(bounds, np.ravel(value)), max(len(bounds) - 1, 0))
        found.append(bucket.astype(np.int32))
    return found


# -- the ops -----------------------------------------------------------------------------------


def _op(
    name: str, inputs: str, outputs: str, kernel: Any, shape: Any = lambda *_: [], attrs: dict[str, Any] | None = None
) -> OpDef:
    return define(
        name, inputs, outputs, attrs=attrs, shape=shape, kernel=kernel, effect=Effect.HOST, gradient=not_differentiable
    )


_PLACE = {"container": "", "shared_name": ""}
_TREES, _STREAMS = "tree_ensemble_handle: resource", "quantile_stream_resource_handle: resource"
_MADE = {"num_features": REQUIRED}
_READ = {"num_bucketized_features": REQUIRED, "logits_dimension": REQUIRED}
_BUCKETS = "bucketized_features: num_bucketized_features*int32"


def _vectors(*inputs: Any) -> list[Any]:
    return [(None,) for _ in inputs[-1]]


def _logits_shape(handle: Any, features: Any, *, logits_dimension: int) -> Any:
    return (features[0].dims[0] if features[0].dims else None, logits_dimension)


def _training_shape(handle: Any, trees: Any, nodes: Any, features: Any, *, logits_dimension: int) -> Any:
    count = features[0].dims[0] if features[0].dims else None
    return [(count, logits_dimension), (count,), (count,)]


ENSEMBLE = _op("BoostedTreesEnsembleResourceHandleOp", "", "resource: resource", _ensemble, lambda: (), _PLACE)
QUANTILES = _op("BoostedTreesQuantileStreamResourceHandleOp", "", "resource: resource", _quantiles, lambda: (), _PLACE)
IS_ENSEMBLE = _op(
    "IsBoostedTreesEnsembleInitialized", _TREES, "is_initialized: bool",
    lambda xp, memory, ensemble: np.bool_(ensemble.proto is not None), lambda _: (),
)  # fmt: skip
IS_QUANTILES = _op(
    "IsBoostedTreesQuantileStreamResourceInitialized", _STREAMS, "is_initialized: bool",
    lambda xp, memory, quantiles: np.bool_(quantiles.is_created), lambda _: (),
)  # fmt: skip
CREATE_ENSEMBLE = _op(
    "BoostedTreesCreateEnsemble", f"{_TREES}, stamp_token: int64, tree_ensemble_serialized: string", "",
    _create_ensemble,
)  # fmt: skip
DESERIALIZE = _op(
    "BoostedTreesDeserializeEnsemble", f"{_TREES}, stamp_token: int64, tree_ensemble_serialized: string", "",
    _deserialize,
)  # fmt: skip
SERIALIZE = _op(
    "BoostedTreesSerializeEnsemble", _TREES, "stamp_token: int64, tree_ensemble_serialized: string", _serialize,
    lambda _: [(), ()],
)  # fmt: skip
STATES = _op(
    "BoostedTreesGetEnsembleStates", _TREES,
    "stamp_token: int64, num_trees: int32, num_finalized_trees: int32, num_attempted_layers: int32, "
    "last_layer_nodes_range: int32",
    _states, lambda _: [(), (), (), (), (2,)],
)  # fmt: skip
TRAINING_PREDICT = _op(
    "BoostedTreesTrainingPredict", f"{_TREES}, cached_tree_ids: int32, cached_node_ids: int32, {_BUCKETS}",
    "partial_logits: float32, tree_ids: int32, node_ids: int32", _training_predict, _training_shape, _READ,
)  # fmt: skip
PREDICT = _op("BoostedTreesPredict", f"{_TREES}, {_BUCKETS}", "logits: float32", _predict, _logits_shape, _READ)
STATS = _op(
    "BoostedTreesMakeStatsSummary",
    "node_ids: int32, gradients: float32, hessians: float32, bucketized_features_list: num_features*int32",
    "stats_summary: float32", _stats,
    lambda nodes, g, h, features, *, max_splits, num_buckets: (len(features), max_splits, num_buckets, 2),
    {**_MADE, "max_splits": REQUIRED, "num_buckets": REQUIRED},
)  # fmt: skip
BEST_GAINS = _op(
    "BoostedTreesCalculateBestGainsPerFeature",
    "node_id_range: int32, stats_summary_list: num_features*float32, l1: float32, l2: float32, "
    "tree_complexity: float32, min_node_weight: float32",
    "node_ids_list: num_features*int32, gains_list: num_features*float32, thresholds_list: num_features*int32, "
    "left_node_contribs_list: num_features*float32, right_node_contribs_list: num_features*float32",
    _best_gains, lambda nodes, stats, *_: [(None,)] * 3 * len(stats) + [(None, 1)] * 2 * len(stats),
    {**_MADE, "max_splits": REQUIRED},
)  # fmt: skip
UPDATE = _op(
    "BoostedTreesUpdateEnsemble",
    f"{_TREES}, feature_ids: int32, node_ids: num_features*int32, gains: num_features*float32, "
    "thresholds: num_features*int32, left_node_contribs: num_features*float32, "
    "right_node_contribs: num_features*float32, max_depth: int32, learning_rate: float32",
    "", _update, attrs={**_MADE, "pruning_mode": REQUIRED},
)  # fmt: skip
CENTER_BIAS = _op(
    "BoostedTreesCenterBias", f"{_TREES}, mean_gradients: float32, mean_hessians: float32, l1: float32, l2: float32",
    "continue_centering: bool", _center, lambda *_: (),
)  # fmt: skip
CREATE_QUANTILES = _op(
    "BoostedTreesCreateQuantileStreamResource", f"{_STREAMS}, epsilon: float32, num_streams: int64", "",
    _create_quantiles, attrs={"max_elements": 1 << 40},
)  # fmt: skip
MAKE_SUMMARIES = _op(
    "BoostedTreesMakeQuantileSummaries",
    "float_values: num_features*float32, example_weights: float32, epsilon: float32",
    "summaries: num_features*float32", _make_summaries, lambda values, *_: [(None, 4)] * len(values), _MADE,
)  # fmt: skip
ADD_SUMMARIES = _op(
    "BoostedTreesQuantileStreamResourceAddSummaries", f"{_STREAMS}, summaries: num_features*float32", "",
    _add_summaries, attrs=_MADE,
)  # fmt: skip
FLUSH = _op(
    "BoostedTreesQuantileStreamResourceFlush", f"{_STREAMS}, num_buckets: int64", "", _flush,
    attrs={"generate_quantiles": False},
)  # fmt: skip
TAKE_BOUNDARIES = _op(
    "BoostedTreesQuantileStreamResourceDeserialize", f"{_STREAMS}, bucket_boundaries: num_streams*float32", "",
    _take_boundaries, attrs={"num_streams": REQUIRED},
)  # fmt: skip
GET_BOUNDARIES = _op(
    "BoostedTreesQuantileStreamResourceGetBucketBoundaries", _STREAMS, "bucket_boundaries: num_features*float32",
    lambda xp, memory, quantiles: list(quantiles.boundaries), lambda _, *, num_features: [(None,)] * num_features,
    _MADE,
)  # fmt: skip
BUCKETIZE = define(
    "BoostedTreesBucketize", "float_values: num_features*float32, bucket_boundaries: num_features*float32",
    "buckets: num_features*int32", attrs=_MADE, shape=_vectors, kernel=_bucketize, gradient=not_differentiable,
    effect=None,
)  # fmt: skip
