"""What finds the splits of a column of features: sums are collected over batches, then the best split is taken."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from retrograd.estimator.gradient_trees.batching import run_handler_scheduled_ops
from retrograd.estimator.gradient_trees.resources import StatsAccumulator
from retrograd.graph import dtypes
from retrograd.graph.apply import apply
from retrograd.graph.convert import as_tensor
from retrograd.ops import arrays, casts, constants, control, joining
from retrograd.ops import gradient_tree_splits as splits
from retrograd.ops.conditions import cond
from retrograd.ops.indexing import gather
from retrograd.ops.segments import unsorted_segment_sum
from retrograd.ops.uniqueness import unique

NORMAL = 0  # the kind of trees in which each leaf has a split of its own
_BIAS_FEATURE_ID = int(np.iinfo(np.int64).min)


class BaseSplitHandler(ABC):
    """Finds splits of one column.

    Args:
      l1_regularization, l2_regularization: penalties on the values of leaves.
      tree_complexity_regularization: what a split must gain.
      min_node_weight: the least Hessian of a leaf.
      feature_column_group_id: the number of the column among those of its kind.
      gradient_shape, hessian_shape: the shapes of those of one example.
      multiclass_strategy: a number of ``LearnerConfig.MultiClassStrategy``.
      loss_uses_sum_reduction: whether losses of examples are added, in place of their mean.
    """

    def __init__(
        self, l1_regularization: Any, l2_regularization: Any, tree_complexity_regularization: Any,
        min_node_weight: Any, feature_column_group_id: Any, gradient_shape: Any, hessian_shape: Any,
        multiclass_strategy: Any, loss_uses_sum_reduction: Any = False, name: str | None = None,
    ) -> None:  # fmt: skip
        self._l1_regularization, self._l2_regularization = l1_regularization, l2_regularization
        self._tree_complexity_regularization = tree_complexity_regularization
        self._min_node_weight, self._multiclass_strategy = min_node_weight, multiclass_strategy
        self._feature_column_group_id, self._name = feature_column_group_id, name or ""
        self._hessian_shape, self._gradient_shape = hessian_shape, gradient_shape
        self._loss_uses_sum_reduction = loss_uses_sum_reduction

    def _made_accumulator(self, init_stamp_token: Any) -> StatsAccumulator:
        """What sums up gradients and Hessians by leaf and bucket."""
        return StatsAccumulator(
            init_stamp_token, self._gradient_shape, self._hessian_shape, name=f"StatsAccumulator/{self._name}"
        )

    def scheduled_reads(self) -> list[Any]:
        """What must be read for ``update_stats``."""
        return []

    @abstractmethod
    def update_stats(
        self, stamp_token: Any, example_partition_ids: Any, gradients: Any, hessians: Any, empty_gradients: Any,
        empty_hessians: Any, weights: Any, is_active: Any, scheduled_reads: Any,
    ) -> tuple[Any, list[Any]]:  # fmt: skip
        """An op, and ops to be scheduled, that add a batch.

        Args:
          example_partition_ids: the leaf of each example.
          empty_gradients, empty_hessians: of no example.
          weights: of the examples.
          is_active: whether the column may be asked for by this layer, and by the next one.
          scheduled_reads: what ``scheduled_reads`` gave.
        """

    def update_stats_sync(
        self, stamp_token: Any, example_partition_ids: Any, gradients: Any, hessians: Any, empty_gradients: Any,
        empty_hessians: Any, weights: Any, is_active: Any,
    ) -> Any:  # fmt: skip
        """The op that adds a batch, with all that is scheduled."""
        read = run_handler_scheduled_ops({self: self.scheduled_reads()}, stamp_token, None)
        first, scheduled = self.update_stats(
            stamp_token, example_partition_ids, gradients, hessians, empty_gradients, empty_hessians, weights,
            is_active, read[self],
        )  # fmt: skip
        added = run_handler_scheduled_ops({self: scheduled}, stamp_token, None)
        return control.group(first, *added[self])

    @abstractmethod
    def reset(self, stamp_token: Any, next_stamp_token: Any) -> Any:
        """Forget what was collected."""

    @abstractmethod
    def make_splits(self, stamp_token: Any, next_stamp_token: Any, class_id: Any) -> tuple[Any, Any, Any, Any]:
        """Whether there are splits, and of each leaf its number, the gain and the split; what was collected is gone."""


def with_bias(partition_ids: Any, gradients: Any, hessians: Any, examples: Any, bias: int) -> tuple[Any, Any, Any, Any]:
    """The rows of some of the examples behind one row for each leaf, the sums over all of its examples.

    Gives the leaves, the bucket of the first rows, gradients and Hessians.
    """
    mine = [gather(x, examples) for x in (partition_ids, gradients, hessians)]
    leaves, places = unique(partition_ids)
    sums = []
    for x in (gradients, hessians):
        total = unsorted_segment_sum(casts.cast(x, dtypes.float64), places, arrays.size(leaves))
        sums.append(casts.cast(total, dtypes.float32))
    ids = casts.cast(constants.fill(arrays.shape(leaves), as_tensor(bias, dtypes.int64)), dtypes.int64)
    rows = [joining.concat([first, rest], 0) for first, rest in zip((leaves, *sums), mine, strict=True)]
    return rows[0], ids, rows[1], rows[2]


class EqualitySplitHandler(BaseSplitHandler):
    """Asks whether examples have a category; the column is a ``SparseTensor`` of int64."""

    def __init__(
        self, sparse_int_column: Any, l1_regularization: Any, l2_regularization: Any,
        tree_complexity_regularization: Any, min_node_weight: Any, feature_column_group_id: Any, gradient_shape: Any,
        hessian_shape: Any, multiclass_strategy: Any, init_stamp_token: Any = 0,
        loss_uses_sum_reduction: Any = False, weak_learner_type: Any = NORMAL, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            l1_regularization, l2_regularization, tree_complexity_regularization, min_node_weight,
            feature_column_group_id, gradient_shape, hessian_shape, multiclass_strategy, loss_uses_sum_reduction, name,
        )  # fmt: skip
        self._stats_accumulator = self._made_accumulator(init_stamp_token)
        self._sparse_int_column, self._weak_learner_type = sparse_int_column, weak_learner_type

    def update_stats(
        self, stamp_token: Any, example_partition_ids: Any, gradients: Any, hessians: Any, empty_gradients: Any,
        empty_hessians: Any, weights: Any, is_active: Any, scheduled_reads: Any,
    ) -> tuple[Any, list[Any]]:  # fmt: skip
        def rows() -> tuple[Any, ...]:
            examples, _ = joining.split(self._sparse_int_column.indices, num_or_size_splits=2, axis=1)
            leaves, bias, g, h = with_bias(
                example_partition_ids, gradients, hessians, arrays.squeeze(examples, [1]), _BIAS_FEATURE_ID
            )
            ids = joining.concat([bias, self._sparse_int_column.values], 0)
            return leaves, joining.stack([ids, constants.zeros_like(ids)], axis=1), g, h

        def none() -> tuple[Any, ...]:
            return *no_rows(), empty_gradients, empty_hessians

        added = self._stats_accumulator.schedule_add(*cond(is_active[0], rows, none))
        return control.no_op(), [added]

    def make_splits(self, stamp_token: Any, next_stamp_token: Any, class_id: Any) -> tuple[Any, Any, Any, Any]:
        batches, *columns = self._stats_accumulator.flush(stamp_token, next_stamp_token)
        batches = batches_or_one(as_tensor(self._loss_uses_sum_reduction), batches)
        found = apply(
            splits.CATEGORIES, batches, *columns, class_id, self._feature_column_group_id, _BIAS_FEATURE_ID,
            self._l1_regularization, self._l2_regularization, self._tree_complexity_regularization,
            self._min_node_weight, self._multiclass_strategy, self._weak_learner_type,
        )  # fmt: skip
        return constants.constant(True), *found

    def reset(self, stamp_token: Any, next_stamp_token: Any) -> Any:
        return self._stats_accumulator.flush(stamp_token, next_stamp_token)


def no_rows() -> tuple[Any, Any]:
    """The leaves and buckets of no example."""
    return constants.constant([], dtypes.int32), constants.constant(np.zeros([1, 2]), dtypes.int64)


def batches_or_one(is_sum: Any, batches: Any) -> Any:
    """By what sums over batches are divided: where losses are added, by nothing."""
    return cond(is_sum, lambda: casts.cast(1, dtypes.int64), lambda: batches)
