"""What finds the splits of columns of numbers, between quantiles that are collected one layer ahead.

Sources: Chen and Guestrin, "XGBoost", 2016; TensorFlow 1.15.5, ``contrib/boosted_trees/lib/learner/batch``.
"""

from __future__ import annotations

import re
from typing import Any

from retrograd.estimator.gradient_trees.handlers import (
    NORMAL,
    BaseSplitHandler,
    batches_or_one,
    no_rows,
    with_bias,
)
from retrograd.estimator.gradient_trees.resources import QuantileAccumulator, get_buckets
from retrograd.graph import dtypes
from retrograd.graph.apply import apply, apply_named, apply_op
from retrograd.graph.scopes import colocate_with, control_dependencies, name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.ops import arrays, casts, comparison, constants, control, joining
from retrograd.ops import gradient_tree_quantiles as quantiles
from retrograd.ops import gradient_tree_splits as splits
from retrograd.ops import gradient_tree_stats as stats
from retrograd.ops.conditions import cond
from retrograd.state.defun import Defun

_BIAS_FEATURE_ID = -1
_IN_NAMES = re.compile(r"[\W_]+")


class InequalitySplitHandler(BaseSplitHandler):
    """Asks whether numbers are at most a quantile.

    Args:
      epsilon: the error of a quantile's rank, as a share of all.
      num_quantiles: how many there are to be.
      others: as of ``BaseSplitHandler``.
    """

    def __init__(
        self, l1_regularization: Any, l2_regularization: Any, tree_complexity_regularization: Any,
        min_node_weight: Any, feature_column_group_id: Any, epsilon: float, num_quantiles: int, gradient_shape: Any,
        hessian_shape: Any, multiclass_strategy: Any, init_stamp_token: Any = 0,
        loss_uses_sum_reduction: Any = False, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            l1_regularization, l2_regularization, tree_complexity_regularization, min_node_weight,
            feature_column_group_id, gradient_shape, hessian_shape, multiclass_strategy, loss_uses_sum_reduction, name,
        )  # fmt: skip
        self._stats_accumulator = self._made_accumulator(init_stamp_token)
        with colocate_with(self._stats_accumulator.resource_handle):
            self._quantile_accumulator = QuantileAccumulator(
                init_stamp_token, epsilon=epsilon, num_quantiles=num_quantiles,
                name=f"QuantileAccumulator/{self._name}",
            )  # fmt: skip

    def scheduled_reads(self) -> list[Any]:
        return [self._quantile_accumulator.schedule_get_buckets()]

    def _scheduled(self, stamp_token: Any, column: Any, weights: Any, rows: Any) -> tuple[Any, list[Any]]:
        """The batch's quantiles for the next layer, and its sums for this one."""
        add_quantiles = self._quantile_accumulator.schedule_add_summary(stamp_token, column, weights)
        return control.no_op(), [add_quantiles, self._stats_accumulator.schedule_add(*rows)]

    def _splits(self, of_one: Any, of_several: Any, stamp: Any, next_stamp: Any, class_id: Any, *last: Any) -> Any:
        is_one = self._gradient_shape.rank == 0 and self._hessian_shape.rank == 0
        found = (of_one if is_one else of_several)(
            self._quantile_accumulator.resource_handle, self._stats_accumulator.resource_handle, stamp, next_stamp,
            self._multiclass_strategy, class_id, self._feature_column_group_id, self._l1_regularization,
            self._l2_regularization, self._tree_complexity_regularization, self._min_node_weight,
            self._loss_uses_sum_reduction, *last,
        )  # fmt: skip
        return tuple(found)

    def reset(self, stamp_token: Any, next_stamp_token: Any) -> Any:
        sums = self._stats_accumulator.flush(stamp_token, next_stamp_token)
        return control.group(sums, self._quantile_accumulator.flush(stamp_token, next_stamp_token))


