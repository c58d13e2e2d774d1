"""``tf.estimator.experimental.LinearSDCA``: how linear models are trained by dual coordinate ascent.

Source: ``tensorflow_estimator`` 1.15.1's names, messages and options; the algorithm is that of ``ops/sdca.py``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from retrograd.contrib.coordinate_ascent import SdcaModel, SparseFeatureColumn
from retrograd.estimator.canned import heads
from retrograd.estimator.class_heads import BinaryClassHead
from retrograd.estimator.number_heads import RegressionHead
from retrograd.feature_column.features import FeatureTransformationCache
from retrograd.feature_column.protocol import CategoricalColumn, by_name, is_feature_column_v2
from retrograd.graph import dtypes
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import colocate_with
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, casts, constants, indexing, reductions, rounding
from retrograd.ops.arithmetic import maximum
from retrograd.ops.segments import unsorted_segment_min, unsorted_segment_sum
from retrograd.ops.uniqueness import unique
from retrograd.sessions.hooks import SessionRunArgs, SessionRunContext, SessionRunHook
from retrograd.state.variables import VariableV1


class _Model(SdcaModel):
    """The ascent on resource variables of one column, with the l2 regularization as it is given."""

    @property
    def _l2(self) -> float:
        return self._options["symmetric_l2_regularization"]  # type: ignore[no-any-return]

    def _slot(self, variable: Any) -> Any:
        with colocate_with(variable.op):
            initial = constants.zeros_like(variable.initialized_value(), dtypes.float32)
            return VariableV1(initial, name=f"{variable.op.name}_unshrunk", use_resource=True)

    def _shrink(self, variable: Any) -> Any:
        if not self._l1:
            return None
        kept = maximum(rounding.abs_(variable) - self._l1 / self._l2, 0.0)
        return variable.assign(rounding.sign(variable) * kept)


class UpdateWeightsHook(SessionRunHook):
    """Gives the model, in every step of the training, the weights that the ascent found."""

    def __init__(self, model: SdcaModel, train_op: Operation) -> None:
        self._model, self._train_op = model, train_op

    def begin(self) -> None:
        """Make the op that does it."""
        self._update = self._model.update_weights(self._train_op)

    def before_run(self, run_context: SessionRunContext) -> SessionRunArgs:
        """Ask for it beside the step."""
        return SessionRunArgs(self._update)


def merged_entries(examples: Tensor, features: Tensor, values: Tensor) -> SparseFeatureColumn:
    """The entries without those of negative features; those of one feature in one example are one, with their sum."""
    known = features >= 0
    examples, features, values = (indexing.boolean_mask(x, known) for x in (examples, features, values))
    stride = reductions.reduce_max(features) + 1
    pairs, places = unique(examples * stride + features)
    count = arrays.shape(pairs)[0]
    rows = unsorted_segment_min(examples, places, count)
    total = unsorted_segment_sum(values, places, count)
    return SparseFeatureColumn(arrays.reshape(rows, [-1]), pairs - rows * stride, arrays.reshape(total, [-1]))


def _entries(read: Any) -> SparseFeatureColumn:
    """What a categorical column read, weighted by ones where it has no weights."""
    ids = read.id_tensor
    if read.weight_tensor is None:
        weights = constants.ones(arrays.shape(ids.values))
    else:
        weights = casts.to_float(read.weight_tensor.values)
    return merged_entries(ids.indices[:, 0], casts.to_int64(ids.values), arrays.reshape(weights, [-1]))


def _flat(x: Any) -> Tensor:
    return arrays.reshape(x, [-1])


class Inputs:
    """What an ascent reads: columns of all examples, each beside the weights that it trains."""

    def __init__(self) -> None:
        self._sparse: list[tuple[SparseFeatureColumn, Any]] = []
        self._dense: list[tuple[Any, Any]] = []

    def add_sparse(self, entries: SparseFeatureColumn, weights: Any) -> None:
        """A column of which an example has few entries."""
        self._sparse.append((entries, weights))

    def add_dense(self, numbers: Any, weights: Any) -> None:
        """A column of numbers, [examples, width]."""
        self._dense.append((numbers, weights))

    def train_step(
        self, kind: type[SdcaModel], ids: Any, example_weights: Any, labels: Any, options: dict[str, Any],
        global_step: Any,
    ) -> tuple[SdcaModel, Operation]:  # fmt: skip
        """The model of the weights, and the op of one pass over the examples."""
        examples = {
            "sparse_features": [x for x, _ in self._sparse], "dense_features": [x for x, _ in self._dense],
            "example_ids": ids, "example_weights": example_weights, "example_labels": casts.to_float(_flat(labels)),
        }  # fmt: skip
        variables = {
            "sparse_features_weights": [w for _, w in self._sparse],
            "dense_features_weights": [w for _, w in self._dense],
        }
        model = kind(examples, variables, options)
        return model, model.minimize(global_step=global_step)


class LinearSDCA:
    """Linear models trained by stochastic dual coordinate ascent: what ``optimizer`` of the linear estimators may be.

    Args:
      example_id_column: the feature, strings, by which an example is known again in a later pass.
      num_loss_partitions: how many copies train at a time.
      num_table_shards: over how many tables the examples' states are spread.
      symmetric_l1_regularization, symmetric_l2_regularization: how much weights are moved towards 0; the second is
        positive.
      adaptive: whether examples that are far from their best come first.
    """

    def __init__(
        self, example_id_column: str, num_loss_partitions: int = 1, num_table_shards: int | None = None,
        symmetric_l1_regularization: float = 0.0, symmetric_l2_regularization: float = 1.0, adaptive: bool = False,
    ) -> None:  # fmt: skip
        self._example_id_column = example_id_column
        self._options: dict[str, Any] = {
            "num_loss_partitions": num_loss_partitions, "num_table_shards": num_table_shards, "adaptive": adaptive,
            "symmetric_l1_regularization": symmetric_l1_regularization,
            "symmetric_l2_regularization": symmetric_l2_regularization,
        }  # fmt: skip

    def get_train_step(
        self, state_manager: Any, weight_column_name: str | None, loss_type: str, feature_columns: Any,
        features: dict[str, Any], targets: Any, bias_var: Any, global_step: Any,
    ) -> tuple[SdcaModel, Operation]:  # fmt: skip
        """The model of the weights that ``state_manager`` holds, and the op of one pass over the examples.

        Args:
          weight_column_name: the feature that weighs the examples, or None.
          loss_type: ``"logistic_loss"`` or another of ``SdcaModel``'s.
          targets: the labels, one for each example.

        Raises:
          ValueError: a regularization is out of range, or a dense column has more than one axis.
        """
        if self._options["symmetric_l1_regularization"] < 0.0:
            raise ValueError("symmetric_l1_regularization should be non-negative.")
        if self._options["symmetric_l2_regularization"] <= 0.0:
            raise ValueError("symmetric_l2_regularization should be positive.")
        cache = FeatureTransformationCache(features)
        batch_size = arrays.shape(targets)[0]
        inputs = Inputs()
        for column in by_name(feature_columns):
            weights = state_manager.get_variable(column, "weights")
            if isinstance(column, CategoricalColumn):
                inputs.add_sparse(_entries(column.get_sparse_tensors(cache, state_manager)), weights)
                continue
            if column.variable_shape.ndims > 1:
                kind, rank = type(column).__name__, column.variable_shape.ndims
                raise ValueError(f"Column {kind} has rank {rank}, larger than 1.")
            inputs.add_dense(column.get_dense_tensor(cache, state_manager), weights)
        inputs.add_dense(constants.ones([batch_size, 1]), bias_var)
        ones = constants.ones([batch_size])
        ids = _flat(features[self._example_id_column])
        example_weights = ones if weight_column_name is None else _flat(features[weight_column_name])
        options = {"loss_type": loss_type, **self._options}
        return inputs.train_step(_Model, ids, example_weights, targets, options, global_step)


LOSSES: dict[tuple[type[Any], ...], str] = {
    (heads.BinaryHead, BinaryClassHead): "logistic_loss", (heads.RegressionHead, RegressionHead): "squared_loss",
}  # fmt: skip


def loss_under(head: Any, losses: Mapping[tuple[type[Any], ...], str], *words: str) -> str:
    """The loss that the ascent is for, under a head: one of ``losses`` by its kind.

    Raises:
      ValueError: there is none.
      AssertionError: the head has several numbers.
    """
    for kinds, loss_type in losses.items():
        if isinstance(head, kinds):
            if head.logits_dimension != 1:
                raise AssertionError(*words)
            return loss_type
    raise ValueError(f"Unsupported head type: {head}")


def check_usable(feature_columns: Any, sparse_combiner: str) -> None:
    """Raise ``ValueError`` where the ascent has no meaning."""
    if not is_feature_column_v2(feature_columns):
        raise ValueError("V2 feature columns required when optimizer is a LinearSDCA object.")
    if sparse_combiner != "sum":
        raise ValueError('sparse_combiner must be "sum" when optimizer is a LinearSDCA object.')
