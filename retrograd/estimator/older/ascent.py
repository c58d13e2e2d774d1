"""``tf.contrib.linear_optimizer.SDCAOptimizer``: how ``tf.contrib.learn``'s linear models are trained by dual ascent.

Source: TensorFlow 1.15.5's options, scopes, messages; the algorithm is that of ``ops/sdca.py``.
"""

from __future__ import annotations

from typing import Any

from retrograd.contrib.coordinate_ascent import SdcaModel, SparseFeatureColumn
from retrograd.estimator.canned.coordinate_ascent import Inputs, UpdateWeightsHook, loss_under, merged_entries
from retrograd.estimator.older import heads
from retrograd.estimator.older.specs import ModelFnOps
from retrograd.feature_column.older_columns import _SparseColumn, _WeightedSparseColumn
from retrograd.feature_column.older_models import transform_features, weighted_sum_from_feature_columns
from retrograd.feature_column.older_numbers import (
    _BucketizedColumn,
    _CrossedColumn,
    _RealValuedColumn,
    real_valued_column,
)
from retrograd.graph.operation import Operation
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.static import constant_value
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, asserts, casts, comparison, constants
from retrograd.state.scopes import variable_scope
from retrograd.train.training_util import get_global_step

_BIAS = "tf_virtual_bias_column"
_OF_CATEGORIES = (_BucketizedColumn, _WeightedSparseColumn, _CrossedColumn, _SparseColumn)


class SDCAOptimizer:
    """What ``optimizer`` of ``tf.contrib.learn``'s linear models may be: stochastic dual coordinate ascent.

    Args:
      example_id_column: the feature, strings, by which an example is known again in a later pass.
      num_loss_partitions: how many copies train at a time.
      num_table_shards: over how many tables the examples' states are spread.
      symmetric_l1_regularization, symmetric_l2_regularization: how much weights are moved towards 0; at least 1 is
        used of the second.
      adaptive: whether examples that are far from their best come first.
      partitioner: cuts the weights into parts.
    """

    def __init__(
        self, example_id_column: str, num_loss_partitions: int = 1, num_table_shards: int | None = None,
        symmetric_l1_regularization: float = 0.0, symmetric_l2_regularization: float = 1.0, adaptive: bool = True,
        partitioner: Any = None,
    ) -> None:  # fmt: skip
        self.example_id_column, self.partitioner = example_id_column, partitioner
        self.num_loss_partitions, self.num_table_shards = num_loss_partitions, num_table_shards
        self.symmetric_l1_regularization = symmetric_l1_regularization
        self.symmetric_l2_regularization = symmetric_l2_regularization
        self.adaptive = adaptive

    def get_name(self) -> str:
        """Its name."""
        return "SDCAOptimizer"

    def get_train_step(
        self, columns_to_variables: dict[Any, Any], weight_column_name: str | None, loss_type: str,
        features: dict[Any, Any], targets: Any, global_step: Any,
    ) -> tuple[SdcaModel, Operation]:  # fmt: skip
        """The model of the columns' variables, and the op of one pass over the examples.

        Args:
          columns_to_variables: the variables of each column, or their parts.
          features: what the columns made of the features, by column, beside the features by key.
          targets: the labels, one for each example.

        Raises:
          ValueError: a column is of another kind.
        """
        inputs = Inputs()
        for column in sorted(columns_to_variables, key=lambda c: c.key):
            variables = columns_to_variables[column]
            if isinstance(column, _RealValuedColumn):
                inputs.add_dense(_matrix(features[column]), variables[0])
            elif isinstance(column, _OF_CATEGORIES):
                inputs.add_sparse(_entries(column, features[column]), variables if len(variables) > 1 else variables[0])
            else:
                raise ValueError(f"SDCAOptimizer does not support column type {type(column).__name__}.")
        if weight_column_name:
            weights = arrays.reshape(features[weight_column_name], [-1])
        else:
            weights = constants.ones([arrays.shape(targets)[0]])
        options = {
            "symmetric_l1_regularization": self.symmetric_l1_regularization, "adaptive": self.adaptive,
            "symmetric_l2_regularization": self.symmetric_l2_regularization, "loss_type": loss_type,
            "num_loss_partitions": self.num_loss_partitions, "num_table_shards": self.num_table_shards,
        }  # fmt: skip
        return inputs.train_step(SdcaModel, features[self.example_id_column], weights, targets, options, global_step)


def _matrix(x: Any) -> Tensor:
    """A column's numbers, one row for each example."""
    check = asserts.Assert(comparison.less_equal(arrays.rank(x), 2), ["transformed_tensor should have rank at most 2."])
    with control_dependencies([check]):
        return arrays.reshape(x, [arrays.shape(x)[0], -1])


def _entries(column: Any, transformed: Any) -> SparseFeatureColumn:
    lookup = column.linear_lookup(transformed)
    ids = lookup.input_tensor
    if lookup.weight_tensor is None:
        weights = constants.ones([arrays.shape(ids.indices)[0]])
    else:
        weights = casts.to_float(arrays.reshape(lookup.weight_tensor.values, [-1]))
    return merged_entries(ids.indices[:, 0], casts.to_int64(arrays.reshape(ids.values, [-1])), weights)


def _batch_size(features: dict[Any, Any]) -> Any:
    for x in features.values():
        x = x[0] if isinstance(x, tuple) and not isinstance(x, SparseTensor) else x
        if not isinstance(x, SparseTensor):
            return arrays.shape(x)[0]
        shape = constant_value(x.dense_shape)
        if shape is not None:
            return shape[0]
    raise ValueError("Could not infer batch size from input features.")


def _add_bias(features: dict[Any, Any], columns: Any, bias: Any, variables: dict[Any, Any]) -> None:
    """Let the bias be the weight of a column of ones."""
    if any(column.name == _BIAS for column in columns):
        raise ValueError(f"{_BIAS} is a reserved column name.")
    if not columns:
        raise ValueError("feature_columns can't be empty.")
    column = real_valued_column(_BIAS)
    features[column] = constants.ones([_batch_size(features), 1])
    variables[column] = [bias]


_LOSSES: dict[tuple[type[Any], ...], str] = {
    (heads._BinarySvmHead,): "hinge_loss", (heads._BinaryLogisticHead,): "logistic_loss",
    (heads._RegressionHead,): "squared_loss",
}  # fmt: skip


def model_by_ascent(
    features: Any, labels: Any, mode: str, head: Any, feature_columns: Any, optimizer: SDCAOptimizer,
    weight_column_name: str | None,
) -> ModelFnOps:  # fmt: skip
    """The sum of the columns' weights under a head; a hook brings the weights of each step to the model."""
    loss_type, hooks = loss_under(head, _LOSSES, "SDCA only applies for logits_dimension=1."), []
    with variable_scope("linear", values=features.values(), partitioner=optimizer.partitioner) as scope:
        features = {**features, **transform_features(features, feature_columns)}
        logits, variables, bias = weighted_sum_from_feature_columns(features, feature_columns, 1, scope=scope)
        _add_bias(features, feature_columns, bias, variables)

    def train_op_fn(loss: Any) -> Any:
        model, train_op = optimizer.get_train_step(
            variables, weight_column_name, loss_type, features, labels, get_global_step()
        )
        hooks.append(UpdateWeightsHook(model, train_op))
        return train_op

    made = head.create_model_fn_ops(features=features, labels=labels, mode=mode, train_op_fn=train_op_fn, logits=logits)
    return made._replace(training_chief_hooks=[*made.training_chief_hooks, *hooks])  # type: ignore[no-any-return]
