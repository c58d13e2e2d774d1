"""Random forests as ops: trees that grow from examples as these come, which a session keeps.

A leaf draws candidates "x_f <= t", the feature at random and the threshold from the example; each counts the classes
of the examples on either side.  Once the leaf has seen enough examples of more than one class it is split by the
candidate of the least impurity, sum over sides of (n - sum_c n_c^2 / n), with one example more of each class on
either side; for numbers, of the least variance.  Sources: Domingos and Hulten, "Mining high-speed data streams",
2000; Colthurst et al., "TensorForest", 2016; TensorFlow 1.15.5: signatures, when a tree stops, what predictions are.
"""

from __future__ import annotations

import io
from functools import lru_cache
from typing import Any

import numpy as np

from retrograd.files.messages import message
from retrograd.graph.definition import REQUIRED, Effect, OpDef, define, not_differentiable
from retrograd.graph.errors import InvalidArgumentError
from retrograd.ops.queues import resource_of

NO_CHILD = -1


@lru_cache(maxsize=64)
def params_of(serialized: bytes) -> Any:
    """The parameters of a forest."""
    return message("TensorForestParams").FromString(serialized)


def _at_depth(param: Any, depth: int) -> float:
    """A parameter that may depend on the depth of a node."""
    kind = param.WhichOneof("ParamType")
    if kind == "linear":
        line = param.linear
        return min(max(line.slope * depth + line.y_intercept, line.min_val), line.max_val)  # type: ignore[no-any-return]
    if kind == "exponential":
        curve = param.exponential
        return curve.bias + curve.multiplier * curve.base ** (curve.depth_multiplier * depth)  # type: ignore[no-any-return]
    if kind == "threshold":
        step = param.threshold
        return step.on_value if depth >= step.threshold else step.off_value  # type: ignore[no-any-return]
    return param.constant_value  # type: ignore[no-any-return]


# -- at run time -------------------------------------------------------------------------------


class Tree:
    """Nodes as columns: feature, threshold, children, depth, and what the examples of the node add up to."""

    def __init__(self) -> None:
        self.is_created = False

    def create(self, width: int) -> None:
        """One leaf; ``width`` numbers are added up in a node."""
        self.is_created = True
        self.feature = np.full(1, NO_CHILD, np.int64)
        self.threshold = np.zeros(1, np.float32)
        self.children = np.full((1, 2), NO_CHILD, np.int64)
        self.depth = np.zeros(1, np.int64)
        self.sums = np.zeros((1, width), np.float64)

    def down(self, x: Any, strict: bool) -> Any:
        """The leaf at which each example arrives."""
        nodes = np.zeros(len(x), np.int64)
        moving = np.arange(len(x))
        while True:
            moving = moving[self.feature[nodes[moving]] != NO_CHILD]
            if not len(moving):
                return nodes
            at = nodes[moving]
            value, threshold = x[moving, self.feature[at]], self.threshold[at]
            is_left = value < threshold if strict else value <= threshold
            nodes[moving] = self.children[at, np.where(is_left, 0, 1)]

    def split(self, node: int, feature: int, threshold: Any, left: Any, right: Any) -> tuple[int, int]:
        """Two new leaves under ``node``, with what their examples add up to."""
        first = len(self.feature)
        self.feature[node], self.threshold[node], self.children[node] = feature, threshold, (first, first + 1)
        self.feature = np.append(self.feature, [NO_CHILD] * 2)
        self.threshold = np.append(self.threshold, np.zeros(2, np.float32))
        self.children = np.append(self.children, np.full((2, 2), NO_CHILD, np.int64), axis=0)
        self.depth = np.append(self.depth, [self.depth[node] + 1] * 2)
        self.sums = np.append(self.sums, [left, right], axis=0)
        return first, first + 1


class _Leaf:
    """The candidates of a leaf, and the sums of the examples on their left and in all, since each was drawn."""

    def __init__(self, candidates: int, width: int) -> None:
        self.feature = np.zeros(candidates, np.int64)
        self.threshold = np.zeros(candidates, np.float32)
        self.left = np.zeros((candidates, width), np.float64)
        self.all = np.zeros((candidates, width), np.float64)
        self.drawn, self.weight, self.seen = 0, 0.0, np.zeros(width, bool)


class Fertile:
    """The leaves that may still be split."""

    def __init__(self) -> None:
        self.is_created = False

    def create(self) -> None:
        """None yet."""
        self.is_created, self.leaves = True, {}
        self.random: Any = None

    leaves: dict[int, _Leaf]


