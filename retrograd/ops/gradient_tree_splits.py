"""``tf.contrib.boosted_trees``: where each leaf is split by a feature, from sums of gradients and Hessians.

Rows come in the order of leaves, and of a leaf in the order of the feature's dimensions and buckets.  Source:
TensorFlow 1.15.5, ``contrib/boosted_trees``: order of sums, which candidate is taken of equal ones, messages.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from retrograd.files import gradient_tree_messages as messages
from retrograd.graph import errors
from retrograd.ops.boosted_tree_splits import host_op
from retrograd.ops.gradient_tree_values import Penalties, Worth, is_nothing, worth

_OBLIVIOUS = 1
_LOWEST = np.finfo(np.float32).min


class _Sums:
    """Gradients and Hessians of the rows, over the number of batches, and how nodes are valued."""

    def __init__(self, batches: Any, partitions: Any, g: Any, h: Any, penalties: Penalties, class_id: Any) -> None:
        self.partitions, self.penalties, self.class_id = partitions, penalties, int(class_id)
        self._ratio = np.float32(1) / np.float32(batches) if batches else np.float32(np.inf)
        self.raw = self._rows(g), self._rows(h)
        with np.errstate(invalid="ignore"):
            self.g, self.h = (x * self._ratio for x in self.raw)
        if (np.diff(partitions) < 0).any():
            raise errors.InvalidArgumentError(None, None, "Input should be sorted.")
        firsts = np.flatnonzero(np.diff(partitions, prepend=partitions[:1] - 1)).tolist()
        self.bounds = [*zip(firsts, [*firsts[1:], len(partitions)], strict=True)] if firsts else []

    @staticmethod
    def _rows(x: Any) -> Any:
        return x.reshape(-1, 1) if x.ndim == 1 else x

    def total(self, start: int, end: int) -> tuple[Any, Any]:
        """The sums of some rows, as tables of one row."""
        return tuple(np.cumsum(x[start:end], axis=0)[-1:] * self._ratio for x in self.raw)  # type: ignore[return-value]

    def running(self, start: int, end: int) -> tuple[Any, Any]:
        """The sums of the rows as far as each."""
        return np.cumsum(self.g[start:end], axis=0), np.cumsum(self.h[start:end], axis=0)

    def row(self, i: int) -> tuple[Any, Any]:
        """One row, as tables of one row."""
        return self.g[i : i + 1], self.h[i : i + 1]

    def worth(self, sums: tuple[Any, Any]) -> Worth:
        """The worth of nodes with these sums."""
        return worth(*sums, self.penalties)

    def fill(self, leaf: Any, found: Worth, row: int) -> None:
        """Let a leaf have the value of a node, if that has one."""
        values = found.values[row].tolist()
        if self.class_id == -1:
            if found.are_there[row]:
                leaf.vector.value.extend(values)
        else:
            leaf.sparse_vector.index.append(self.class_id)
            leaf.sparse_vector.value.extend(values[:1])


def _minus(a: tuple[Any, Any], b: tuple[Any, Any]) -> tuple[Any, Any]:
    return a[0] - b[0], a[1] - b[1]


def _first_best(left: Worth, right: Worth) -> tuple[Any, int]:
    gains = left.gains + right.gains
    best = int(np.argmax(gains))
    return gains[best], best


def _outputs(partitions: list[Any], gains: list[Any], splits: list[Any]) -> list[Any]:
    strings = np.empty(len(splits), object)
    strings[:] = [split.SerializeToString() for split in splits]
    return [np.array(partitions, np.int32), np.array(gains, np.float32), strings]


class _Splits:
    """The splits that are found, of a leaf each."""

    def __init__(self, sums: _Sums) -> None:
        self._sums = sums
        self._ids: list[Any] = []
        self._gains: list[Any] = []
        self._splits: list[Any] = []

    def add(self, start: int, root: Any, split: Any, gain: Any, left: Worth, right: Worth, row: int) -> None:
        """Split the leaf whose rows begin at ``start``: its sides are worth ``left`` and ``right``, each at ``row``."""
        self._sums.fill(split.left_child, left, row)
        self._sums.fill(split.right_child, right, row)
        self._ids.append(self._sums.partitions[start])
        self._gains.append(gain - self._sums.worth(root).gains[0] - self._sums.penalties.tree_complexity)
        self._splits.append(split)

    def outputs(self) -> list[Any]:
        return _outputs(self._ids, self._gains, self._splits)


# -- numbers that all examples have ------------------------------------------------------------


def _dense(
    xp: Any, memory: Any, batches: Any, partitions: Any, buckets: Any, g: Any, h: Any, boundaries: Any, class_id: Any,
    column: Any, l1: Any, l2: Any, complexity: Any, least: Any, strategy: Any, learner: Any,
) -> list[Any]:  # fmt: skip
    """Each leaf is split at the bucket at which that gains most."""
    if not len(boundaries) or not len(partitions):
        return _outputs([], [], [])
    sums = _Sums(batches, partitions, g, h, Penalties(l1, l2, complexity, least, int(strategy)), class_id)
    if int(learner) == _OBLIVIOUS:
        return _dense_layer(sums, buckets[:, 0], boundaries, int(column))
    made = _Splits(sums)
    for start, end in sums.bounds:
        root, left_sums = sums.total(start, end), sums.running(start, end)
        left, right = sums.worth(left_sums), sums.worth(_minus(root, left_sums))
        gain, best = _first_best(left, right)
        split = messages.message("SplitInfo")()
        node = split.split_node.dense_float_binary_split
        node.feature_column, node.threshold = int(column), boundaries[buckets[start + best, 0]]
        made.add(start, root, split, gain, left, right, best)
    return made.outputs()


def _layer(sums: _Sums, roots: list[Any], candidates: Any, left_of: Any, node: Any) -> list[Any]:
    """All leaves are split by the candidate that gains most; ``left_of(root, candidate)`` are the sums of a left."""
    best_gain, best, kept = _LOWEST, 0, None
    for candidate in candidates:
        gain, sides = np.float32(0), []
        for i, root in enumerate(roots):
            left_sums = left_of(i, candidate) or (np.zeros_like(root[0]), np.zeros_like(root[1]))
            left, right = sums.worth(left_sums), sums.worth(_minus(root, left_sums))
            gain += left.gains[0] + right.gains[0]
            sides += [left, right]
        if gain > best_gain:
            best_gain, best, kept = gain, candidate, sides
    for root in roots:
        best_gain -= sums.worth(root).gains[0]
    best_gain -= np.float32(len(roots)) * sums.penalties.tree_complexity
    split = messages.message("ObliviousSplitInfo")()
    node(split.split_node, best)
    for side in kept or ():
        sums.fill(split.children.add(), side, 0)
    ids = [sums.partitions[start] for start, _ in sums.bounds][: len(roots)]
    split.children_parent_id.extend(map(int, ids))
    found = _outputs([], [best_gain], [split])
    return [np.array(ids, np.int32), *found[1:]]


def _dense_layer(sums: _Sums, buckets: Any, boundaries: Any, column: int) -> list[Any]:
    roots = [sums.total(*bounds) for bounds in sums.bounds]
    running = [sums.running(*bounds) for bounds in sums.bounds]

    def left_of(i: int, bucket: int) -> Any:
        start, end = sums.bounds[i]
        below = int(np.searchsorted(buckets[start:end], bucket, side="right"))
        return None if below == 0 else tuple(x[below - 1 : below] for x in running[i])

    def node(of: Any, bucket: int) -> None:
        found = of.oblivious_dense_float_binary_split
        found.feature_column, found.threshold = column, boundaries[bucket]

    return _layer(sums, roots, np.unique(buckets).tolist(), left_of, node)


# -- numbers that some examples have -----------------------------------------------------------


def _sparse(
    xp: Any, memory: Any, batches: Any, partitions: Any, buckets: Any, g: Any, h: Any, boundaries: Any, class_id: Any,
    column: Any, bias: Any, l1: Any, l2: Any, complexity: Any, least: Any, strategy: Any,
) -> list[Any]:  # fmt: skip
    """The same for each dimension; examples without a value go where that gains more."""
    sums = _Sums(batches, partitions, g, h, Penalties(l1, l2, complexity, least, int(strategy)), class_id)
    made = _Splits(sums)
    for start, end in sums.bounds:
        if end - start < 2:
            continue
        if buckets[start, 0] != bias:
            raise errors.InvalidArgumentError(None, None, "Bias feature ID missing.")
        if buckets[start, 1] != 0:
            raise errors.InvalidArgumentError(None, None, "Bias feature ID must be with dimension 0.")
        root = sums.row(start)
        dimensions = buckets[start + 1 : end, 1]
        firsts = [*(start + 1 + np.flatnonzero(np.diff(dimensions, prepend=dimensions[0] - 1))), end]
        best: Any = None
        for first, last in pairwise(firsts):
            found = _of_dimension(sums, root, first, last)
            if best is None or found[0] > best[0]:
                best = found
        gain, is_right, at, (left, right, row) = best
        split = messages.message("SplitInfo")()
        side = "right" if is_right else "left"
        node = getattr(split.split_node, f"sparse_float_binary_split_default_{side}").split
        node.feature_column, node.dimension_id = int(column), int(buckets[at, 1])
        node.threshold = boundaries[buckets[at, 0]]
        made.add(start, root, split, gain, left, right, row)
    return made.outputs()


def _of_dimension(sums: _Sums, root: tuple[Any, Any], first: int, last: int) -> tuple[Any, bool, int, Any]:
    """The best split of one dimension: gain, whether examples without a value go to the right, row, the sides."""
    present, left_sums = sums.total(first, last), sums.running(first, last)
    right_sums = _minus(present, left_sums)
    left, right = sums.worth(_minus(root, right_sums)), sums.worth(right_sums)
    gains = left.gains + right.gains
    row = int(np.argmax(gains))
    found = gains[row], False, first + row, (left, right, row)
    if not is_nothing(*_minus(root, present))[0]:
        other_left, other_right = sums.worth(left_sums), sums.worth(_minus(root, left_sums))
        others = other_left.gains + other_right.gains
        other = int(np.argmax(others))
        if others[other] > gains[row] or (others[other] == gains[row] and other < row):
            found = others[other], True, first + other, (other_left, other_right, other)
    return found


# -- categories --------------------------------------------------------------------------------


def _categories(
    xp: Any, memory: Any, batches: Any, partitions: Any, features: Any, g: Any, h: Any, class_id: Any, column: Any,
    bias: Any, l1: Any, l2: Any, complexity: Any, least: Any, strategy: Any, learner: Any,
) -> list[Any]:  # fmt: skip
    """Each leaf is split by whether examples have the category for which that gains most."""
    sums = _Sums(batches, partitions, g, h, Penalties(l1, l2, complexity, least, int(strategy)), class_id)
    bounds = [(start, end) for start, end in sums.bounds if end - start >= 2]
    if any(features[start, 0] != bias for start, _ in bounds):
        raise errors.InvalidArgumentError(None, None, "Bias feature ID missing.")
    if bounds and int(learner) == _OBLIVIOUS:
        return _category_layer(sums, features[:, 0], int(column), len(bounds))
    made = _Splits(sums)
    for start, end in bounds:
        root, left_sums = sums.row(start), (sums.g[start + 1 : end], sums.h[start + 1 : end])
        left, right = sums.worth(left_sums), sums.worth(_minus(root, left_sums))
        gain, best = _first_best(left, right)
        split = messages.message("SplitInfo")()
        node = split.split_node.categorical_id_binary_split
        node.feature_column, node.feature_id = int(column), int(features[start + 1 + best, 0])
        made.add(start, root, split, gain, left, right, best)
    return made.outputs()


def _category_layer(sums: _Sums, features: Any, column: int, count: int) -> list[Any]:
    bounds = sums.bounds[:count]
    roots = [sums.row(start) for start, _ in bounds]

    def left_of(i: int, feature: int) -> Any:
        start, end = bounds[i]
        found = np.flatnonzero(features[start + 1 : end] == feature)
        return sums.row(start + 1 + int(found[0])) if len(found) else None

    def node(of: Any, feature: int) -> None:
        found = of.oblivious_categorical_id_binary_split
        found.feature_column, found.feature_id = column, feature

    mine = np.concatenate([features[start + 1 : end] for start, end in bounds])
    return _layer(sums, roots, np.unique(mine).tolist(), left_of, node)


# -- the ops -----------------------------------------------------------------------------------

_ROWS = "gradients: float32, hessians: float32"
_PENALTIES = (
    "l1_regularization: float32, l2_regularization: float32, tree_complexity_regularization: float32, "
    "min_node_weight: float32, multiclass_strategy: int32"
)
_OF = "class_id: int32, feature_column_group_id: int32"
_FOUND = "output_partition_ids: int32, gains: float32, split_infos: string"


def _three(*_: Any) -> list[Any]:
    return [(None,)] * 3


DENSE = host_op(
    "BuildDenseInequalitySplits",
    f"num_minibatches: int64, partition_ids: int32, bucket_ids: int64, {_ROWS}, bucket_boundaries: float32, {_OF}, "
    f"{_PENALTIES}, weak_learner_type: int32",
    _FOUND, _dense, _three,
)  # fmt: skip
SPARSE = host_op(
    "BuildSparseInequalitySplits",
    f"num_minibatches: int64, partition_ids: int32, bucket_ids: int64, {_ROWS}, bucket_boundaries: float32, {_OF}, "
    f"bias_feature_id: int64, {_PENALTIES}",
    _FOUND, _sparse, _three,
)  # fmt: skip
CATEGORIES = host_op(
    "BuildCategoricalEqualitySplits",
    f"num_minibatches: int64, partition_ids: int32, feature_ids: int64, {_ROWS}, {_OF}, bias_feature_id: int64, "
    f"{_PENALTIES}, weak_learner_type: int32",
    _FOUND, _categories, _three,
)  # fmt: skip
