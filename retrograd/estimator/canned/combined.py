"""Linear and deep at once: ``DNNLinearCombinedClassifier``, ``...Regressor`` and ``...Estimator``.

Source: ``tensorflow_estimator`` 1.15.1, ``canned/dnn_linear_combined.py``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from retrograd.estimator.canned.dnn import dnn_logit_fn_builder, summarize_layer
from retrograd.estimator.canned.heads import RegressionHead, binary_or_multi_class_head
from retrograd.estimator.canned.linear import SLICE_OF_COLUMNS, check_features, linear_logit_fn_builder, servers
from retrograd.estimator.canned.optimizers import get_optimizer_instance
from retrograd.estimator.estimator import Estimator
from retrograd.estimator.specs import EstimatorSpec
from retrograd.graph.collections import GraphKeys
from retrograd.graph.scopes import control_dependencies, get_collection
from retrograd.nn.losses import Reduction
from retrograd.ops.activations import relu
from retrograd.ops.control import group
from retrograd.ops.state import assign_add
from retrograd.state.partitioned import min_max_variable_partitioner
from retrograd.state.scopes import variable_scope
from retrograd.train.training_util import get_global_step

_DNN_LEARNING_RATE = 0.001
_LINEAR_LEARNING_RATE = 0.005
NO_COLUMNS = "Either linear_feature_columns or dnn_feature_columns must be defined."
NO_UNITS = "dnn_hidden_units must be defined when dnn_feature_columns is specified."


def _combined_model(
    features: Any, labels: Any, mode: str, head: Any, linear_feature_columns: Any, linear_optimizer: Any,
    dnn_feature_columns: Any, dnn_optimizer: Any, dnn_hidden_units: Any, dnn_activation_fn: Any,
    dnn_dropout: float | None, input_layer_partitioner: Any, config: Any, batch_norm: bool,
    linear_sparse_combiner: str,
) -> EstimatorSpec:  # fmt: skip
    check_features(features)
    if not linear_feature_columns and not dnn_feature_columns:
        raise ValueError(NO_COLUMNS)
    of_columns = input_layer_partitioner or min_max_variable_partitioner(
        max_partitions=servers(config), min_slice_size=SLICE_OF_COLUMNS
    )
    values = tuple(features.values())
    halves = []  # of each: its logits, its optimizer, the scope of its variables
    if dnn_feature_columns:
        dnn_optimizer = get_optimizer_instance(dnn_optimizer, learning_rate=_DNN_LEARNING_RATE)
        if not dnn_hidden_units:
            raise ValueError(NO_UNITS)
        partitioner = min_max_variable_partitioner(max_partitions=servers(config))
        with variable_scope("dnn", values=values, partitioner=partitioner) as scope:
            logit_fn = dnn_logit_fn_builder(
                head.logits_dimension, dnn_hidden_units, dnn_feature_columns, dnn_activation_fn, dnn_dropout,
                of_columns, batch_norm,
            )  # fmt: skip
            halves.append((logit_fn(features, mode), dnn_optimizer, scope.name))
    if linear_feature_columns:
        rate = min(_LINEAR_LEARNING_RATE, 1.0 / math.sqrt(len(linear_feature_columns)))
        linear_optimizer = get_optimizer_instance(linear_optimizer, learning_rate=rate)
        with variable_scope("linear", values=values, partitioner=of_columns) as scope:
            linear_fn = linear_logit_fn_builder(head.logits_dimension, linear_feature_columns, linear_sparse_combiner)
            linear_logits = linear_fn(features)
            summarize_layer(linear_logits, scope.name)
            halves.append((linear_logits, linear_optimizer, scope.name))
    logits = halves[0][0] + halves[1][0] if len(halves) == 2 else halves[0][0]

    def train_op_fn(loss: Any) -> Any:
        step = get_global_step()
        train_ops = []
        for _, optimizer, scope_name in halves:
            variables = get_collection(GraphKeys.TRAINABLE_VARIABLES, scope=scope_name)
            train_ops.append(optimizer.minimize(loss, var_list=variables))
        with control_dependencies([group(*train_ops)]):
            return assign_add(step, 1).op

    return head.create_estimator_spec(  # type: ignore[no-any-return]
        features=features, mode=mode, labels=labels, train_op_fn=train_op_fn, logits=logits
    )


class _Combined(Estimator):
    def __init__(
        self, head: Any, model_dir: Any, linear_feature_columns: Any, linear_optimizer: Any, dnn_feature_columns: Any,
        dnn_optimizer: Any, dnn_hidden_units: Any, dnn_activation_fn: Any, dnn_dropout: float | None,
        input_layer_partitioner: Any, config: Any, warm_start_from: Any, batch_norm: bool, linear_sparse_combiner: str,
    ) -> None:  # fmt: skip
        self._feature_columns = [*(linear_feature_columns or ()), *(dnn_feature_columns or ())]
        if not self._feature_columns:
            raise ValueError(NO_COLUMNS)

        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
            return _combined_model(
                features, labels, mode, head, linear_feature_columns, linear_optimizer, dnn_feature_columns,
                dnn_optimizer, dnn_hidden_units, dnn_activation_fn, dnn_dropout, input_layer_partitioner, config,
                batch_norm, linear_sparse_combiner,
            )  # fmt: skip

        super().__init__(model_fn, model_dir=model_dir, config=config, warm_start_from=warm_start_from)


class DNNLinearCombinedClassifier(_Combined):
    """Classes by the sum of the logits of a linear and of a deep model, trained together.

    Args:
      linear_feature_columns, dnn_feature_columns: what each of the two reads; one of them may be missing.
      linear_optimizer, dnn_optimizer: how each is trained: an optimizer, a function that makes one, or a name.
      dnn_hidden_units: the sizes of the layers of the deep one.
      n_classes: how many classes there are; labels are the numbers below, or words of ``label_vocabulary``.

    Raises:
      ValueError: there are no columns.
    """

    def __init__(
        self, model_dir: Any = None, linear_feature_columns: Any = None, linear_optimizer: Any = "Ftrl",
        dnn_feature_columns: Any = None, dnn_optimizer: Any = "Adagrad", dnn_hidden_units: Sequence[int] | None = None,
        dnn_activation_fn: Any = relu, dnn_dropout: float | None = None, n_classes: int = 2, weight_column: Any = None,
        label_vocabulary: Any = None, input_layer_partitioner: Any = None, config: Any = None,
        warm_start_from: Any = None, loss_reduction: str = Reduction.SUM, batch_norm: bool = False,
        linear_sparse_combiner: str = "sum",
    ) -> None:  # fmt: skip
        head = binary_or_multi_class_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(
            head, model_dir, linear_feature_columns, linear_optimizer, dnn_feature_columns, dnn_optimizer,
            dnn_hidden_units, dnn_activation_fn, dnn_dropout, input_layer_partitioner, config, warm_start_from,
            batch_norm, linear_sparse_combiner,
        )  # fmt: skip


class DNNLinearCombinedRegressor(_Combined):
    """Numbers as the sum of a linear and a deep model; arguments as of ``DNNLinearCombinedClassifier``."""

    def __init__(
        self, model_dir: Any = None, linear_feature_columns: Any = None, linear_optimizer: Any = "Ftrl",
        dnn_feature_columns: Any = None, dnn_optimizer: Any = "Adagrad", dnn_hidden_units: Sequence[int] | None = None,
        dnn_activation_fn: Any = relu, dnn_dropout: float | None = None, label_dimension: int = 1,
        weight_column: Any = None, input_layer_partitioner: Any = None, config: Any = None,
        warm_start_from: Any = None, loss_reduction: str = Reduction.SUM, batch_norm: bool = False,
        linear_sparse_combiner: str = "sum",
    ) -> None:  # fmt: skip
        head = RegressionHead(weight_column, label_dimension, loss_reduction)
        super().__init__(
            head, model_dir, linear_feature_columns, linear_optimizer, dnn_feature_columns, dnn_optimizer,
            dnn_hidden_units, dnn_activation_fn, dnn_dropout, input_layer_partitioner, config, warm_start_from,
            batch_norm, linear_sparse_combiner,
        )  # fmt: skip


class DNNLinearCombinedEstimator(_Combined):
    """A linear and a deep model under a head of the user; arguments as of ``DNNLinearCombinedClassifier``."""

    def __init__(
        self, head: Any, model_dir: Any = None, linear_feature_columns: Any = None, linear_optimizer: Any = "Ftrl",
        dnn_feature_columns: Any = None, dnn_optimizer: Any = "Adagrad", dnn_hidden_units: Sequence[int] | None = None,
        dnn_activation_fn: Any = relu, dnn_dropout: float | None = None, input_layer_partitioner: Any = None,
        config: Any = None, linear_sparse_combiner: str = "sum",
    ) -> None:  # fmt: skip
        super().__init__(
            head, model_dir, linear_feature_columns, linear_optimizer, dnn_feature_columns, dnn_optimizer,
            dnn_hidden_units, dnn_activation_fn, dnn_dropout, input_layer_partitioner, config, None, False,
            linear_sparse_combiner,
        )  # fmt: skip