class DenseSplitHandler(InequalitySplitHandler):
    """Of a column of numbers that all examples have, [batch, 1]."""

    def __init__(
        self, dense_float_column: Any, l1_regularization: Any, l2_regularization: Any,
        tree_complexity_regularization: Any, min_node_weight: Any, feature_column_group_id: Any, epsilon: float,
        num_quantiles: int, gradient_shape: Any, hessian_shape: Any, multiclass_strategy: Any,
        init_stamp_token: Any = 0, loss_uses_sum_reduction: Any = False, weak_learner_type: Any = NORMAL,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            l1_regularization, l2_regularization, tree_complexity_regularization, min_node_weight,
            feature_column_group_id, epsilon, num_quantiles, gradient_shape, hessian_shape, multiclass_strategy,
            init_stamp_token, loss_uses_sum_reduction, name,
        )  # fmt: skip
        self._dense_float_column, self._weak_learner_type = dense_float_column, weak_learner_type

    def update_stats(
        self, stamp_token: Any, example_partition_ids: Any, gradients: Any, hessians: Any, empty_gradients: Any,
        empty_hessians: Any, weights: Any, is_active: Any, scheduled_reads: Any,
    ) -> tuple[Any, list[Any]]:  # fmt: skip
        with name_scope(_IN_NAMES.sub("", self._name), "DenseSplitHandler"):
            are_ready, buckets = scheduled_reads[0]
            values, their_weights, *rows = dense_make_stats_update(
                is_active, are_ready, self._dense_float_column, buckets, example_partition_ids, gradients, hessians,
                weights, empty_gradients, empty_hessians,
            )  # fmt: skip
            return self._scheduled(stamp_token, values, their_weights, rows)

    def make_splits(self, stamp_token: Any, next_stamp_token: Any, class_id: Any) -> tuple[Any, Any, Any, Any]:
        makers = make_dense_split_scalar, make_dense_split_tensor
        return self._splits(*makers, stamp_token, next_stamp_token, class_id, self._weak_learner_type)  # type: ignore[no-any-return]


