"""``tf.contrib.boosted_trees``: sums of gradients and Hessians for each leaf and bucket of a feature, over batches.

Sums are kept in the order of leaf, dimension of the feature, bucket.  Source: TensorFlow 1.15.5,
``contrib/boosted_trees``: signatures, messages, the order of additions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from retrograd.graph import errors
from retrograd.ops.boosted_tree_splits import host_op
from retrograd.ops.gradient_trees import Stamped, handle_op, there_op

# -- at run time -------------------------------------------------------------------------------


def summed(partitions: Any, features: Any, g: Any, h: Any) -> tuple[Any, Any, Any, Any]:
    """The rows with equal leaf, feature and dimension added up, each in float32 and in turn; sorted."""
    if not len(partitions):
        return partitions, features[:0], g[:0], h[:0]
    feature_ids, ranks = np.unique(features[:, 0], return_inverse=True)
    dimensions, first = features[:, 1], np.min(features[:, 1])
    width, count = int(np.max(dimensions) - first) + 1, len(feature_ids)
    keys = (partitions.astype(np.int64) * width + (dimensions - first)) * count + ranks.ravel()
    found, places = np.unique(keys, return_inverse=True)
    rest, ranks = np.divmod(found, count)
    partition_ids, dimensions = np.divmod(rest, width)
    return (
        partition_ids.astype(np.int32), np.stack([feature_ids[ranks], dimensions + first], axis=1),
        _added(places.ravel(), g, len(found)), _added(places.ravel(), h, len(found)),
    )  # fmt: skip


def _added(places: Any, x: Any, count: int) -> Any:
    columns = np.ascontiguousarray(x.reshape(len(x), -1).T)
    sums = np.zeros((len(columns), count), np.float32)
    for total, column in zip(sums, columns, strict=True):
        np.add.at(total, places, column)
    return np.ascontiguousarray(sums.T).reshape(count, *x.shape[1:])


class Stats(Stamped):
    """Sums for each leaf, feature and dimension, and of how many batches they are."""

    def create(self, stamp: Any, g_shape: Any = (), h_shape: Any = ()) -> None:
        """Nothing yet; of each example come gradients and Hessians of these shapes."""
        self.stamp, self.shapes = int(stamp), (tuple(map(int, g_shape)), tuple(map(int, h_shape)))
        self.clear()

    def clear(self) -> None:
        """Begin anew."""
        none = (np.zeros((0, *shape), np.float32) for shape in self.shapes)
        self.updates, self.rows = 0, (np.zeros(0, np.int32), np.zeros((0, 2), np.int64), *none)

    def add(self, *rows: Any) -> None:
        """Add the rows of a batch.

        Raises:
          InvalidArgumentError: gradients or Hessians have another shape.
        """
        for name, x, shape in zip(("Gradients", "Hessian"), rows[2:], self.shapes, strict=True):
            if x.shape[1:] != shape:
                told = f"{name} dimensions must match: {_shown(x.shape[1:])}, {_shown(shape)}"
                raise errors.InvalidArgumentError(None, None, told)
        self.updates += 1
        together = (np.concatenate(pair) for pair in zip(self.rows, rows, strict=True))
        self.rows = summed(*together)

    rows: tuple[Any, ...]


def _shown(shape: Any) -> str:
    return "[" + ",".join(map(str, shape)) + "]"


# -- kernels -----------------------------------------------------------------------------------


def _create(xp: Any, memory: Any, stats: Stats, stamp: Any, *shapes: Any) -> list[Any]:
    if stats.stamp is None:
        stats.create(stamp, *shapes)
    return []


def _add(xp: Any, memory: Any, handles: Any, stamp: Any, *columns: Any) -> list[Any]:
    """What comes with an old stamp is dropped."""
    for stats, *rows in zip(handles, *columns, strict=True):
        if stats.stamp == int(stamp):
            stats.add(*rows)
    return []


def _flush(xp: Any, memory: Any, stats: Stats, stamp: Any, next_stamp: Any) -> list[Any]:
    """The sums; then it begins anew, under another stamp."""
    stats.check(stamp)
    found = [np.int64(stats.updates), *stats.rows]
    stats.clear()
    stats.stamp = int(next_stamp)
    return found


def _deserialize(xp: Any, memory: Any, stats: Stats, stamp: Any, updates: Any, *rows: Any) -> list[Any]:
    stats.stamp = int(stamp)
    stats.clear()
    stats.rows = summed(*rows)
    stats.updates = int(updates)
    return []


# -- the ops -----------------------------------------------------------------------------------

_HANDLE, _HANDLES = "stats_accumulator_handle", "stats_accumulator_handles: num_resource_handles*resource"
_SUMS = "output_partition_ids: int32, output_feature_ids: int64, output_gradients: float32, output_hessians: float32"
_ROWS = "partition_ids: int32, feature_ids: int64, gradients: float32, hessians: float32"
_LISTS = (
    "partition_ids: num_resource_handles*int32, feature_ids: num_resource_handles*int64, "
    "gradients: num_resource_handles*float32, hessians: num_resource_handles*float32"
)


def _define(kind: str, shapes: str) -> dict[str, Any]:
    """The ops of accumulators of one kind."""
    sums_shape = [(None,), None, *([(None,)] * 2 if kind == "Scalar" else [None] * 2)]
    name, stamped = f"StatsAccumulator{kind}", f"{_HANDLE}: resource, stamp_token: int64"
    return {
        "HANDLE": handle_op(f"{name}ResourceHandleOp", Stats),
        "IS_THERE": there_op(f"{name}IsInitialized", _HANDLE),
        "CREATE": host_op(f"CreateStatsAccumulator{kind}", stamped + shapes, "", _create),
        "ADD": host_op(f"{name}Add", f"{_HANDLES}, stamp_token: int64, {_LISTS}", "", _add),
        "FLUSH": host_op(
            f"{name}Flush", f"{stamped}, next_stamp_token: int64", f"num_updates: int64, {_SUMS}", _flush,
            lambda *_: [(), *sums_shape],
        ),
        "DESERIALIZE": host_op(f"{name}Deserialize", f"{stamped}, num_updates: int64, {_ROWS}", "", _deserialize),
        "SERIALIZE": host_op(
            f"{name}Serialize", f"{_HANDLE}: resource", f"stamp_token: int64, num_updates: int64, {_SUMS}",
            lambda xp, memory, stats: [np.int64(stats.stamp), np.int64(stats.updates), *stats.rows],
            lambda *_: [(), (), *sums_shape],
        ),
        "SUMMARY": host_op(
            f"{name}MakeSummary", _ROWS, _SUMS, lambda xp, memory, *rows: list(summed(*rows)), lambda *_: [None] * 4
        ),
    }  # fmt: skip


SCALAR = _define("Scalar", "")
TENSOR = _define("Tensor", ", per_slot_gradient_shape: int64, per_slot_hessian_shape: int64")