def _additions(labels: Any, weights: Any, params: Any) -> Any:
    """What each example adds to its leaf: its weight to its class; or w, w y and w y^2 for each output."""
    count = params.num_outputs
    if not params.is_regression:
        classes = np.asarray(labels, np.int64).ravel()
        if len(classes) and not (classes.min() >= 0 and classes.max() < count):
            raise InvalidArgumentError(None, None, f"labels must be below {count}, the number of classes")
        rows = np.zeros((len(classes), count))
        rows[np.arange(len(classes)), classes] = weights
        return rows
    y = np.asarray(labels, np.float64).reshape(-1, count)
    w = weights[:, None]
    return np.concatenate([w, w * y, w * y * y], axis=1)


def _width(params: Any) -> int:
    return 1 + 2 * params.num_outputs if params.is_regression else params.num_outputs  # type: ignore[no-any-return]


def _impurity(sums: Any, params: Any) -> Any:
    """n - sum n_c^2 / n with one more of each class; of numbers, n times the variance."""
    if params.is_regression:
        n, y, squares = sums[:, 0], sums[:, 1 : 1 + params.num_outputs], sums[:, 1 + params.num_outputs :]
        return (squares - y * y / np.maximum(n, 1e-9)[:, None]).sum(1)
    smooth = sums + 1
    n = smooth.sum(1)
    return n - (smooth * smooth).sum(1) / n


def _size(sums: Any, params: Any) -> Any:
    return sums[..., 0] if params.is_regression else sums.sum(-1)


# -- kernels -----------------------------------------------------------------------------------


def _bytes(x: Any) -> bytes:
    return bytes(x if isinstance(x, bytes) else np.asarray(x).item())


def _tree(xp: Any, memory: Any, *, container: Any, shared_name: Any) -> Any:
    return resource_of(memory, container, shared_name, lambda _: Tree())


def _fertile(xp: Any, memory: Any, *, container: Any, shared_name: Any) -> Any:
    return resource_of(memory, container, shared_name, lambda _: Fertile())


def _create_tree(xp: Any, memory: Any, tree: Any, config: Any, *, params: Any) -> list[Any]:
    text = _bytes(config)
    if not tree.is_created:
        tree.create(_width(params_of(_bytes(params))))
    return _restore_tree(xp, memory, tree, text, params=params) if text else []


def _save_tree(xp: Any, memory: Any, tree: Any) -> Any:
    """The columns, one array behind the other."""
    columns = [tree.feature, tree.threshold, tree.children, tree.depth, tree.sums]
    return np.array(b"".join(_dumped(c) for c in columns), object)


def _dumped(x: Any) -> bytes:
    out = io.BytesIO()
    np.save(out, x, allow_pickle=False)
    return out.getvalue()


def _loaded(data: bytes, count: int) -> list[Any]:
    source = io.BytesIO(data)
    return [np.load(source, allow_pickle=False) for _ in range(count)]


def _restore_tree(xp: Any, memory: Any, tree: Any, config: Any, *, params: Any) -> list[Any]:
    tree.is_created = True
    tree.feature, tree.threshold, tree.children, tree.depth, tree.sums = _loaded(_bytes(config), 5)
    return []


def _create_fertile(xp: Any, memory: Any, fertile: Any, config: Any, *, params: Any) -> list[Any]:
    if not fertile.is_created:
        fertile.create()
    return []


def _save_fertile(xp: Any, memory: Any, fertile: Any, *, params: Any) -> Any:
    """Nothing, unless the parameters say ``checkpoint_stats``: then leaf by leaf, array by array."""
    if not params_of(_bytes(params)).checkpoint_stats:
        return np.array(b"", object)
    parts = [_dumped(np.array(list(fertile.leaves), np.int64))]
    for leaf in fertile.leaves.values():
        head = np.array([leaf.drawn, leaf.weight], np.float64)
        parts += [_dumped(x) for x in (leaf.feature, leaf.threshold, leaf.left, leaf.all, leaf.seen, head)]
    return np.array(b"".join(parts), object)


def _restore_fertile(xp: Any, memory: Any, fertile: Any, config: Any, *, params: Any) -> list[Any]:
    fertile.create()
    data = _bytes(config)
    if data:
        nodes = _loaded(data, 1)[0]
        arrays = _loaded(data, 1 + 6 * len(nodes))[1:]
        for i, node in enumerate(nodes.tolist()):
            feature, threshold, left, total, seen, head = arrays[6 * i : 6 * i + 6]
            leaf = fertile.leaves[node] = _Leaf(len(feature), left.shape[1])
            leaf.feature, leaf.threshold, leaf.left, leaf.all, leaf.seen = feature, threshold, left, total, seen
            leaf.drawn, leaf.weight = int(head[0]), float(head[1])
    return []


