"""``tf.contrib.linear_optimizer``: linear models trained by dual coordinate ascent (SDCA).

Source: TensorFlow 1.15.5's names, options, names of variables and messages; the algorithm is that of ``ops/sdca.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from retrograd.contrib.sharded_tables import ShardedMutableDenseHashTable
from retrograd.graph import dtypes
from retrograd.graph.convert import as_tensor
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import colocate_with, control_dependencies, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn import summaries
from retrograd.nn.cross_entropy import log_poisson_loss, sigmoid_cross_entropy_with_logits
from retrograd.ops import (
    activations,
    arrays,
    casts,
    comparison,
    constants,
    exponentials,
    indexing,
    joining,
    matrices,
    powers,
    reductions,
    rounding,
    sdca,
    segments,
    sums,
)
from retrograd.ops.control import group
from retrograd.ops.scatters import scatter_add
from retrograd.ops.sdca_losses import LOSSES
from retrograd.ops.state import assign_add
from retrograd.ops.uniqueness import unique
from retrograd.state.partitioned import PartitionedVariable
from retrograd.state.variables import VariableV1

_WEIGHTS = ("sparse_features_weights", "dense_features_weights")


class SparseFeatureColumn:
    """A sparse feature of a batch: the value of each entry, with the example and the feature that it belongs to.

    Args:
      example_indices, feature_indices: [n], int64.
      feature_values: [n], float32; None for ones.
    """

    def __init__(self, example_indices: Any, feature_indices: Any, feature_values: Any) -> None:
        with name_scope(None, "SparseFeatureColumn", [example_indices, feature_indices]):
            self._example_indices = as_tensor(example_indices, dtypes.int64, name="example_indices")
            self._feature_indices = as_tensor(feature_indices, dtypes.int64, name="feature_indices")
        self._feature_values: Tensor | None = None
        if feature_values is not None:
            with name_scope(None, "SparseFeatureColumn", [feature_values]):
                self._feature_values = as_tensor(feature_values, dtypes.float32, name="feature_values")

    @property
    def example_indices(self) -> Tensor:
        """The examples of the entries."""
        return self._example_indices

    @property
    def feature_indices(self) -> Tensor:
        """The features of the entries."""
        return self._feature_indices

    @property
    def feature_values(self) -> Tensor | None:
        """The values of the entries; None for ones."""
        return self._feature_values


def _states(shards: int) -> ShardedMutableDenseHashTable:
    """What is kept of each example by the fingerprint of its id, which is never 0 or 1."""
    return ShardedMutableDenseHashTable(
        dtypes.int64, dtypes.float32, default_value=[0.0] * 4, empty_key=[0, 0], deleted_key=[1, 1], num_shards=shards
    )


class SdcaModel:
    """A linear model of one output, trained by coordinate ascent on the duals of its examples.

    Args:
      examples: ``sparse_features`` (``SparseFeatureColumn``s), ``dense_features`` ([n, d] each), ``example_labels``,
        ``example_weights``, ``example_ids`` (strings).
      variables: ``sparse_features_weights`` and ``dense_features_weights``, in the order of the features; each a
        variable, or the parts of one.
      options: ``loss_type`` (``logistic_loss``, ``squared_loss``, ``hinge_loss``, ``smooth_hinge_loss``,
        ``poisson_loss``), ``symmetric_l1_regularization``, ``symmetric_l2_regularization`` (at least 1 is used),
        ``num_loss_partitions`` (1), ``num_table_shards`` (1), ``adaptive`` (True).

    Raises:
      ValueError: something is missing, or a regularization is negative.
    """

    def __init__(self, examples: dict[str, Any], variables: dict[str, Any], options: dict[str, Any]) -> None:
        if not examples or not variables or not options:
            raise ValueError("examples, variables and options must all be specified.")
        if options["loss_type"] not in LOSSES:
            raise ValueError("Unsupported loss_type: ", options["loss_type"])
        features = ("sparse_features", "dense_features")
        _check_given(("example_labels", "example_weights", "example_ids", *features), examples)
        _check_lists(features, examples)
        _check_given(_WEIGHTS, variables)
        _check_lists(_WEIGHTS, variables)
        for name in ("symmetric_l1_regularization", "symmetric_l2_regularization"):
            if options[name] < 0.0:
                raise ValueError(f"{name} should be non-negative. Found ({options[name]:f})")
        self._examples, self._variables, self._options = examples, variables, options
        self._unshrunk = {name: [[self._slot(v) for v in _parts(w)] for w in variables[name]] for name in _WEIGHTS}
        self._states = _states(options.get("num_table_shards") or 1)
        summaries.scalar("approximate_duality_gap", self.approximate_duality_gap())
        summaries.scalar("examples_seen", self._states.size())

    @property
    def _l1(self) -> float:
        return self._options["symmetric_l1_regularization"]  # type: ignore[no-any-return]

    @property
    def _l2(self) -> float:
        """What the ascent needs at least is 1."""
        return max(self._options["symmetric_l2_regularization"], 1.0)

    def _slot(self, variable: Any) -> Any:
        """The weights before l1 moves them."""
        with colocate_with(variable.op):
            initial = constants.zeros_like(variable.initialized_value(), dtypes.float32)
            return VariableV1(initial, name=f"{variable.op.name}_unshrinked/SDCAOptimizer")

    def _shrink(self, variable: Any) -> Any:
        """An op that moves the weights towards 0 by l1; None where there is nothing to do."""
        return sdca.sdca_shrink_l1([variable._ref()], l1=self._l1, l2=self._l2)

    def _all_weights(self) -> Iterator[Any]:
        for name in _WEIGHTS:
            for weights in self._variables[name]:
                yield from _parts(weights)

    # -- losses ------------------------------------------------------------------------------------

    def _l1_loss(self) -> Tensor:
        with name_scope("sdca/l1_loss"):
            found = [reductions.reduce_sum(rounding.abs_(casts.cast(w, dtypes.float64))) for w in self._all_weights()]
            return self._l1 * sums.add_n(found)

    def _l2_loss(self, l2: float) -> Tensor:
        with name_scope("sdca/l2_loss"):
            found = [reductions.reduce_sum(powers.square(casts.cast(w, dtypes.float64))) for w in self._all_weights()]
            return l2 * sums.add_n(found) / 2.0

    def _linear_predictions(self, examples: dict[str, Any]) -> Tensor:
        with name_scope("sdca/prediction"):
            sparse: Any = 0.0
            for column, weights in zip(examples["sparse_features"], self._variables[_WEIGHTS[0]], strict=True):
                terms = indexing.gather(_flat(weights), column.feature_indices) * column.feature_values
                sparse += segments.segment_sum(terms, column.example_indices)
            dense: Any = 0.0
            for matrix, weights in zip(examples["dense_features"], self._variables[_WEIGHTS[1]], strict=True):
                dense += matrices.matmul(as_tensor(matrix), arrays.expand_dims(_flat(weights), -1))
        return arrays.reshape(dense, [-1]) + sparse

    def predictions(self, examples: dict[str, Any]) -> Tensor:
        """The model's predictions, [n]: probabilities, rates, or numbers, as the loss has it."""
        _check_given(("example_weights", "sparse_features", "dense_features"), examples)
        _check_lists(("sparse_features", "dense_features"), examples)
        result = self._linear_predictions(examples)
        if self._options["loss_type"] == "logistic_loss":
            with name_scope("sdca/logistic_prediction"):
                return exponentials.sigmoid(result)
        if self._options["loss_type"] == "poisson_loss":
            with name_scope("sdca/poisson_prediction"):
                return exponentials.exp(result)
        return result

    def unregularized_loss(self, examples: dict[str, Any]) -> Tensor:
        """The mean loss of the examples, float64."""
        self._check_examples(examples)
        with name_scope("sdca/unregularized_loss"):
            predicted = casts.cast(self._linear_predictions(examples), dtypes.float64)
            labels = casts.cast(as_tensor(examples["example_labels"]), dtypes.float64)
            weights = casts.cast(as_tensor(examples["example_weights"]), dtypes.float64)
            kind = self._options["loss_type"]
            if kind == "logistic_loss":
                losses = sigmoid_cross_entropy_with_logits(labels=labels, logits=predicted)
            elif kind == "poisson_loss":
                losses = log_poisson_loss(targets=labels, log_input=predicted)
            elif kind == "squared_loss":
                losses = powers.square(labels - predicted) / 2.0
            else:
                losses = activations.relu(1.0 - (2 * labels - 1.0) * predicted)
            return reductions.reduce_sum(losses * weights) / reductions.reduce_sum(weights)

    def regularized_loss(self, examples: dict[str, Any]) -> Tensor:
        """The mean loss of the examples with the model's regularization, float64."""
        self._check_examples(examples)
        with name_scope("sdca/regularized_loss"):
            penalty = self._l1_loss() + self._l2_loss(self._options["symmetric_l2_regularization"])
            total = reductions.reduce_sum(casts.cast(as_tensor(examples["example_weights"]), dtypes.float64))
            return penalty / total + self.unregularized_loss(examples)

    def _check_examples(self, examples: dict[str, Any]) -> None:
        _check_given(("example_labels", "example_weights", "sparse_features", "dense_features"), examples)
        _check_lists(("sparse_features", "dense_features"), examples)

    def approximate_duality_gap(self) -> Tensor:
        """How far the loss may be from the best, over all examples seen; NaN before there are any."""
        with name_scope("sdca/approximate_duality_gap"):
            exported = self._states.export_sharded()[1]
            totals = sums.add_n([reductions.reduce_sum(casts.cast(x, dtypes.float64), 0) for x in exported])
            penalty = self._l1_loss() + 2.0 * self._l2_loss(self._l2)
            return (totals[1] + totals[2] + penalty) / totals[3]

    # -- training ----------------------------------------------------------------------------------

    def minimize(self, global_step: Any = None, name: str | None = None) -> Operation:
        """An op that goes through the examples once; ``update_weights`` gives the model what it found."""
        with name_scope(name, "sdca/minimize"):
            columns, examples = self._examples["sparse_features"], self._examples
            keys = sdca.sdca_fprint(as_tensor(examples["example_ids"]))
            sparse, dense = self._unshrunk[_WEIGHTS[0]], self._unshrunk[_WEIGHTS[1]]
            used = [casts.cast(unique(casts.cast(c.feature_indices, dtypes.int32))[0], dtypes.int64) for c in columns]
            state, sparse_changes, dense_changes = sdca.sdca_optimizer_v2(
                [c.example_indices for c in columns],
                [c.feature_indices for c in columns],
                [c.feature_values for c in columns if c.feature_values is not None],
                [as_tensor(x) for x in examples["dense_features"]],
                as_tensor(examples["example_weights"]),
                as_tensor(examples["example_labels"]),
                used,
                [indexing.gather(_joined(w), ids) for w, ids in zip(sparse, used, strict=True)],
                [_joined(w) for w in dense],
                self._states.lookup(keys),
                loss_type=self._options["loss_type"], l1=self._l1, l2=self._l2,
                num_loss_partitions=self._options.get("num_loss_partitions", 1), num_inner_iterations=1,
                adaptive=self._options.get("adaptive", True),
            )  # fmt: skip
            with control_dependencies([state]):
                updates = [self._states.insert(keys, state)]
                for parts, ids, change in zip(sparse, used, sparse_changes, strict=True):
                    updates += _scattered(parts, ids, change)
                for parts, change in zip(dense, dense_changes, strict=True):
                    sizes = [part.shape.as_list()[0] for part in parts]
                    pieces = [change] if len(parts) == 1 else joining.split(change, sizes)
                    updates += [assign_add(part, piece) for part, piece in zip(parts, pieces, strict=True)]
            if global_step is None:
                return group(*updates)
            with control_dependencies(updates):
                return assign_add(global_step, 1, name=name).op  # type: ignore[no-any-return]

    def update_weights(self, train_op: Operation) -> Operation:
        """An op, behind that of ``minimize``, that gives the variables the weights, moved towards 0 by l1."""
        with control_dependencies([train_op]):
            copies = [
                variable.assign(slot)
                for name in _WEIGHTS
                for weights, slots in zip(self._variables[name], self._unshrunk[name], strict=True)
                for variable, slot in zip(_parts(weights), slots, strict=True)
            ]
        with control_dependencies(copies):
            shrunk = [self._shrink(weights) for weights in self._all_weights()]
            return group(*[op for op in shrunk if op is not None])


