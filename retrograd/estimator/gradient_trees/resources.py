"""What a session keeps of models of ``tf.contrib.boosted_trees``, as objects that checkpoints hold."""

from __future__ import annotations

import re
from typing import Any

from retrograd.estimator.gradient_trees.batching import ScheduledStampedResourceOp
from retrograd.graph.apply import apply, apply_named, apply_op
from retrograd.graph.collections import GraphKeys
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import add_to_collection, control_dependencies, name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.io.saveables import SaveableObject, SaveSpec
from retrograd.io.tracking import TrackableResource
from retrograd.ops import gradient_tree_quantiles as quantiles
from retrograd.ops import gradient_tree_stats as stats
from retrograd.ops import gradient_trees as trees
from retrograd.state.registered import register_resource

_IN_NAMES = re.compile(r"[\W_]+")  # what is left out of the names of accumulators


class _Kept(TrackableResource):
    """A resource: its handle, the op that creates it, and whether that has been run."""

    def __init__(self, handle: Tensor, create: Operation, is_there: Tensor) -> None:
        super().__init__()
        self._resource_handle, self._initializer, self._is_there = handle, create, is_there

    @property
    def initializer(self) -> Any:
        """The op that creates it."""
        return self._initializer

    def is_initialized(self) -> Any:
        """Whether it is there, in a run."""
        return self._is_there


# -- ensembles ---------------------------------------------------------------------------------


class TreeEnsembleVariableSavable(SaveableObject):
    """An ensemble in a checkpoint: its stamp and the message."""

    def __init__(self, tree_ensemble_handle: Tensor, create_op: Any, name: str) -> None:
        found = apply(trees.SERIALIZE, tree_ensemble_handle)
        specs = [SaveSpec(x, "", name + end) for x, end in zip(found, ("_stamp", "_config"), strict=True)]
        super().__init__(tree_ensemble_handle, specs, name)
        self._create = create_op

    def restore(self, restored_tensors: list[Any], restored_shapes: Any) -> Any:
        with control_dependencies([self._create]):
            return apply_op(trees.DESERIALIZE, self.op, *restored_tensors)


class TreeEnsembleVariable(_Kept):
    """An ensemble of trees, of a serialized one."""

    def __init__(self, stamp_token: Any, tree_ensemble_config: Any, name: str, container: str | None = None) -> None:
        handle = apply(trees.TREES, container=container or "", shared_name=name, name=name)
        create = apply_op(trees.CREATE_TREES, handle, stamp_token, tree_ensemble_config)
        super().__init__(handle, create, apply(trees.ARE_TREES, handle))


def tree_ensemble_variable(
    stamp_token: Any, tree_ensemble_config: Any, name: str, container: str | None = None
) -> Tensor:
    """The handle of an ensemble, which is saved with the variables.

    Args:
      stamp_token: the stamp to begin with.
      tree_ensemble_config: a serialized ensemble, a string.
    """
    with name_scope(name, "TreeEnsembleVariable") as scope:
        kept = TreeEnsembleVariable(stamp_token, tree_ensemble_config, scope, container)
        handle: Tensor = kept.resource_handle
        saved = TreeEnsembleVariableSavable(handle, kept.initializer, handle.name)
        add_to_collection(GraphKeys.SAVEABLE_OBJECTS, saved)
        register_resource(handle, kept.initializer, kept.is_initialized())
    return handle


# -- quantiles ---------------------------------------------------------------------------------


class QuantileAccumulatorSaveable(SaveableObject):
    """Quantiles in a checkpoint: the stamp, the sketch, and the boundaries of the buckets."""

    def __init__(self, resource_handle: Tensor, create_op: Any, name: str) -> None:
        found = apply(quantiles.SERIALIZE, resource_handle)
        ends = ("_stamp", "_state", "_are_buckets_ready", "buckets")
        super().__init__(
            resource_handle, [SaveSpec(x, "", name + end) for x, end in zip(found, ends, strict=True)], name
        )
        self._create = create_op

    def restore(self, restored_tensors: list[Any], restored_shapes: Any) -> Any:
        with control_dependencies([self._create]):
            return apply_op(quantiles.DESERIALIZE, self.op, *restored_tensors)