def _dense(x: Any, sparse_values: Any) -> Any:
    if np.size(sparse_values):
        raise InvalidArgumentError(None, None, "forests of sparse features are not supported: use tf.sparse.to_dense")
    return x


def _traverse(
    xp: Any, memory: Any, tree: Any, x: Any, indices: Any, values: Any, shape: Any, *, input_spec: Any, params: Any
) -> Any:
    return tree.down(_dense(x, values), params_of(_bytes(params)).inequality_test_type == 1).astype(np.int32)


def _weights(given: Any, count: int) -> Any:
    return np.asarray(given, np.float64) if len(given) else np.ones(count)


def _update(xp: Any, memory: Any, tree: Any, leaves: Any, labels: Any, weights: Any, *, params: Any) -> list[Any]:
    """Add the examples to what their leaves add up to."""
    np.add.at(tree.sums, leaves, _additions(labels, _weights(weights, len(leaves)), params_of(_bytes(params))))
    return []


def _process(
    xp: Any, memory: Any, tree: Any, fertile: Any, x: Any, indices: Any, values: Any, shape: Any, labels: Any,
    weights: Any, leaves: Any, *, random_seed: int, input_spec: Any, params: Any,
) -> Any:  # fmt: skip
    """Draw candidates, count examples; the leaves that have seen enough."""
    p, x = params_of(_bytes(params)), _dense(x, values)
    if fertile.random is None:
        fertile.random = np.random.default_rng(random_seed or None)
    weights = _weights(weights, len(leaves))
    rows = _additions(labels, weights, p)
    finished = []
    order = np.argsort(leaves, kind="stable")
    for part in np.split(order, np.flatnonzero(np.diff(leaves[order])) + 1) if len(order) else []:
        node = int(leaves[part[0]])
        depth = int(tree.depth[node])
        leaf = fertile.leaves.get(node)
        if leaf is None:
            candidates = max(1, int(_at_depth(p.num_splits_to_consider, depth)))
            leaf = fertile.leaves[node] = _Leaf(candidates, rows.shape[1])
        _draw(leaf, x[part], fertile.random)
        _count(leaf, x[part], rows[part], p.inequality_test_type == 1)
        leaf.weight += float(weights[part].sum())
        enough = leaf.weight >= _at_depth(p.split_after_samples, depth)
        if enough and (p.is_regression or leaf.seen.sum() > 1):
            finished.append(node)
    return np.array(finished, np.int32)


def _draw(leaf: _Leaf, x: Any, random: Any) -> None:
    """One candidate of each example, as long as there are too few."""
    count = min(len(leaf.feature) - leaf.drawn, len(x))
    if count > 0:
        new = slice(leaf.drawn, leaf.drawn + count)
        leaf.feature[new] = random.integers(x.shape[1], size=count)
        leaf.threshold[new] = x[np.arange(count), leaf.feature[new]]
        leaf.drawn += count


def _count(leaf: _Leaf, x: Any, rows: Any, strict: bool) -> None:
    feature, threshold = leaf.feature[: leaf.drawn], leaf.threshold[: leaf.drawn]
    value = x[:, feature]
    is_left = value < threshold if strict else value <= threshold
    leaf.left[: leaf.drawn] += is_left.T.astype(np.float64) @ rows
    leaf.all[: leaf.drawn] += rows.sum(0)
    leaf.seen |= rows.any(0)


def _grow(xp: Any, memory: Any, tree: Any, fertile: Any, finished: Any, *, params: Any) -> list[Any]:
    """Split leaves by their best candidates, while the tree has fewer nodes than it may have."""
    p = params_of(_bytes(params))
    for node in finished.tolist():
        if len(tree.feature) >= p.max_nodes:
            break
        leaf = fertile.leaves.pop(node)
        left, right = leaf.left[: leaf.drawn], (leaf.all - leaf.left)[: leaf.drawn]
        both = (_size(left, p) > 0) & (_size(right, p) > 0)
        if both.any():  # otherwise the leaf begins anew
            score = np.where(both, _impurity(left, p) + _impurity(right, p), np.inf)
            best = int(np.argmin(score))
            tree.split(node, int(leaf.feature[best]), leaf.threshold[best], left[best], right[best])
    return []


def _predict(
    xp: Any, memory: Any, tree: Any, x: Any, indices: Any, values: Any, shape: Any, *, input_spec: Any, params: Any
) -> list[Any]:
    """The shares of the classes in an example's leaf, or the mean of its numbers; 0 without any."""
    p = params_of(_bytes(params))
    sums = tree.sums[tree.down(_dense(x, values), p.inequality_test_type == 1)]
    totals = sums[:, 1 : 1 + p.num_outputs] if p.is_regression else sums
    shares = totals / np.maximum(_size(sums, p), 1e-30)[:, None]
    return [shares.astype(np.float32), np.array([b""] * (len(x) if p.inference_tree_paths else 0), object)]


