"""The ready models of ``tf.compat.v2.estimator``: heads and optimizers of Keras, losses that are means.

Source: ``tensorflow_estimator`` 1.15.1, ``canned/{baseline,dnn,dnn_linear_combined,linear}.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from retrograd.estimator.canned.baseline import constant_logits
from retrograd.estimator.canned.combined import NO_COLUMNS, NO_UNITS
from retrograd.estimator.canned.dnn import Network, summarize_layer
from retrograd.estimator.canned.linear import check_features, linear_model_and_logits
from retrograd.estimator.class_heads import BinaryClassHead, MultiClassHead
from retrograd.estimator.estimator import EstimatorV2
from retrograd.estimator.number_heads import RegressionHead
from retrograd.estimator.specs import EstimatorSpec, ModeKeys
from retrograd.graph.scopes import name_scope
from retrograd.graph.tensor import Tensor
from retrograd.keras import optimizers
from retrograd.keras.layers.normalizing import BatchNormalizationV2
from retrograd.keras.losses import Reduction
from retrograd.keras.optimizer_v2 import OptimizerV2
from retrograd.ops.activations import relu
from retrograd.ops.control import group
from retrograd.state.scopes import variable_scope
from retrograd.train.training_util import get_or_create_global_step

_MEAN = Reduction.SUM_OVER_BATCH_SIZE
_BY_NAME = {
    "Adagrad": optimizers.Adagrad, "Adam": optimizers.Adam, "Ftrl": optimizers.Ftrl, "RMSProp": optimizers.RMSprop,
    "SGD": optimizers.SGD,
}  # fmt: skip
_RATES = {"dnn": None, "linear": 0.2, "baseline": 0.3}
_COMBINED_RATES = {"dnn": 0.001, "linear": 0.005}


def get_optimizer_instance_v2(opt: Any, learning_rate: float | None = None) -> Any:
    """The optimizer of Keras of a name; the one that a function makes; or ``opt`` itself.

    Args:
      learning_rate: of an optimizer that is named; None for its own.

    Raises:
      ValueError: there is no such name, or it is no optimizer of Keras.
    """
    if isinstance(opt, str):
        if opt not in _BY_NAME:
            raise ValueError(f"Unsupported optimizer name: {opt}. Supported names are: {tuple(sorted(_BY_NAME))}")
        return _BY_NAME[opt](**({"learning_rate": learning_rate} if learning_rate else {}))
    if callable(opt):
        opt = opt()
    if not isinstance(opt, OptimizerV2):
        raise ValueError(f"The given object is not a tf.keras.optimizers.Optimizer instance. Given: {opt}")
    return opt


class _Network(Network):
    """A deep model whose batches are normalized as by Keras, and whose summaries stand in no scope."""

    @staticmethod
    def _summarize(value: Any, tag: str) -> None:
        with name_scope(""):
            summarize_layer(value, tag)

    def _norm(self, i: int) -> Any:
        return BatchNormalizationV2(momentum=0.999, trainable=True, name=f"hiddenlayer_{i}/batchnorm_{i}")


class _Half(NamedTuple):
    """A model: its logits, what is trained, what else runs with a step, and the optimizer."""

    logits: Tensor
    variables: list[Any]
    updates: list[Any]
    optimizer: Any


def _deep(
    features: Any, mode: str, units: int, columns: Sequence[Any], optimizer: Any, hidden_units: Sequence[int],
    activation_fn: Any, dropout: float | None, batch_norm: bool,
) -> _Half:  # fmt: skip
    with variable_scope("dnn", auxiliary_name_scope=False):
        model = _Network(units, hidden_units, columns, activation_fn, dropout, None, batch_norm, "dnn")
        return _Half(model(features, mode), model.trainable_variables, model.updates, optimizer)


def _linear(features: Any, units: int, columns: Sequence[Any], optimizer: Any, combiner: str, name: str = "") -> _Half:
    with variable_scope("linear", auxiliary_name_scope=False):
        model, logits = linear_model_and_logits(features, units, columns, combiner)
        if name:
            summarize_layer(logits, name)
        return _Half(logits, model.trainable_variables, model.updates, optimizer)


def _spec(
    head: Any, features: Any, labels: Any, mode: str, halves: Sequence[_Half], rates: Sequence[float | None]
) -> EstimatorSpec:
    """The model whose logits are the sum of those of its halves; the first one's optimizer counts the steps."""
    logits = halves[0].logits if len(halves) == 1 else halves[0].logits + halves[1].logits
    chosen: list[Any] = []
    if mode == ModeKeys.TRAIN:
        chosen = [get_optimizer_instance_v2(half.optimizer, rate) for half, rate in zip(halves, rates, strict=True)]
        chosen[0].iterations = get_or_create_global_step()

    def train_op_fn(loss: Any) -> Any:
        pairs = zip(chosen, halves, strict=True)
        return group(*[optimizer.get_updates(loss, half.variables)[0] for optimizer, half in pairs])

    updates = [update for half in halves for update in half.updates]
    settings: dict[str, Any] = {"train_op_fn": train_op_fn}
    if len(halves) == 1:
        settings = {"optimizer": chosen[0] if chosen else None, "trainable_variables": halves[0].variables}
    return head.create_estimator_spec(  # type: ignore[no-any-return]
        features=features, mode=mode, labels=labels, logits=logits, update_ops=updates, **settings
    )


