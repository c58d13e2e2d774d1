"""Where boosted trees split: sums of gradients and Hessians for each node and bucket, and the split that gains most.

With g and h the sums of gradients and Hessians of a node's examples, its best value is
w = -(g + l1 sign(w)) / (h + l2) and what it gains is g^2 / (h + l2); with several logits h is a matrix or its
diagonal.  Source: TensorFlow 1.15.5, ``kernels/boosted_trees``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from retrograd.graph.definition import REQUIRED, Effect, OpDef, define, not_differentiable

TOLERANCE = np.float32(1e-15)
LEFT, RIGHT, EQUAL = b"INEQUALITY_DEFAULT_LEFT", b"INEQUALITY_DEFAULT_RIGHT", b"EQUALITY_DEFAULT_RIGHT"


def weights_and_gains(g: Any, h: Any, l1: Any, l2: Any) -> tuple[Any, Any]:
    """w = -(g + l1 sign(w)) / (h + l2) and -(g + l1 sign(w)) w; 0 where there is nothing to divide by."""
    if l1 > 0:
        g = np.where(g > l1, g - l1, np.where(g < -l1, g + l1, np.float32(0)))
    total = h + l2
    empty = total <= TOLERANCE
    w = np.where(empty, np.float32(0), -g / np.where(empty, np.float32(1), total))
    return w, -g * w


def _vectors_and_gains(g: Any, h: Any, l1: Any, l2: Any) -> tuple[Any, Any]:
    """The same of rows of several logits: w = -(H + l2 I)^-1 g and -g w, where H is full or a diagonal."""
    count = g.shape[-1]
    if count == 1:
        w, gain = weights_and_gains(g, h, l1, l2)
        return w, gain[..., 0]
    if h.shape[-1] == count:
        total = h + l2
        w = np.divide(-g, total, out=np.zeros_like(g), where=np.abs(total) > TOLERANCE)
    else:
        full = h.reshape(*h.shape[:-1], count, count) + np.float32(l2) * np.eye(count, dtype=h.dtype)
        w = -(np.linalg.pinv(full) @ g[..., None])[..., 0]
    return w, -np.sum(g * w, axis=-1)


def _stats(
    xp: Any, memory: Any, node_ids: Any, gradients: Any, hessians: Any, features: Any, *, max_splits: int,
    num_buckets: int,
) -> Any:  # fmt: skip
    """The sums of gradients and Hessians of each feature, node and bucket."""
    rows = [np.minimum(f, num_buckets - 1)[:, None] for f in features]  # one boundary more may be there than was asked
    return np.stack([_summed(node_ids, row, (gradients, hessians), max_splits, num_buckets)[:, 0] for row in rows])


def _summed(node_ids: Any, feature: Any, values: Any, max_splits: int, num_buckets: int) -> Any:
    """The sums of the values of each node, dimension of the feature and bucket."""
    width = feature.shape[1]
    shape = (max_splits, width, num_buckets)
    cells = np.ravel_multi_index((node_ids[:, None], np.arange(width), feature), shape).ravel()
    columns = np.concatenate(values, axis=1).T
    sums = [np.bincount(cells, np.repeat(column, width), max_splits * width * num_buckets) for column in columns]
    return np.stack(sums, axis=-1).astype(np.float32).reshape(*shape, len(columns))


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
            left, gain_left = weights_and_gains(g, h, l1, l2)
            right, gain_right = weights_and_gains(g[-1] - g, h[-1] - h, l1, l2)
            parent = weights_and_gains(g[-1:], h[-1:], l1, l2)[1][0]
            gains = gain_left + gain_right
            best = 0
            for bucket in np.flatnonzero(gains > np.maximum.accumulate(np.concatenate([gains[:1], gains[:-1]]))):
                best = int(bucket) if gains[bucket] - gains[best] >= TOLERANCE else best
            rows.append((node, gains[best] - parent - tree_complexity, best, left[best], right[best]))
        columns = list(zip(*rows, strict=True)) if rows else [()] * 5
        found.append([
            np.array(columns[0], np.int32), np.array(columns[1], np.float32), np.array(columns[2], np.int32),
            np.array(columns[3], np.float32)[:, None], np.array(columns[4], np.float32)[:, None],
        ])  # fmt: skip
    return [each[k] for k in range(5) for each in found]


def _aggregate(
    xp: Any, memory: Any, node_ids: Any, gradients: Any, hessians: Any, feature: Any, *, max_splits: int,
    num_buckets: int,
) -> Any:  # fmt: skip
    """The sums of each node, dimension of the feature and bucket; the last bucket is for missing values (-1)."""
    buckets = np.where(feature == -1, num_buckets, feature)
    return _summed(node_ids, buckets, (gradients, hessians), max_splits, num_buckets + 1)


def _aggregate_sparse(
    xp: Any, memory: Any, node_ids: Any, gradients: Any, hessians: Any, indices: Any, values: Any, shape: Any, *,
    max_splits: int, num_buckets: int,
) -> list[Any]:  # fmt: skip
    """The same of a sparse feature, whose absent values are the missing ones: the sums that are not 0."""
    feature = np.full([int(n) for n in shape], -1, np.int32)
    feature[tuple(indices.T)] = values
    sums = _aggregate(
        xp, memory, node_ids, gradients, hessians, feature, max_splits=max_splits, num_buckets=num_buckets
    )
    found = np.argwhere(sums != 0).astype(np.int32)
    return [found, sums[tuple(found.T)], np.array(sums.shape, np.int32)]


def _best_split(
    xp: Any, memory: Any, node_range: Any, stats: Any, l1: Any, l2: Any, tree_complexity: Any, min_node_weight: Any, *,
    logits_dimension: int, split_type: Any,
) -> list[Any]:  # fmt: skip
    """For each node the dimension, the bucket and the side of missing values at which splitting gains most."""
    is_equality = split_type in ("equality", b"equality")
    nodes = range(int(node_range[0]), int(node_range[1]))
    sides = (EQUAL,) if is_equality else (LEFT, RIGHT)
    return _best_of(nodes, stats, l1, l2, tree_complexity, min_node_weight, logits_dimension, sides)


def _best_of(
    nodes: Iterable[int], stats: Any, l1: Any, l2: Any, tree_complexity: Any, min_node_weight: Any,
    logits_dimension: int, sides: tuple[bytes, ...],
) -> list[Any]:  # fmt: skip
    """The same; where several ``sides`` gain as much the first is taken."""
    rows = []
    for node in nodes:
        g, h = np.split(stats[node], [logits_dimension], axis=-1)
        whole = [x.sum(axis=1)[:, None, None] for x in (g, h)]
        if np.sqrt(np.sum(whole[1][0] ** 2)) < min_node_weight:
            continue
        left = [np.stack([_left(x, side) for side in sides], axis=2) for x in (g, h)]
        w_left, gain_left = _vectors_and_gains(left[0], left[1], l1, l2)
        w_right, gain_right = _vectors_and_gains(whole[0] - left[0], whole[1] - left[1], l1, l2)
        gains = gain_left + gain_right
        at = np.unravel_index(np.argmax(gains), gains.shape)
        gain = gains[at] - _vectors_and_gains(whole[0], whole[1], l1, l2)[1][at[0], 0, 0] - tree_complexity
        rows.append((node, gain, at[0], at[1], w_left[at], w_right[at], sides[at[2]]))
    columns = list(zip(*rows, strict=True)) if rows else [()] * 7
    ints = [np.array(columns[k], np.int32) for k in (0, 2, 3)]
    vectors = [np.array(columns[k], np.float32).reshape(-1, logits_dimension) for k in (4, 5)]
    return [ints[0], np.array(columns[1], np.float32), *ints[1:], *vectors, np.array(columns[6], object)]


def _left(sums: Any, side: bytes) -> Any:
    """What goes to the left of each bucket: it alone, or all up to it, with the missing values or without them."""
    if side == EQUAL:
        return sums[:, :-1]
    below = np.cumsum(sums[:, :-1], axis=1, dtype=np.float32)
    return below + sums[:, -1:] if side == LEFT else below


def _best_sparse_split(
    xp: Any, memory: Any, node_range: Any, indices: Any, values: Any, shape: Any, l1: Any, l2: Any,
    tree_complexity: Any, min_node_weight: Any, *, logits_dimension: int, split_type: Any,
) -> list[Any]:  # fmt: skip
    """The same of sums of which those that are 0 are left out, for nodes that have any."""
    stats = np.zeros([int(n) for n in shape], np.float32)
    stats[tuple(indices.T)] = values
    nodes = np.unique(indices[:, 0])
    nodes = nodes[(nodes >= node_range[0]) & (nodes < node_range[1])]
    return _best_of(
        nodes.tolist(), stats, l1, l2, tree_complexity, min_node_weight, logits_dimension, (RIGHT, LEFT)
    )  # fmt: skip


# -- the ops -----------------------------------------------------------------------------------


def host_op(
    name: str, inputs: str, outputs: str, kernel: Any, shape: Any = lambda *_: [], attrs: dict[str, Any] | None = None
) -> OpDef:
    """The record of an op on trees: it runs on the host, and no derivative goes through it."""
    return define(
        name, inputs, outputs, attrs=attrs, shape=shape, kernel=kernel, effect=Effect.HOST, gradient=not_differentiable
    )


def _split_shapes(*_: Any, logits_dimension: int) -> list[Any]:
    return [(None,)] * 4 + [(None, logits_dimension)] * 2 + [(None,)]


_SETTINGS = "l1: float32, l2: float32, tree_complexity: float32, min_node_weight: float32"
_SPLITS = (
    "node_ids: int32, gains: float32, feature_dimensions: int32, thresholds: int32, left_node_contribs: float32, "
    "right_node_contribs: float32, split_with_default_directions: string"
)
_EXAMPLES = "node_ids: int32, gradients: float32, hessians: float32, "
_SIZES = {"max_splits": REQUIRED, "num_buckets": REQUIRED}


def _aggregate_shape(nodes: Any, g: Any, h: Any, feature: Any, *, max_splits: int, num_buckets: int) -> Any:
    width, of_g, of_h = [x.dims[1] if x.dims else None for x in (feature, g, h)]
    return (max_splits, width, num_buckets + 1, None if of_g is None or of_h is None else of_g + of_h)


STATS = host_op(
    "BoostedTreesMakeStatsSummary",
    "node_ids: int32, gradients: float32, hessians: float32, bucketized_features_list: num_features*int32",
    "stats_summary: float32", _stats,
    lambda nodes, g, h, features, *, max_splits, num_buckets: (len(features), max_splits, num_buckets, 2),
    {"num_features": REQUIRED, "max_splits": REQUIRED, "num_buckets": REQUIRED},
)  # fmt: skip
BEST_GAINS = host_op(
    "BoostedTreesCalculateBestGainsPerFeature",
    "node_id_range: int32, stats_summary_list: num_features*float32, l1: float32, l2: float32, "
    "tree_complexity: float32, min_node_weight: float32",
    "node_ids_list: num_features*int32, gains_list: num_features*float32, thresholds_list: num_features*int32, "
    "left_node_contribs_list: num_features*float32, right_node_contribs_list: num_features*float32",
    _best_gains, lambda nodes, stats, *_: [(None,)] * 3 * len(stats) + [(None, 1)] * 2 * len(stats),
    {"num_features": REQUIRED, "max_splits": REQUIRED},
)  # fmt: skip
AGGREGATE = host_op(
    "BoostedTreesAggregateStats", f"{_EXAMPLES}feature: int32", "stats_summary: float32", _aggregate, _aggregate_shape,
    _SIZES,
)  # fmt: skip
AGGREGATE_SPARSE = host_op(
    "BoostedTreesSparseAggregateStats",
    f"{_EXAMPLES}feature_indices: int32, feature_values: int32, feature_shape: int32",
    "stats_summary_indices: int32, stats_summary_values: float32, stats_summary_shape: int32",
    _aggregate_sparse, lambda *_: [(None, 4), (None,), (4,)], _SIZES,
)  # fmt: skip
BEST_SPLIT = host_op(
    "BoostedTreesCalculateBestFeatureSplit", f"node_id_range: int32, stats_summary: float32, {_SETTINGS}", _SPLITS,
    _best_split, _split_shapes, {"logits_dimension": REQUIRED, "split_type": "inequality"},
)  # fmt: skip
BEST_SPARSE_SPLIT = host_op(
    "BoostedTreesSparseCalculateBestFeatureSplit",
    "node_id_range: int32, stats_summary_indices: int32, stats_summary_values: float32, stats_summary_shape: int32, "
    f"{_SETTINGS}",
    _SPLITS, _best_sparse_split, _split_shapes, {"logits_dimension": REQUIRED, "split_type": "inequality"},
)  # fmt: skip
