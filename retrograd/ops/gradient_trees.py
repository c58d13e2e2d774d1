"""``tf.contrib.boosted_trees``: an ensemble of decision trees as a resource, which a session keeps.

At run time a handle is the ``GradientTrees``.  Each change gives it another stamp, and ops that come with an older
one are late.  Source: TensorFlow 1.15.5, ``contrib/boosted_trees``: signatures, counts, what messages hold.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from google.protobuf.message import DecodeError

from retrograd.files import gradient_tree_messages as messages
from retrograd.graph import errors
from retrograd.graph.definition import REQUIRED, OpDef
from retrograd.ops.boosted_tree_splits import host_op
from retrograd.ops.queues import resource_of

# -- at run time -------------------------------------------------------------------------------


class Stamped:
    """What a session keeps under a stamp; none until it is created."""

    stamp: Any = None

    def check(self, stamp: Any) -> None:
        """An op that must not be late has this stamp.

        Raises:
          InvalidArgumentError: the stamp is another.
        """
        if self.stamp != int(stamp):
            told = f"Invalid stamp token. Passed stamp token: {int(stamp)} Current token: {self.stamp}"
            raise errors.InvalidArgumentError(None, None, told)


class GradientTrees(Stamped):
    """Trees with their weights; ``columns`` are their nodes as arrays, made when they are asked for."""

    def create(self, stamp: Any, serialized: Any) -> None:
        """The trees of a serialized ensemble.

        Raises:
          InvalidArgumentError: it is none.
        """
        self.proto = parsed("DecisionTreeEnsembleConfig", serialized, "Unable to parse tree ensemble config.")
        self.stamp, self._columns = int(stamp), dict[int, Any]()

    @property
    def last(self) -> Any:
        """The latest tree."""
        return self.proto.trees[-1]

    @property
    def last_metadata(self) -> Any:
        """What is known of it beside its nodes."""
        return self.proto.tree_metadata[-1]

    @property
    def is_whole(self) -> bool:
        """Whether no tree is growing."""
        return not self.proto.trees or self.last_metadata.is_finalized

    def columns(self, tree: int) -> Any:
        """The nodes of a tree as arrays."""
        if tree not in self._columns:
            self._columns[tree] = NodeColumns(self.proto.trees[tree].nodes)
        return self._columns[tree]

    def forget(self, tree: int) -> None:
        """The nodes of a tree have changed."""
        self._columns.pop(tree, None)

    def count_attempt(self) -> None:
        """One more layer is tried, and with it maybe a tree."""
        growing = self.proto.growing_metadata
        growing.num_layers_attempted += 1
        if self.is_whole:
            growing.num_trees_attempted += 1

    def add_tree(self, weight: Any) -> Any:
        """One more tree, without nodes."""
        self.proto.tree_weights.append(weight)
        self.proto.tree_metadata.add().num_layers_grown = 1
        return self.proto.trees.add()

    def remove_last(self) -> None:
        """One tree less."""
        self.forget(len(self.proto.trees) - 1)
        for field in (self.proto.trees, self.proto.tree_weights, self.proto.tree_metadata):
            del field[-1]


def binary_split(node: Any) -> Any:
    """What has the children of a node, None for leaves and nodes of oblivious trees."""
    kind = node.WhichOneof("node")
    if kind is None or kind == "leaf" or kind.startswith("oblivious"):
        return None
    split = getattr(node, kind)
    return split.split if kind.startswith("sparse") else split


LEAF, DENSE, SPARSE_LEFT, SPARSE_RIGHT, CATEGORY, CATEGORIES, ALL_DENSE, ALL_CATEGORY = range(8)
_KINDS = {
    "leaf": LEAF, "dense_float_binary_split": DENSE, "sparse_float_binary_split_default_left": SPARSE_LEFT,
    "sparse_float_binary_split_default_right": SPARSE_RIGHT, "categorical_id_binary_split": CATEGORY,
    "categorical_id_set_membership_binary_split": CATEGORIES, "oblivious_dense_float_binary_split": ALL_DENSE,
    "oblivious_categorical_id_binary_split": ALL_CATEGORY,
}  # fmt: skip


class NodeColumns:
    """The nodes of a tree: kind, feature, dimension of the feature, threshold, categories and children of each."""

    def __init__(self, nodes: Any) -> None:
        count = len(nodes)
        self.kind = np.zeros(count, np.int8)
        self.feature, self.dimension = np.zeros(count, np.int64), np.zeros(count, np.int64)
        self.threshold = np.zeros(count, np.float32)
        self.categories: dict[int, list[int]] = {}
        self.children = np.zeros((count, 2), np.int64)
        self._leaves = [node.leaf for node in nodes]
        self._values: dict[int, Any] = {}
        for i, node in enumerate(nodes):
            self.kind[i] = kind = _KINDS[node.WhichOneof("node") or "leaf"]
            if kind == LEAF:
                continue
            found = getattr(node, node.WhichOneof("node"))
            found = found.split if kind in (SPARSE_LEFT, SPARSE_RIGHT) else found
            self.feature[i] = found.feature_column
            if kind in (DENSE, SPARSE_LEFT, SPARSE_RIGHT, ALL_DENSE):
                self.threshold[i] = found.threshold
            if kind in (SPARSE_LEFT, SPARSE_RIGHT):
                self.dimension[i] = found.dimension_id
            if kind in (CATEGORY, ALL_CATEGORY):
                self.categories[i] = [found.feature_id]
            if kind == CATEGORIES:
                self.categories[i] = list(found.feature_ids)
            if kind < ALL_DENSE:
                self.children[i] = found.left_id, found.right_id

    def values(self, width: int) -> Any:
        """What each leaf adds to ``width`` logits."""
        if width not in self._values:
            table = np.zeros((len(self._leaves), width), np.float32)
            for row, leaf in zip(table, self._leaves, strict=True):
                if leaf.HasField("sparse_vector"):
                    for i, value in zip(leaf.sparse_vector.index, leaf.sparse_vector.value, strict=True):
                        row[i] += value
                else:
                    row[: len(leaf.vector.value)] = leaf.vector.value
            self._values[width] = table
        return self._values[width]


def parsed(name: str, serialized: Any, complaint: str) -> Any:
    """The message in some bytes.

    Raises:
      InvalidArgumentError: they hold none.
    """
    serialized = serialized if isinstance(serialized, bytes) else np.asarray(serialized, object).item()
    serialized = serialized.encode() if isinstance(serialized, str) else serialized
    try:
        return messages.message(name).FromString(serialized)
    except DecodeError:
        raise errors.InvalidArgumentError(None, None, complaint) from None


def as_bytes_tensor(proto: Any) -> Any:
    """A message as a tensor of one string."""
    return np.array(proto.SerializeToString(deterministic=True), object)


# -- kernels -----------------------------------------------------------------------------------


def handle_op(name: str, kind: type) -> OpDef:
    """The op that gives the handle of a resource."""

    def kernel(xp: Any, memory: Any, *, container: Any, shared_name: Any) -> Any:
        return resource_of(memory, container, shared_name, lambda _: kind())

    return host_op(name, "", "resource: resource", kernel, lambda: (), {"container": "", "shared_name": ""})


def there_op(name: str, handle: str) -> OpDef:
    """The op that says whether a resource is created."""
    return host_op(
        name, f"{handle}: resource", "is_initialized: bool",
        lambda xp, memory, resource: np.bool_(resource.stamp is not None), lambda _: (),
    )  # fmt: skip


def _create(xp: Any, memory: Any, trees: GradientTrees, stamp: Any, serialized: Any) -> list[Any]:
    if trees.stamp is None:
        trees.create(stamp, serialized)
    return []


def _deserialize(xp: Any, memory: Any, trees: GradientTrees, stamp: Any, serialized: Any) -> list[Any]:
    trees.create(stamp, serialized)
    return []


def _used(xp: Any, memory: Any, trees: GradientTrees, stamp: Any, *, num_all_handlers: int) -> list[Any]:
    """How many handlers have split a node, and which."""
    trees.check(stamp)
    used = list(trees.proto.growing_metadata.used_handler_ids)
    if used != sorted(used):
        raise errors.InvalidArgumentError(None, None, "Handler IDs should be sorted.")
    return [np.int64(len(used)), np.isin(np.arange(num_all_handlers), used)]


def _stats(xp: Any, memory: Any, trees: GradientTrees, stamp: Any) -> list[Any]:
    """Whole trees and all layers, the number of the tree that grows and its layers, and what was tried."""
    trees.check(stamp)
    proto = trees.proto
    layers = [each.num_layers_grown for each in proto.tree_metadata]
    count, growing = len(proto.trees), proto.growing_metadata
    found = [
        count if trees.is_whole else count - 1, sum(layers), count, layers[-1] if layers else 0,
        growing.num_trees_attempted, growing.num_layers_attempted,
    ]  # fmt: skip
    return [np.int64(each) for each in found]


def _center(
    xp: Any, memory: Any, trees: GradientTrees, stamp: Any, next_stamp: Any, deltas: Any, *, centering_epsilon: float
) -> Any:
    """Move the only leaf of the first tree; whether that was not yet the last step."""
    trees.check(stamp)
    trees.stamp = int(next_stamp)
    if not trees.proto.trees:
        trees.count_attempt()
        trees.add_tree(1.0).nodes.add().leaf.vector.value.extend([0.0] * len(deltas))
    if len(trees.proto.trees) > 1:
        raise errors.InternalError(None, None, "Unable to center bias on an already grown ensemble")
    values = trees.last.nodes[0].leaf.vector.value
    values[:] = (np.array(values, np.float32) + deltas[: len(values)]).tolist()
    trees.forget(0)
    goes_on = np.sum(np.abs(deltas[: len(values)])) > np.float32(centering_epsilon)
    if not goes_on:
        trees.last_metadata.is_finalized = True
    return np.bool_(goes_on)


# -- the ops -----------------------------------------------------------------------------------

HANDLE = "tree_ensemble_handle: resource"
_STAMPED = f"{HANDLE}, stamp_token: int64"

TREES = handle_op("DecisionTreeEnsembleResourceHandleOp", GradientTrees)
ARE_TREES = there_op("TreeEnsembleIsInitializedOp", "tree_ensemble_handle")
CREATE_TREES = host_op("CreateTreeEnsembleVariable", f"{_STAMPED}, tree_ensemble_config: string", "", _create)
STAMP = host_op(
    "TreeEnsembleStampToken", HANDLE, "stamp_token: int64", lambda xp, memory, trees: np.int64(trees.stamp),
    lambda _: (),
)  # fmt: skip
SERIALIZE = host_op(
    "TreeEnsembleSerialize", HANDLE, "stamp_token: int64, tree_ensemble_config: string",
    lambda xp, memory, trees: [np.int64(trees.stamp), as_bytes_tensor(trees.proto)], lambda _: [(), ()],
)  # fmt: skip
DESERIALIZE = host_op("TreeEnsembleDeserialize", f"{_STAMPED}, tree_ensemble_config: string", "", _deserialize)
USED_HANDLERS = host_op(
    "TreeEnsembleUsedHandlers", _STAMPED, "num_used_handlers: int64, used_handlers_mask: bool", _used,
    lambda *_, num_all_handlers: [(), (num_all_handlers,)], {"num_all_handlers": REQUIRED},
)  # fmt: skip
STATS = host_op(
    "TreeEnsembleStats", _STAMPED,
    "num_trees: int64, num_layers: int64, active_tree: int64, active_layer: int64, attempted_trees: int64, "
    "attempted_layers: int64",
    _stats, lambda *_: [()] * 6,
)  # fmt: skip
CENTER = host_op(
    "CenterTreeEnsembleBias", f"{_STAMPED}, next_stamp_token: int64, delta_updates: float32",
    "continue_centering: bool", _center, lambda *_: (), {"learner_config": REQUIRED, "centering_epsilon": 0.01},
)  # fmt: skip