def _class_head(n_classes: int, weight_column: Any, label_vocabulary: Any, loss_reduction: str) -> Any:
    if n_classes == 2:
        return BinaryClassHead(
            weight_column=weight_column, label_vocabulary=label_vocabulary, loss_reduction=loss_reduction
        )
    return MultiClassHead(n_classes, weight_column, label_vocabulary, loss_reduction)


def _number_head(label_dimension: int, weight_column: Any, loss_reduction: str) -> Any:
    return RegressionHead(label_dimension, weight_column, loss_reduction)


def _as_columns(columns: Any) -> tuple[Any, ...]:
    columns = tuple(columns or ())
    if not columns:
        raise ValueError("feature_columns must not be empty.")
    return columns


# -- deep models ---------------------------------------------------------------------------------


class DNNEstimatorV2(EstimatorV2):
    """A network of dense layers under a head of the user; arguments as of ``DNNClassifierV2``."""

    def __init__(
        self, head: Any, hidden_units: Sequence[int], feature_columns: Any, model_dir: Any = None,
        optimizer: Any = "Adagrad", activation_fn: Any = relu, dropout: float | None = None, config: Any = None,
        warm_start_from: Any = None, batch_norm: bool = False,
    ) -> None:  # fmt: skip
        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
            check_features(features)
            columns = _as_columns(feature_columns)
            half = _deep(
                features, mode, head.logits_dimension, columns, optimizer, hidden_units, activation_fn, dropout,
                batch_norm,
            )  # fmt: skip
            return _spec(head, features, labels, mode, [half], [_RATES["dnn"]])

        super().__init__(model_fn, model_dir=model_dir, config=config, warm_start_from=warm_start_from)


class DNNClassifierV2(DNNEstimatorV2):
    """Classes by a network of dense layers.

    Args:
      hidden_units: the sizes of the layers.
      feature_columns: what the model reads; categories as embeddings or indicators.
      n_classes: how many classes there are; labels are the numbers below, or words of ``label_vocabulary``.
      weight_column: the feature that weighs the examples.
      optimizer: an optimizer of Keras, a function that makes one, or a name: Adagrad, Adam, Ftrl, RMSProp, SGD.
      dropout: the probability with which each number behind a layer is dropped.
      loss_reduction: how the losses of the examples become one.
      batch_norm: whether each layer is normalized over the batch.
    """

    def __init__(
        self, hidden_units: Sequence[int], feature_columns: Any, model_dir: Any = None, n_classes: int = 2,
        weight_column: Any = None, label_vocabulary: Any = None, optimizer: Any = "Adagrad", activation_fn: Any = relu,
        dropout: float | None = None, config: Any = None, warm_start_from: Any = None, loss_reduction: str = _MEAN,
        batch_norm: bool = False,
    ) -> None:  # fmt: skip
        head = _class_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(
            head, hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout, config, warm_start_from,
            batch_norm,
        )  # fmt: skip


class DNNRegressorV2(DNNEstimatorV2):
    """Numbers by a network of dense layers; arguments as of ``DNNClassifierV2``."""

    def __init__(
        self, hidden_units: Sequence[int], feature_columns: Any, model_dir: Any = None, label_dimension: int = 1,
        weight_column: Any = None, optimizer: Any = "Adagrad", activation_fn: Any = relu, dropout: float | None = None,
        config: Any = None, warm_start_from: Any = None, loss_reduction: str = _MEAN, batch_norm: bool = False,
    ) -> None:  # fmt: skip
        head = _number_head(label_dimension, weight_column, loss_reduction)
        super().__init__(
            head, hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout, config, warm_start_from,
            batch_norm,
        )  # fmt: skip


# -- linear models -------------------------------------------------------------------------------


class _LinearV2(EstimatorV2):
    def __init__(
        self, head: Any, feature_columns: Any, model_dir: Any, optimizer: Any, config: Any, warm_start_from: Any,
        sparse_combiner: str,
    ) -> None:  # fmt: skip
        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
            check_features(features)
            half = _linear(features, head.logits_dimension, _as_columns(feature_columns), optimizer, sparse_combiner)
            return _spec(head, features, labels, mode, [half], [_RATES["linear"]])

        super().__init__(model_fn, model_dir=model_dir, config=config, warm_start_from=warm_start_from)


