"""Linear models: ``LinearClassifier``, ``LinearRegressor`` and ``LinearEstimator``.

Source: ``tensorflow_estimator`` 1.15.1, ``canned/linear.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

from retrograd.estimator.canned.coordinate_ascent import LOSSES, LinearSDCA, UpdateWeightsHook, check_usable, loss_under
from retrograd.estimator.canned.heads import RegressionHead, binary_or_multi_class_head
from retrograd.estimator.canned.optimizers import get_optimizer_instance
from retrograd.estimator.estimator import Estimator
from retrograd.estimator.heads import Head as SecondHead
from retrograd.estimator.specs import EstimatorSpec, ModeKeys
from retrograd.feature_column.layers import LinearModel
from retrograd.feature_column.models import LinearModelV1
from retrograd.feature_column.protocol import is_feature_column_v2
from retrograd.graph import dtypes, nest
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.nn import summaries
from retrograd.nn.activations import zero_fraction
from retrograd.nn.losses import Reduction
from retrograd.ops import arrays, casts, comparison, constants
from retrograd.ops.conditions import cond
from retrograd.ops.sums import add_n
from retrograd.state.partitioned import PartitionedVariable, min_max_variable_partitioner
from retrograd.state.scopes import variable_scope
from retrograd.train.ftrl import FtrlOptimizer
from retrograd.train.training_util import get_global_step

_LEARNING_RATE = 0.2
SLICE_OF_COLUMNS = 64 << 20  # the bytes from which on parameter servers share a column's variable


def servers(config: Any) -> int:
    """How many parameter servers there are."""
    return config.num_ps_replicas if config else 0


def check_features(features: Any) -> None:
    """Raise ``ValueError`` unless the features are tensors by key."""
    if not isinstance(features, dict):
        raise ValueError(f"features should be a dictionary of `Tensor`s. Given type: {type(features)}")


def _parts(variables: Any) -> list[Any]:
    parts: list[Any] = []
    for variable in variables:
        parts += variable if isinstance(variable, PartitionedVariable | list) else [variable]
    return parts


def _fraction_of_zero(variables: list[Any]) -> Tensor:
    """The part of all elements of the variables that is 0."""
    with name_scope("zero_fraction"):
        variables = nest.flatten(variables)
        with name_scope("total_size"):
            sizes = [arrays.size(x, out_type=dtypes.int64) for x in variables]
            total = add_n(sizes)
        with name_scope("total_zero"):
            zeros = add_n([_zeros(x, size) for x, size in zip(variables, sizes, strict=True)])
        with name_scope("compute"):
            fraction = zeros / casts.cast(total, dtype=dtypes.float32, name="float32_size")
        return arrays.identity(fraction, name="zero_fraction_or_nan")


def _zeros(x: Any, size: Tensor) -> Any:
    return cond(
        comparison.equal(size, constants.constant(0, dtype=dtypes.int64)),
        true_fn=lambda: constants.constant(0, dtype=dtypes.float32),
        false_fn=lambda: zero_fraction(x) * casts.to_float(size),
        name="zero_count",
    )


def linear_logit_fn_builder(
    units: int, feature_columns: Any, sparse_combiner: str = "sum"
) -> Callable[[dict[str, Any]], Tensor]:
    """A function from features to the logits of a linear model; it summarizes bias and weights."""

    def linear_logit_fn(features: dict[str, Any]) -> Tensor:
        model: Any
        if is_feature_column_v2(feature_columns):
            return linear_model_and_logits(features, units, feature_columns, sparse_combiner)[1]
        model = LinearModelV1(feature_columns, units, sparse_combiner, name="linear_model")
        logits = model(features)
        of_columns = dict(model.cols_to_vars())
        bias = of_columns.pop("bias")
        _summarize(bias, list(of_columns.values()), units)
        return logits  # type: ignore[no-any-return]

    return linear_logit_fn


def linear_model_and_logits(
    features: dict[str, Any], units: int, feature_columns: Any, sparse_combiner: str
) -> tuple[LinearModel, Tensor]:
    """A linear model and its logits; bias and weights are summarized."""
    model = LinearModel(feature_columns, units, sparse_combiner, name="linear_model")
    return model, _logits_of(model, features)


def _logits_of(model: LinearModel, features: dict[str, Any]) -> Tensor:
    logits = model(features)
    weights = [v for v in model.variables if v is not model.bias]
    _summarize(_parts([model.bias]), weights, model.layer.units)
    return logits  # type: ignore[no-any-return]


def _summarize(bias: list[Any], weights: list[Any], units: int) -> None:
    if units > 1:
        summaries.histogram("bias", bias)
    else:
        summaries.scalar("bias", bias[0][0])
    summaries.scalar("fraction_of_zero_weights", _fraction_of_zero(_parts(weights)))


def _by_ascent(
    features: Any, labels: Any, mode: str, head: Any, feature_columns: tuple[Any, ...], optimizer: LinearSDCA
) -> EstimatorSpec:
    """The linear model trained by coordinate ascent, in whose steps a hook brings the weights to the model."""
    loss_type = loss_under(head, LOSSES)
    with variable_scope("linear") if isinstance(head, SecondHead) else nullcontext():
        model, logits = linear_model_and_logits(features, head.logits_dimension, feature_columns, "sum")
    hooks, step = [], None
    if mode == ModeKeys.TRAIN:
        ascent, step = optimizer.get_train_step(
            model.layer.state_manager, head._weight_column, loss_type, feature_columns, features, labels, model.bias,
            get_global_step(),
        )  # fmt: skip
        hooks.append(UpdateWeightsHook(ascent, step))
    spec = head.create_estimator_spec(
        features=features, mode=mode, labels=labels, train_op_fn=lambda loss: step, logits=logits
    )
    return spec._replace(training_chief_hooks=(*spec.training_chief_hooks, *hooks))  # type: ignore[no-any-return]


def _linear_model(
    features: Any, labels: Any, mode: str, head: Any, feature_columns: tuple[Any, ...], optimizer: Any,
    partitioner: Any, config: Any, sparse_combiner: str,
) -> EstimatorSpec:  # fmt: skip
    check_features(features)
    partitioner = partitioner or min_max_variable_partitioner(
        max_partitions=servers(config), min_slice_size=SLICE_OF_COLUMNS
    )
    with variable_scope("linear", values=tuple(features.values()), partitioner=partitioner):
        if isinstance(optimizer, LinearSDCA):
            return _by_ascent(features, labels, mode, head, feature_columns, optimizer)
        logits = linear_logit_fn_builder(head.logits_dimension, feature_columns, sparse_combiner)(features)
        if not optimizer:
            optimizer = FtrlOptimizer(min(_LEARNING_RATE, 1.0 / math.sqrt(len(feature_columns))))
        optimizer = get_optimizer_instance(optimizer, learning_rate=_LEARNING_RATE)
        return head.create_estimator_spec(  # type: ignore[no-any-return]
            features=features, mode=mode, labels=labels, optimizer=optimizer, logits=logits
        )


class _Linear(Estimator):
    def __init__(
        self, head: Any, feature_columns: Any, model_dir: Any, optimizer: Any, config: Any, partitioner: Any,
        warm_start_from: Any, sparse_combiner: str,
    ) -> None:  # fmt: skip
        if isinstance(optimizer, LinearSDCA):
            check_usable(feature_columns, sparse_combiner)

        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
            return _linear_model(
                features, labels, mode, head, tuple(feature_columns or ()), optimizer, partitioner, config,
                sparse_combiner,
            )  # fmt: skip

        super().__init__(model_fn, model_dir=model_dir, config=config, warm_start_from=warm_start_from)


class LinearClassifier(_Linear):
    """Classes by the sums of features times weights.

    Args:
      feature_columns: what the model reads.
      n_classes: how many classes there are; labels are the numbers below, or words of ``label_vocabulary``.
      weight_column: the feature that weighs the examples.
      optimizer: an optimizer, a function that makes one, or a name: Adagrad, Adam, Ftrl, RMSProp, SGD; or a
        ``LinearSDCA``.
      partitioner: cuts the variables into parts.
      sparse_combiner: ``"sum"``, ``"mean"`` or ``"sqrtn"`` of the weights of an example's categories.
    """

    def __init__(
        self, feature_columns: Any, model_dir: Any = None, n_classes: int = 2, weight_column: Any = None,
        label_vocabulary: Any = None, optimizer: Any = "Ftrl", config: Any = None, partitioner: Any = None,
        warm_start_from: Any = None, loss_reduction: str = Reduction.SUM, sparse_combiner: str = "sum",
    ) -> None:  # fmt: skip
        if isinstance(optimizer, LinearSDCA) and n_classes > 2:
            raise ValueError("LinearSDCA cannot be used in a multi-class setting.")
        head = binary_or_multi_class_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(
            head, feature_columns, model_dir, optimizer, config, partitioner, warm_start_from, sparse_combiner
        )


class LinearRegressor(_Linear):
    """Numbers as the sums of features times weights; arguments as of ``LinearClassifier``."""

    def __init__(
        self, feature_columns: Any, model_dir: Any = None, label_dimension: int = 1, weight_column: Any = None,
        optimizer: Any = "Ftrl", config: Any = None, partitioner: Any = None, warm_start_from: Any = None,
        loss_reduction: str = Reduction.SUM, sparse_combiner: str = "sum",
    ) -> None:  # fmt: skip
        if isinstance(optimizer, LinearSDCA) and label_dimension > 1:
            raise ValueError("LinearSDCA can only be used with one-dimensional label.")
        head = RegressionHead(weight_column, label_dimension, loss_reduction)
        super().__init__(
            head, feature_columns, model_dir, optimizer, config, partitioner, warm_start_from, sparse_combiner
        )


class LinearEstimator(_Linear):
    """A linear model under a head of the user; arguments as of ``LinearClassifier``."""

    def __init__(
        self, head: Any, feature_columns: Any, model_dir: Any = None, optimizer: Any = "Ftrl", config: Any = None,
        partitioner: Any = None, sparse_combiner: str = "sum",
    ) -> None:  # fmt: skip
        super().__init__(head, feature_columns, model_dir, optimizer, config, partitioner, None, sparse_combiner)