class QuantileAccumulator(_Kept):
    """The quantiles of a feature, collected over batches.

    Args:
      init_stamp_token: the stamp to begin with.
      epsilon: the error of a quantile's rank, as a share of all.
      num_quantiles: how many there are to be.
      max_elements: how many values are expected at most.
      generate_quantiles: whether there are to be just as many, some of them equal perhaps.
    """

    def __init__(
        self, init_stamp_token: Any, epsilon: float, num_quantiles: int, max_elements: int | None = None,
        name: str | None = None, container: str | None = None, generate_quantiles: bool = False,
    ) -> None:  # fmt: skip
        self._epsilon = epsilon
        most: dict[str, Any] = {} if max_elements is None else {"max_elements": max_elements}
        with name_scope(_IN_NAMES.sub("", name or ""), "QuantileAccumulator") as scope:
            handle = apply(quantiles.STREAM, container=container or "", shared_name=scope, name=scope)
            create = apply_op(
                quantiles.CREATE, handle, init_stamp_token, epsilon=epsilon, num_quantiles=num_quantiles,
                generate_quantiles=generate_quantiles, **most,
            )  # fmt: skip
            super().__init__(handle, create, apply(quantiles.IS_STREAM, handle))
        register_resource(handle, create, self.is_initialized())
        self._saveable = QuantileAccumulatorSaveable(handle, create, scope)
        add_to_collection(GraphKeys.SAVEABLE_OBJECTS, self._saveable)

    def get_buckets(self, stamp_token: Any) -> tuple[Tensor, Tensor]:
        """Whether there are boundaries, and these, of the latest flush."""
        are_ready, buckets = get_buckets([self.resource_handle], stamp_token)
        return are_ready[0], buckets[0]

    def schedule_get_buckets(self) -> ScheduledStampedResourceOp:
        """The same, together with others."""
        return ScheduledStampedResourceOp(resource_handle=self.resource_handle, op=get_buckets)

    def _summary(self, column: Any, example_weights: Any) -> Tensor:
        epsilon = self._epsilon / 2
        lists: tuple[list[Any], ...]
        if isinstance(column, SparseTensor):
            lists = [], [column.indices], [column.values], [column.dense_shape]
        else:
            lists = [column], [], [], []
        return apply_op(quantiles.SUMMARIES, *lists, example_weights, epsilon=epsilon).outputs[0]

    def add_summary(self, stamp_token: Any, column: Any, example_weights: Any) -> Operation:
        """The op that adds a batch of values, weighted."""
        return self.add_prebuilt_summary(stamp_token, self._summary(column, example_weights))

    def add_prebuilt_summary(self, stamp_token: Any, summary: Any) -> Operation:
        """The op that adds a summary."""
        return add_summaries([self.resource_handle], stamp_token, [summary])

    def schedule_add_summary(self, stamp_token: Any, column: Any, example_weights: Any) -> ScheduledStampedResourceOp:
        """The op that adds a batch of values, together with others."""
        return ScheduledStampedResourceOp(
            op=add_summaries, resource_handle=self.resource_handle, summaries=self._summary(column, example_weights)
        )

    def flush(self, stamp_token: Any, next_stamp_token: Any) -> Operation:
        """The op that settles the boundaries, and begins anew under another stamp."""
        return apply_op(quantiles.FLUSH, self.resource_handle, stamp_token, next_stamp_token)

    def flush_summary(self, stamp_token: Any, next_stamp_token: Any) -> Tensor:
        """The summary; then it begins anew under another stamp."""
        return apply(  # type: ignore[no-any-return]
            quantiles.FLUSH_SUMMARY, self.resource_handle, stamp_token, next_stamp_token
        )


def get_buckets(quantile_accumulator_handles: list[Tensor], stamp_token: Any) -> Any:
    """Of several accumulators whether there are boundaries, and these: two lists."""
    return apply_named(quantiles.BUCKETS, quantile_accumulator_handles, stamp_token)


def add_summaries(quantile_accumulator_handles: list[Tensor], stamp_token: Any, summaries: list[Any]) -> Operation:
    """The op that adds a summary to each of several accumulators."""
    return apply_op(quantiles.ADD, quantile_accumulator_handles, stamp_token, summaries)


# -- gradients and Hessians --------------------------------------------------------------------