class LinearClassifierV2(_LinearV2):
    """Classes by the sums of features times weights; arguments as of ``DNNClassifierV2``.

    Args:
      sparse_combiner: ``"sum"``, ``"mean"`` or ``"sqrtn"`` of the weights of an example's categories.
    """

    def __init__(
        self, feature_columns: Any, model_dir: Any = None, n_classes: int = 2, weight_column: Any = None,
        label_vocabulary: Any = None, optimizer: Any = "Ftrl", config: Any = None, warm_start_from: Any = None,
        loss_reduction: str = _MEAN, sparse_combiner: str = "sum",
    ) -> None:  # fmt: skip
        head = _class_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(head, feature_columns, model_dir, optimizer, config, warm_start_from, sparse_combiner)


class LinearRegressorV2(_LinearV2):
    """Numbers as the sums of features times weights; arguments as of ``LinearClassifierV2``."""

    def __init__(
        self, feature_columns: Any, model_dir: Any = None, label_dimension: int = 1, weight_column: Any = None,
        optimizer: Any = "Ftrl", config: Any = None, warm_start_from: Any = None, loss_reduction: str = _MEAN,
        sparse_combiner: str = "sum",
    ) -> None:  # fmt: skip
        head = _number_head(label_dimension, weight_column, loss_reduction)
        super().__init__(head, feature_columns, model_dir, optimizer, config, warm_start_from, sparse_combiner)


class LinearEstimatorV2(_LinearV2):
    """A linear model under a head of the user; arguments as of ``LinearClassifierV2``."""

    def __init__(
        self, head: Any, feature_columns: Any, model_dir: Any = None, optimizer: Any = "Ftrl", config: Any = None,
        sparse_combiner: str = "sum",
    ) -> None:  # fmt: skip
        super().__init__(head, feature_columns, model_dir, optimizer, config, None, sparse_combiner)


# -- linear and deep models ----------------------------------------------------------------------


class _CombinedV2(EstimatorV2):
    def __init__(self, head: Any, model_dir: Any, config: Any, warm_start_from: Any, **given: Any) -> None:
        if not given["linear_feature_columns"] and not given["dnn_feature_columns"]:
            raise ValueError(NO_COLUMNS)

        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
            check_features(features)
            return _combined(head, features, labels, mode, given)

        super().__init__(model_fn, model_dir=model_dir, config=config, warm_start_from=warm_start_from)


def _combined(head: Any, features: Any, labels: Any, mode: str, given: Mapping[str, Any]) -> EstimatorSpec:
    halves, rates, units = [], [], head.logits_dimension
    if given["dnn_feature_columns"]:
        if not given["dnn_hidden_units"]:
            raise ValueError(NO_UNITS)
        rates.append(_COMBINED_RATES["dnn"])
        halves.append(
            _deep(
                features, mode, units, given["dnn_feature_columns"], given["dnn_optimizer"], given["dnn_hidden_units"],
                given["dnn_activation_fn"], given["dnn_dropout"], given["batch_norm"],
            )
        )  # fmt: skip
    if given["linear_feature_columns"]:
        rates.append(_COMBINED_RATES["linear"])
        columns, combiner = given["linear_feature_columns"], given["linear_sparse_combiner"]
        halves.append(_linear(features, units, columns, given["linear_optimizer"], combiner, "linear"))
    return _spec(head, features, labels, mode, halves, rates)


class DNNLinearCombinedClassifierV2(_CombinedV2):
    """Classes by the sum of the logits of a linear and of a deep model; arguments as of ``DNNClassifierV2``.

    Args:
      linear_feature_columns, dnn_feature_columns: what each of the two reads; one of them may be missing.
      linear_optimizer, dnn_optimizer: how each is trained.
    """

    def __init__(
        self, model_dir: Any = None, linear_feature_columns: Any = None, linear_optimizer: Any = "Ftrl",
        dnn_feature_columns: Any = None, dnn_optimizer: Any = "Adagrad", dnn_hidden_units: Any = None,
        dnn_activation_fn: Any = relu, dnn_dropout: float | None = None, n_classes: int = 2, weight_column: Any = None,
        label_vocabulary: Any = None, config: Any = None, warm_start_from: Any = None, loss_reduction: str = _MEAN,
        batch_norm: bool = False, linear_sparse_combiner: str = "sum",
    ) -> None:  # fmt: skip
        head = _class_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(
            head, model_dir, config, warm_start_from, linear_feature_columns=linear_feature_columns,
            linear_optimizer=linear_optimizer, dnn_feature_columns=dnn_feature_columns, dnn_optimizer=dnn_optimizer,
            dnn_hidden_units=dnn_hidden_units, dnn_activation_fn=dnn_activation_fn, dnn_dropout=dnn_dropout,
            batch_norm=batch_norm, linear_sparse_combiner=linear_sparse_combiner,
        )  # fmt: skip