def _usage(xp: Any, memory: Any, tree: Any, *, params: Any) -> Any:
    used = tree.feature[tree.feature != NO_CHILD]
    return np.bincount(used, minlength=params_of(_bytes(params)).num_features).astype(np.int32)


def _finalize(xp: Any, memory: Any, tree: Any, fertile: Any, *, params: Any) -> list[Any]:
    fertile.leaves.clear()
    return []


# -- the ops -----------------------------------------------------------------------------------


def _op(name: str, inputs: str, outputs: str, kernel: Any, shape: Any, **attrs: Any) -> OpDef:
    return define(
        name, inputs, outputs, attrs=attrs, shape=shape, kernel=kernel, effect=Effect.HOST, gradient=not_differentiable
    )


_PLACE = {"container": "", "shared_name": ""}
_TREE, _STATS = "tree_handle: resource", "stats_handle: resource"
_X = "input_data: float32, sparse_input_indices: int64, sparse_input_values: float32, sparse_input_shape: int64"
_Y = "input_labels: float32, input_weights: float32"
_OF_INPUT = {"input_spec": REQUIRED, "params": REQUIRED}


def _nothing(*_: Any) -> list[Any]:
    return []


def _of_trees(*_: Any) -> Any:
    return (None,)


TREE = _op("DecisionTreeResourceHandleOp", "", "resource: resource", _tree, lambda: (), **_PLACE)
STATS = _op("FertileStatsResourceHandleOp", "", "resource: resource", _fertile, lambda: (), **_PLACE)
CREATE_TREE = _op("CreateTreeVariable", f"{_TREE}, tree_config: string", "", _create_tree, _nothing, params=REQUIRED)
CREATE_STATS = _op(
    "CreateFertileStatsVariable", f"{_STATS}, stats_config: string", "", _create_fertile, _nothing, params=REQUIRED
)
IS_TREE = _op(
    "TreeIsInitializedOp", _TREE, "is_initialized: bool", lambda xp, memory, tree: np.bool_(tree.is_created),
    lambda _: (),
)  # fmt: skip
IS_STATS = _op(
    "FertileStatsIsInitializedOp", _STATS, "is_initialized: bool",
    lambda xp, memory, stats: np.bool_(stats.is_created), lambda _: (),
)  # fmt: skip
SAVE_TREE = _op("TreeSerialize", _TREE, "tree_config: string", _save_tree, lambda _: ())
SAVE_STATS = _op("FertileStatsSerialize", _STATS, "stats_config: string", _save_fertile, lambda _: (), params=REQUIRED)
RESTORE_TREE = _op("TreeDeserialize", f"{_TREE}, tree_config: string", "", _restore_tree, _nothing, params=REQUIRED)
RESTORE_STATS = _op(
    "FertileStatsDeserialize", f"{_STATS}, stats_config: string", "", _restore_fertile, _nothing, params=REQUIRED
)
SIZE = _op("TreeSize", _TREE, "tree_size: int32", lambda xp, memory, tree: np.int32(len(tree.feature)), lambda _: ())
TRAVERSE = _op("TraverseTreeV4", f"{_TREE}, {_X}", "leaf_ids: int32", _traverse, _of_trees, **_OF_INPUT)
UPDATE = _op("UpdateModelV4", f"{_TREE}, leaf_ids: int32, {_Y}", "", _update, _nothing, params=REQUIRED)
PROCESS = _op(
    "ProcessInputV4", f"{_TREE}, {_STATS}, {_X}, {_Y}, leaf_ids: int32", "finished_nodes: int32", _process, _of_trees,
    random_seed=REQUIRED, **_OF_INPUT,
)  # fmt: skip
GROW = _op("GrowTreeV4", f"{_TREE}, {_STATS}, finished_nodes: int32", "", _grow, _nothing, params=REQUIRED)
PREDICT = _op(
    "TreePredictionsV4", f"{_TREE}, {_X}", "predictions: float32, tree_paths: string", _predict,
    lambda *_: [(None, None), (None,)], **_OF_INPUT,
)  # fmt: skip
USAGE = _op("FeatureUsageCounts", _TREE, "feature_counts: int32", _usage, lambda _: (None,), params=REQUIRED)
FINALIZE = _op("FinalizeTree", f"{_TREE}, {_STATS}", "", _finalize, _nothing, params=REQUIRED)