class StatsAccumulatorSaveable(SaveableObject):
    """Sums in a checkpoint: the stamp, how many batches, and columns."""

    def __init__(self, resource_handle: Tensor, create_op: Any, is_scalar: bool, name: str) -> None:
        self._create, self._resource_handle = create_op, resource_handle
        self._ops = stats.SCALAR if is_scalar else stats.TENSOR
        ends = ("_stamp", "_num_updates", "_partition_ids", "_feature_ids", "_gradients", "hessians")
        found = zip(self.serialize(), ends, strict=True)
        super().__init__(resource_handle, [SaveSpec(x, "", resource_handle.name + end) for x, end in found], name)

    def serialize(self) -> Any:
        """The stamp, how many batches, and the columns: leaves, features, gradients, Hessians."""
        return apply_named(self._ops["SERIALIZE"], self._resource_handle)

    def deserialize(
        self, stamp_token: Any, num_updates: Any, partition_ids: Any, feature_ids: Any, gradients: Any, hessians: Any
    ) -> Operation:
        """The op that puts these in their place."""
        return apply_op(
            self._ops["DESERIALIZE"], self._resource_handle, stamp_token, num_updates, partition_ids, feature_ids,
            gradients, hessians,
        )  # fmt: skip

    def restore(self, restored_tensors: list[Any], restored_shapes: Any) -> Any:
        with control_dependencies([self._create]):
            return self.deserialize(*restored_tensors)


class StatsAccumulator(_Kept):
    """Sums of gradients and Hessians for each leaf and bucket of a feature, over batches.

    What comes with an older stamp is dropped.

    Args:
      stamp_token: the stamp to begin with.
      gradient_shape, hessian_shape: the shapes of those of one example, ``TensorShape``.
    """

    def __init__(
        self, stamp_token: Any, gradient_shape: Any, hessian_shape: Any, name: str | None = None,
        container: str | None = None,
    ) -> None:  # fmt: skip
        is_scalar = gradient_shape.rank == 0 and hessian_shape.rank == 0
        self._ops = ops = stats.SCALAR if is_scalar else stats.TENSOR
        self._is_scalar = is_scalar
        shapes = () if is_scalar else (gradient_shape.as_list(), hessian_shape.as_list())
        with name_scope(None if name is None else _IN_NAMES.sub("", name), "StatsAccumulator") as scope:
            handle = apply(ops["HANDLE"], container=container or "", shared_name=scope, name=scope)
            create = apply_op(ops["CREATE"], handle, stamp_token, *shapes)
            super().__init__(handle, create, apply(ops["IS_THERE"], handle))
        register_resource(handle, create, self.is_initialized())
        self._saveable = StatsAccumulatorSaveable(handle, create, is_scalar, scope)
        add_to_collection(GraphKeys.SAVEABLE_OBJECTS, self._saveable)

    @property
    def saveable(self) -> StatsAccumulatorSaveable:
        """It as checkpoints hold it."""
        return self._saveable

    def _make_summary(self, partition_ids: Any, feature_ids: Any, gradients: Any, hessians: Any) -> Any:
        return apply(self._ops["SUMMARY"], partition_ids, feature_ids, gradients, hessians)

    def add(
        self, stamp_token: Any, partition_ids: Any, feature_ids: Any, gradients: Any, hessians: Any
    ) -> Operation:  # fmt: skip
        """The op that adds the rows of a batch."""
        rows = self._make_summary(partition_ids, feature_ids, gradients, hessians)
        return _add(self._is_scalar)([self.resource_handle], stamp_token, *[[row] for row in rows])  # type: ignore[no-any-return]

    def schedule_add(
        self, partition_ids: Any, feature_ids: Any, gradients: Any, hessians: Any
    ) -> ScheduledStampedResourceOp:
        """The same, together with others."""
        rows = self._make_summary(partition_ids, feature_ids, gradients, hessians)
        names = ("partition_ids", "feature_ids", "gradients", "hessians")
        return ScheduledStampedResourceOp(
            op=_add(self._is_scalar), resource_handle=self.resource_handle, **dict(zip(names, rows, strict=True))
        )

    def flush(self, stamp_token: Any, next_stamp_token: Any) -> Any:
        """How many batches, and the columns; then it begins anew under another stamp."""
        return apply_named(self._ops["FLUSH"], self.resource_handle, stamp_token, next_stamp_token)


def _add(is_scalar: bool) -> Any:
    return add_scalars if is_scalar else add_tensors


def add_scalars(
    handles: list[Any], stamp: Any, partition_ids: Any, feature_ids: Any, gradients: Any, hessians: Any
) -> Operation:
    """The op that adds rows to each of several accumulators of one logit."""
    return apply_op(stats.SCALAR["ADD"], handles, stamp, partition_ids, feature_ids, gradients, hessians)


def add_tensors(
    handles: list[Any], stamp: Any, partition_ids: Any, feature_ids: Any, gradients: Any, hessians: Any
) -> Operation:
    """The same of several logits."""
    return apply_op(stats.TENSOR["ADD"], handles, stamp, partition_ids, feature_ids, gradients, hessians)