class SparseSplitHandler(InequalitySplitHandler):
    """Of a column of numbers that some examples have, a ``SparseTensor``; the others go to one side, too."""

    def __init__(
        self, sparse_float_column: Any, l1_regularization: Any, l2_regularization: Any,
        tree_complexity_regularization: Any, min_node_weight: Any, feature_column_group_id: Any, epsilon: float,
        num_quantiles: int, gradient_shape: Any, hessian_shape: Any, multiclass_strategy: Any,
        init_stamp_token: Any = 0, loss_uses_sum_reduction: Any = False, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(
            l1_regularization, l2_regularization, tree_complexity_regularization, min_node_weight,
            feature_column_group_id, epsilon, num_quantiles, gradient_shape, hessian_shape, multiclass_strategy,
            init_stamp_token, loss_uses_sum_reduction, name,
        )  # fmt: skip
        self._sparse_float_column = sparse_float_column

    def update_stats(
        self, stamp_token: Any, example_partition_ids: Any, gradients: Any, hessians: Any, empty_gradients: Any,
        empty_hessians: Any, weights: Any, is_active: Any, scheduled_reads: Any,
    ) -> tuple[Any, list[Any]]:  # fmt: skip
        are_ready, buckets = scheduled_reads[0]
        column = self._sparse_float_column
        with name_scope(self._name, "SparseSplitHandler"):
            indices, values, shape, their_weights, *rows = sparse_make_stats_update(
                is_active, are_ready, column.indices, column.values, column.dense_shape, buckets,
                example_partition_ids, gradients, hessians, weights, empty_gradients, empty_hessians,
            )  # fmt: skip
            return self._scheduled(stamp_token, SparseTensor(indices, values, shape), their_weights, rows)

    def make_splits(self, stamp_token: Any, next_stamp_token: Any, class_id: Any) -> tuple[Any, Any, Any, Any]:
        makers = make_sparse_split_scalar, make_sparse_split_tensor
        return self._splits(*makers, stamp_token, next_stamp_token, class_id)  # type: ignore[no-any-return]


# -- functions of the graph --------------------------------------------------------------------

_HANDLES_TO_PENALTIES = (
    dtypes.resource, dtypes.resource, dtypes.int64, dtypes.int64, *[dtypes.int32] * 3, *[dtypes.float32] * 4,
    dtypes.bool,
)  # fmt: skip


def _collected(quantile_handle: Any, stats_handle: Any, stamp: Any, next_stamp: Any, is_sum: Any, ops: Any) -> Any:
    """Whether there are buckets, their boundaries, the number of batches, and the sums; all begins anew."""
    are_ready, buckets = (found[0] for found in get_buckets([quantile_handle], stamp))
    with control_dependencies([buckets]):
        flushed = apply_op(quantiles.FLUSH, quantile_handle, stamp, next_stamp)
    batches, *columns = apply_named(ops["FLUSH"], stats_handle, stamp, next_stamp)
    batches = batches_or_one(is_sum, batches)
    with control_dependencies([flushed, columns[0]]):
        return arrays.identity(are_ready), buckets, batches, columns


def _dense_maker(ops: Any) -> Any:
    @Defun(*_HANDLES_TO_PENALTIES, dtypes.int32, noinline=True)
    def make_dense_split(
        quantile_handle: Any, stats_handle: Any, stamp: Any, next_stamp: Any, strategy: Any, class_id: Any,
        column: Any, l1: Any, l2: Any, complexity: Any, least: Any, is_sum: Any, learner: Any,
    ) -> Any:  # fmt: skip
        are_ready, buckets, batches, columns = _collected(quantile_handle, stats_handle, stamp, next_stamp, is_sum, ops)
        found = apply(
            splits.DENSE, batches, *columns, buckets, class_id, column, l1, l2, complexity, least, strategy, learner
        )
        return are_ready, *found

    return make_dense_split


def _sparse_maker(ops: Any) -> Any:
    @Defun(*_HANDLES_TO_PENALTIES, noinline=True)
    def make_sparse_split(
        quantile_handle: Any, stats_handle: Any, stamp: Any, next_stamp: Any, strategy: Any, class_id: Any,
        column: Any, l1: Any, l2: Any, complexity: Any, least: Any, is_sum: Any,
    ) -> Any:  # fmt: skip
        are_ready, buckets, batches, columns = _collected(quantile_handle, stats_handle, stamp, next_stamp, is_sum, ops)
        found = apply(
            splits.SPARSE, batches, *columns, buckets, class_id, column, _BIAS_FEATURE_ID, l1, l2, complexity, least,
            strategy,
        )  # fmt: skip
        return are_ready, *found

    return make_sparse_split


make_dense_split_scalar, make_dense_split_tensor = _dense_maker(stats.SCALAR), _dense_maker(stats.TENSOR)
make_sparse_split_scalar, make_sparse_split_tensor = _sparse_maker(stats.SCALAR), _sparse_maker(stats.TENSOR)


def _quantized(of: list[Any]) -> Any:
    """The buckets of the values and their dimensions, of the one column of some lists."""
    return casts.cast(apply_op(quantiles.QUANTILES, *of).outputs[0], dtypes.int64)


def _are_there(are_ready: Any, buckets: Any) -> Any:
    return comparison.logical_and(are_ready, arrays.size(buckets) > 0)


@Defun(dtypes.bool, dtypes.bool, *[dtypes.float32] * 2, dtypes.int32, *[dtypes.float32] * 5, noinline=True)
def dense_make_stats_update(
    is_active: Any, are_buckets_ready: Any, float_column: Any, quantile_buckets: Any, example_partition_ids: Any,
    gradients: Any, hessians: Any, weights: Any, empty_gradients: Any, empty_hessians: Any,
) -> Any:  # fmt: skip
    """Values and weights for quantiles of the next layer; leaves, buckets, gradients and Hessians for this one."""
    nothing = constants.constant([], dtypes.float32)
    values = cond(is_active[1], lambda: (float_column, weights), lambda: (nothing, nothing))

    def rows() -> tuple[Any, ...]:
        buckets = _quantized([[float_column], [], [quantile_buckets], [], []])
        return example_partition_ids, buckets, gradients, hessians

    is_counted = comparison.logical_and(_are_there(are_buckets_ready, quantile_buckets), is_active[0])
    return *values, *cond(is_counted, rows, lambda: (*no_rows(), empty_gradients, empty_hessians))


@Defun(
    dtypes.bool, dtypes.bool, dtypes.int64, dtypes.float32, dtypes.int64, dtypes.float32, dtypes.int32,
    *[dtypes.float32] * 5, noinline=True,
)  # fmt: skip
def sparse_make_stats_update(
    is_active: Any, are_buckets_ready: Any, sparse_column_indices: Any, sparse_column_values: Any,
    sparse_column_shape: Any, quantile_buckets: Any, example_partition_ids: Any, gradients: Any, hessians: Any,
    weights: Any, empty_gradients: Any, empty_hessians: Any,
) -> Any:  # fmt: skip
    """The same of a column that some examples have; a row of each leaf adds up all of its examples."""

    def rows() -> tuple[Any, ...]:
        buckets = _quantized([[], [sparse_column_values], [], [quantile_buckets], [sparse_column_indices]])
        examples, _ = joining.split(sparse_column_indices, num_or_size_splits=2, axis=1)
        leaves, bias, g, h = with_bias(
            example_partition_ids, gradients, hessians, arrays.squeeze(examples, [1]), _BIAS_FEATURE_ID
        )
        first = joining.stack([bias, constants.zeros_like(bias)], axis=1)
        return leaves, joining.concat([first, buckets], 0), g, h

    def no_values() -> tuple[Any, ...]:
        nothing = constants.constant([], dtypes.float32)
        indices = constants.constant([], dtypes.int64, shape=[0, 2])
        return indices, nothing, constants.constant([0, 1], dtypes.int64), nothing

    column = sparse_column_indices, sparse_column_values, sparse_column_shape
    values = cond(is_active[1], lambda: (*column, weights), no_values)
    is_counted = _are_there(are_buckets_ready, quantile_buckets)
    return *values, *cond(is_counted, rows, lambda: (*no_rows(), empty_gradients, empty_hessians))