def _parts(weights: Any) -> list[Any]:
    return list(weights) if isinstance(weights, list | PartitionedVariable) else [weights]


def _joined(weights: Any) -> Tensor:
    parts = _parts(weights)
    return as_tensor(parts[0]) if len(parts) == 1 else joining.concat(parts, axis=0)


def _flat(weights: Any) -> Tensor:
    joined = _joined(weights)
    return joined if joined.shape.ndims == 1 else arrays.reshape(joined, [-1])


def _scattered(parts: list[Any], ids: Tensor, change: Tensor) -> list[Any]:
    """Ops that add rows of the whole to its parts, which follow each other."""
    if len(parts) == 1:
        return [scatter_add(parts[0], ids, change)]
    updates, start = [], 0
    for part in parts:
        stop = start + part.shape.as_list()[0]
        here = comparison.logical_and(ids >= np.int64(start), ids < np.int64(stop))
        rows = indexing.boolean_mask(ids, here) - np.int64(start)
        updates.append(scatter_add(part, rows, indexing.boolean_mask(change, here)))
        start = stop
    return updates


def _check_given(names: tuple[str, ...], given: dict[str, Any]) -> None:
    for name in names:
        if given[name] is None:
            raise ValueError(f"{name} must be specified.")


def _check_lists(names: tuple[str, ...], given: dict[str, Any]) -> None:
    for name in names:
        if not isinstance(given[name], list):
            raise ValueError(f"{name} must be a list.")
