"""What a session keeps of boosted trees, as objects: the ensemble, and the quantiles of features."""

from __future__ import annotations

from typing import Any, ClassVar

from retrograd.graph.apply import apply, apply_op
from retrograd.graph.collections import GraphKeys
from retrograd.graph.scopes import add_to_collection, control_dependencies, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.io.saveables import SaveableObject, SaveSpec
from retrograd.io.tracking import TrackableResource
from retrograd.ops import arrays
from retrograd.ops import boosted_tree_quantiles as quantiles
from retrograd.ops import boosted_trees as trees
from retrograd.state.registered import register_resource

_STATES = ("stamp_token", "num_trees", "num_finalized_trees", "num_attempted_layers", "last_layer_nodes_range")


class PruningMode:
    """When splits that gain nothing are taken back."""

    NO_PRUNING, PRE_PRUNING, POST_PRUNING = trees.NO_PRUNING, trees.PRE_PRUNING, trees.POST_PRUNING
    _map: ClassVar = {"none": NO_PRUNING, "pre": PRE_PRUNING, "post": POST_PRUNING}

    @classmethod
    def from_str(cls, mode: str) -> int:
        """The number of ``mode``.

        Raises:
          ValueError: there is no such mode.
        """
        if mode not in cls._map:
            raise ValueError(f"pruning_mode mode must be one of: {', '.join(sorted(cls._map))}")
        return cls._map[mode]


class _SavedEnsemble(SaveableObject):
    def __init__(self, handle: Tensor, create: Any) -> None:
        stamp, serialized = apply(trees.SERIALIZE, handle)
        specs = [SaveSpec(stamp, "", f"{handle.name}_stamp"), SaveSpec(serialized, "", f"{handle.name}_serialized")]
        super().__init__(handle, specs, handle.name)
        self._create = create

    def restore(self, restored_tensors: list[Any], restored_shapes: Any) -> Any:
        with control_dependencies([self._create]):
            return apply_op(trees.DESERIALIZE, self.op, *restored_tensors)


class _SavedQuantiles(SaveableObject):
    def __init__(self, handle: Tensor, create: Any, count: int) -> None:
        boundaries = apply(quantiles.GET_BOUNDARIES, handle, num_features=count)
        specs = [SaveSpec(b, "", f"{handle.name}_bucket_boundaries_{i}") for i, b in enumerate(boundaries)]
        super().__init__(handle, specs, handle.name)
        self._create = create

    def restore(self, restored_tensors: list[Any], restored_shapes: Any) -> Any:
        with control_dependencies([self._create]):
            return apply_op(quantiles.TAKE_BOUNDARIES, self.op, restored_tensors, num_streams=len(restored_tensors))


class TreeEnsemble(TrackableResource):
    """The trees.

    Args:
      name: of the resource.
      stamp_token: the number of changes to begin with.
      is_local: whether other processes share it not.
      serialized_proto: a serialized ``TreeEnsemble``, to begin with.
    """

    def __init__(self, name: str, stamp_token: Any = 0, is_local: bool = False, serialized_proto: Any = "") -> None:
        super().__init__()
        with name_scope(name, "TreeEnsemble") as scope:
            self._resource_handle = handle = apply(trees.ENSEMBLE, shared_name=scope, name=scope)
            self.initializer = apply_op(trees.CREATE_ENSEMBLE, handle, stamp_token, serialized_proto)
            self._is_there = apply(trees.IS_ENSEMBLE, handle)
            if not is_local:
                add_to_collection(GraphKeys.SAVEABLE_OBJECTS, _SavedEnsemble(handle, self.initializer))
            register_resource(handle, self.initializer, self._is_there, is_shared=not is_local)

    def is_initialized(self) -> Any:
        """Whether it is there, in a run."""
        return self._is_there

    def get_stamp_token(self) -> Any:
        """How often it has changed."""
        return self.get_states()[0]

    def get_states(self) -> tuple[Any, ...]:
        """The stamp, how many trees there are, are whole, how many layers were tried, and the last layer's nodes."""
        states = apply(trees.STATES, self.resource_handle)
        return tuple(arrays.identity(x, name=n) for x, n in zip(states, _STATES, strict=True))

    def serialize(self) -> Any:
        """The stamp and the serialized proto."""
        return apply(trees.SERIALIZE, self.resource_handle)

    def deserialize(self, stamp_token: Any, serialized_proto: Any) -> Any:
        """The op that puts the trees of a serialized proto here."""
        return apply_op(trees.DESERIALIZE, self.resource_handle, stamp_token, serialized_proto)


class QuantileAccumulator(TrackableResource):
    """The quantiles of features, collected over batches.

    Args:
      epsilon: the error of a quantile's rank, as a share of all.
      num_streams: how many features there are.
      num_quantiles: how many quantiles a feature gets.
      name: of the resource.
      max_elements: how many values are expected at most.
    """

    def __init__(
        self, epsilon: float, num_streams: int, num_quantiles: int, name: str | None = None,
        max_elements: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._epsilon, self._num_streams, self._num_quantiles = epsilon, num_streams, num_quantiles
        most: dict[str, Any] = {} if max_elements is None else {"max_elements": max_elements}
        with name_scope(name, "QuantileAccumulator") as scope:
            self._resource_handle = handle = apply(quantiles.QUANTILES, shared_name=scope, name=scope)
            self.initializer = apply_op(quantiles.CREATE_QUANTILES, handle, epsilon, num_streams, **most)
            self._is_there = apply(quantiles.IS_QUANTILES, handle)
        register_resource(handle, self.initializer, self._is_there)
        self.saveable = _SavedQuantiles(handle, self.initializer, num_streams)
        add_to_collection(GraphKeys.SAVEABLE_OBJECTS, self.saveable)

    def is_initialized(self) -> Any:
        """Whether it is there, in a run."""
        return self._is_there

    def add_summaries(self, float_columns: list[Any], example_weights: Any) -> Any:
        """The op that adds a batch of the values of each feature."""
        added = apply(
            quantiles.MAKE_SUMMARIES, float_columns, example_weights, self._epsilon, num_features=len(float_columns)
        )
        return apply_op(quantiles.ADD_SUMMARIES, self.resource_handle, added, num_features=len(float_columns))

    def flush(self) -> Any:
        """The op that settles the boundaries, and begins anew."""
        return apply_op(quantiles.FLUSH, self.resource_handle, self._num_quantiles)

    def get_bucket_boundaries(self) -> Any:
        """The boundaries of the buckets of each feature, as far as they are settled."""
        return apply(quantiles.GET_BOUNDARIES, self.resource_handle, num_features=self._num_streams)