class DNNLinearCombinedRegressorV2(_CombinedV2):
    """Numbers by the sum of a linear and of a deep model; arguments as of ``DNNLinearCombinedClassifierV2``."""

    def __init__(
        self, model_dir: Any = None, linear_feature_columns: Any = None, linear_optimizer: Any = "Ftrl",
        dnn_feature_columns: Any = None, dnn_optimizer: Any = "Adagrad", dnn_hidden_units: Any = None,
        dnn_activation_fn: Any = relu, dnn_dropout: float | None = None, label_dimension: int = 1,
        weight_column: Any = None, config: Any = None, warm_start_from: Any = None, loss_reduction: str = _MEAN,
        batch_norm: bool = False, linear_sparse_combiner: str = "sum",
    ) -> None:  # fmt: skip
        head = _number_head(label_dimension, weight_column, loss_reduction)
        super().__init__(
            head, model_dir, config, warm_start_from, linear_feature_columns=linear_feature_columns,
            linear_optimizer=linear_optimizer, dnn_feature_columns=dnn_feature_columns, dnn_optimizer=dnn_optimizer,
            dnn_hidden_units=dnn_hidden_units, dnn_activation_fn=dnn_activation_fn, dnn_dropout=dnn_dropout,
            batch_norm=batch_norm, linear_sparse_combiner=linear_sparse_combiner,
        )  # fmt: skip


class DNNLinearCombinedEstimatorV2(_CombinedV2):
    """A linear and a deep model under a head of the user; arguments as of ``DNNLinearCombinedClassifierV2``."""

    def __init__(
        self, head: Any, model_dir: Any = None, linear_feature_columns: Any = None, linear_optimizer: Any = "Ftrl",
        dnn_feature_columns: Any = None, dnn_optimizer: Any = "Adagrad", dnn_hidden_units: Any = None,
        dnn_activation_fn: Any = relu, dnn_dropout: float | None = None, config: Any = None,
        linear_sparse_combiner: str = "sum",
    ) -> None:  # fmt: skip
        super().__init__(
            head, model_dir, config, None, linear_feature_columns=linear_feature_columns,
            linear_optimizer=linear_optimizer, dnn_feature_columns=dnn_feature_columns, dnn_optimizer=dnn_optimizer,
            dnn_hidden_units=dnn_hidden_units, dnn_activation_fn=dnn_activation_fn, dnn_dropout=dnn_dropout,
            batch_norm=False, linear_sparse_combiner=linear_sparse_combiner,
        )  # fmt: skip


# -- models that do not look at features ---------------------------------------------------------


class BaselineEstimatorV2(EstimatorV2):
    """The same logits for each example, under a head of the user."""

    def __init__(self, head: Any, model_dir: Any = None, optimizer: Any = "Ftrl", config: Any = None) -> None:
        super().__init__(_baseline(head, optimizer, None), model_dir=model_dir, config=config)


def _baseline(head: Any, optimizer: Any, weight_column: Any) -> Callable[..., EstimatorSpec]:
    def model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
        bias, logits = constant_logits(features, head.logits_dimension, weight_column, use_resource=True)
        half = _Half(logits, [bias], [], optimizer)
        return _spec(head, features, labels, mode, [half], [_RATES["baseline"]])

    return model_fn


class BaselineClassifierV2(EstimatorV2):
    """The frequencies of the classes, whatever the features."""

    def __init__(
        self, model_dir: Any = None, n_classes: int = 2, weight_column: Any = None, label_vocabulary: Any = None,
        optimizer: Any = "Ftrl", config: Any = None, loss_reduction: str = _MEAN,
    ) -> None:  # fmt: skip
        head = _class_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(_baseline(head, optimizer, weight_column), model_dir=model_dir, config=config)


class BaselineRegressorV2(EstimatorV2):
    """The mean of the labels, whatever the features."""

    def __init__(
        self, model_dir: Any = None, label_dimension: int = 1, weight_column: Any = None, optimizer: Any = "Ftrl",
        config: Any = None, loss_reduction: str = _MEAN,
    ) -> None:  # fmt: skip
        head = _number_head(label_dimension, weight_column, loss_reduction)
        super().__init__(_baseline(head, optimizer, weight_column), model_dir=model_dir, config=config)
