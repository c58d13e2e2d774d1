"""Deep models: ``DNNClassifier``, ``DNNRegressor`` and ``DNNEstimator``.

Source: ``tensorflow_estimator`` 1.15.1, ``canned/dnn.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from retrograd.estimator.canned.heads import RegressionHead, binary_or_multi_class_head
from retrograd.estimator.canned.linear import SLICE_OF_COLUMNS, check_features, servers
from retrograd.estimator.canned.optimizers import get_optimizer_instance
from retrograd.estimator.estimator import Estimator
from retrograd.estimator.specs import EstimatorSpec, ModeKeys
from retrograd.feature_column.layers import DenseFeatures
from retrograd.feature_column.models import InputLayer
from retrograd.feature_column.protocol import is_feature_column_v2
from retrograd.graph.scopes import get_name_scope, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.keras.models import Model
from retrograd.nn import summaries
from retrograd.nn.activations import zero_fraction
from retrograd.nn.layers.core import Dense, Dropout
from retrograd.nn.layers.normalization import BatchNormalization
from retrograd.nn.losses import Reduction
from retrograd.ops.activations import relu
from retrograd.state.initializers import GlorotUniform
from retrograd.state.partitioned import min_max_variable_partitioner
from retrograd.state.scopes import variable_scope

_LEARNING_RATE = 0.05


def summarize_layer(value: Any, tag: str) -> None:
    """How many of the values are 0, and how they are distributed."""
    summaries.scalar(f"{tag}/fraction_of_zero_values", zero_fraction(value))
    summaries.histogram(f"{tag}/activation", value)


class Network(Model):
    """Columns, then dense layers, each with its dropout and normalization, then the logits."""

    def __init__(
        self, units: int, hidden_units: Sequence[int], feature_columns: Any, activation_fn: Any, dropout: float | None,
        input_layer_partitioner: Any, batch_norm: bool, name: str,
    ) -> None:  # fmt: skip
        super().__init__(name=name)
        if is_feature_column_v2(feature_columns):
            self._input_layer: Any = DenseFeatures(feature_columns, name="input_layer")
        else:
            self._input_layer = InputLayer(feature_columns, name="input_layer", create_scope_now=False)
        self._partitioner = input_layer_partitioner
        self._hidden: list[tuple[str, Dense, Dropout | None, BatchNormalization | None]] = []
        for i, count in enumerate(hidden_units):
            with variable_scope(f"hiddenlayer_{i}") as scope:
                dense = self._dense(count, activation_fn, scope)
                drop = None if dropout is None else Dropout(rate=dropout)
                norm = None
                if batch_norm:
                    norm = self._norm(i)
                    setattr(self, norm.name, norm)
                self._hidden.append((scope.name, dense, drop, norm))
        with variable_scope("logits") as scope:
            self._logits, self._logits_name = self._dense(units, None, scope), scope.name

    _summarize = staticmethod(summarize_layer)

    def _norm(self, i: int) -> Any:
        name = f"batchnorm_{i}"
        return BatchNormalization(momentum=0.999, trainable=True, name=name, _scope=name)

    def _dense(self, units: int, activation: Any, scope: Any) -> Dense:
        layer = Dense(units, activation, kernel_initializer=GlorotUniform(), name=scope, _scope=scope)
        setattr(self, scope.name, layer)
        return layer

    def call(self, features: dict[str, Any], mode: str) -> Tensor:  # type: ignore[override]
        """The logits."""
        is_training = mode == ModeKeys.TRAIN
        with name_scope(get_name_scope().rsplit("/", 1)[0] + "/"):
            with variable_scope("input_from_feature_columns", partitioner=self._partitioner):
                net = self._input_layer(features)
            for name, dense, drop, norm in self._hidden:
                net = dense(net)
                if drop is not None and is_training:
                    net = drop(net, training=True)
                if norm is not None:
                    net = norm(net, training=is_training)
                self._summarize(net, name)
            logits = self._logits(net)
            self._summarize(logits, self._logits_name)
            return logits  # type: ignore[no-any-return]


def dnn_logit_fn_builder(
    units: int, hidden_units: Sequence[int], feature_columns: Any, activation_fn: Any, dropout: float | None,
    input_layer_partitioner: Any, batch_norm: bool,
) -> Callable[[dict[str, Any], str], Tensor]:  # fmt: skip
    """A function from features and a mode to the logits of a deep model.

    Raises:
      ValueError: ``units`` is no number.
    """
    if not isinstance(units, int):
        raise ValueError(f"units must be an int.  Given type: {type(units)}")

    def dnn_logit_fn(features: dict[str, Any], mode: str) -> Tensor:
        model = Network(
            units, hidden_units, feature_columns, activation_fn, dropout, input_layer_partitioner, batch_norm, "dnn"
        )
        return model(features, mode)  # type: ignore[no-any-return]

    return dnn_logit_fn


def _dnn_model(
    features: Any, labels: Any, mode: str, head: Any, hidden_units: Sequence[int], feature_columns: tuple[Any, ...],
    optimizer: Any, activation_fn: Any, dropout: float | None, input_layer_partitioner: Any, config: Any,
    batch_norm: bool,
) -> EstimatorSpec:  # fmt: skip
    optimizer = get_optimizer_instance(optimizer, learning_rate=_LEARNING_RATE)
    check_features(features)
    partitioner = min_max_variable_partitioner(max_partitions=servers(config))
    with variable_scope("dnn", values=tuple(features.values()), partitioner=partitioner):
        of_columns = input_layer_partitioner or min_max_variable_partitioner(
            max_partitions=servers(config), min_slice_size=SLICE_OF_COLUMNS
        )
        logit_fn = dnn_logit_fn_builder(
            head.logits_dimension, hidden_units, feature_columns, activation_fn, dropout, of_columns, batch_norm
        )
        logits = logit_fn(features, mode)
        return head.create_estimator_spec(  # type: ignore[no-any-return]
            features=features, mode=mode, labels=labels, optimizer=optimizer, logits=logits
        )


class _Deep(Estimator):
    def __init__(
        self, head: Any, hidden_units: Sequence[int], feature_columns: Any, model_dir: Any, optimizer: Any,
        activation_fn: Any, dropout: float | None, input_layer_partitioner: Any, config: Any, warm_start_from: Any,
        batch_norm: bool,
    ) -> None:  # fmt: skip
        def model_fn(features: Any, labels: Any, mode: str, config: Any) -> EstimatorSpec:
            return _dnn_model(
                features, labels, mode, head, hidden_units, tuple(feature_columns or ()), optimizer, activation_fn,
                dropout, input_layer_partitioner, config, batch_norm,
            )  # fmt: skip

        super().__init__(model_fn, model_dir=model_dir, config=config, warm_start_from=warm_start_from)


class DNNClassifier(_Deep):
    """Classes by a network of dense layers.

    Args:
      hidden_units: the sizes of the layers.
      feature_columns: what the model reads; categories as embeddings or indicators.
      n_classes: how many classes there are; labels are the numbers below, or words of ``label_vocabulary``.
      weight_column: the feature that weighs the examples.
      optimizer: an optimizer, a function that makes one, or a name: Adagrad, Adam, Ftrl, RMSProp, SGD.
      dropout: the probability with which each number behind a layer is dropped.
      input_layer_partitioner: cuts the columns' variables into parts.
      batch_norm: whether each layer is normalized over the batch.
    """

    def __init__(
        self, hidden_units: Sequence[int], feature_columns: Any, model_dir: Any = None, n_classes: int = 2,
        weight_column: Any = None, label_vocabulary: Any = None, optimizer: Any = "Adagrad", activation_fn: Any = relu,
        dropout: float | None = None, input_layer_partitioner: Any = None, config: Any = None,
        warm_start_from: Any = None, loss_reduction: str = Reduction.SUM, batch_norm: bool = False,
    ) -> None:  # fmt: skip
        head = binary_or_multi_class_head(n_classes, weight_column, label_vocabulary, loss_reduction)
        super().__init__(
            head, hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout,
            input_layer_partitioner, config, warm_start_from, batch_norm,
        )  # fmt: skip


class DNNRegressor(_Deep):
    """Numbers by a network of dense layers; arguments as of ``DNNClassifier``."""

    def __init__(
        self, hidden_units: Sequence[int], feature_columns: Any, model_dir: Any = None, label_dimension: int = 1,
        weight_column: Any = None, optimizer: Any = "Adagrad", activation_fn: Any = relu,
        dropout: float | None = None, input_layer_partitioner: Any = None, config: Any = None,
        warm_start_from: Any = None, loss_reduction: str = Reduction.SUM, batch_norm: bool = False,
    ) -> None:  # fmt: skip
        head = RegressionHead(weight_column, label_dimension, loss_reduction)
        super().__init__(
            head, hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout,
            input_layer_partitioner, config, warm_start_from, batch_norm,
        )  # fmt: skip


class DNNEstimator(_Deep):
    """A network of dense layers under a head of the user; arguments as of ``DNNClassifier``."""

    def __init__(
        self, head: Any, hidden_units: Sequence[int], feature_columns: Any, model_dir: Any = None,
        optimizer: Any = "Adagrad", activation_fn: Any = relu, dropout: float | None = None,
        input_layer_partitioner: Any = None, config: Any = None, warm_start_from: Any = None, batch_norm: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(
            head, hidden_units, feature_columns, model_dir, optimizer, activation_fn, dropout,
            input_layer_partitioner, config, warm_start_from, batch_norm,
        )  # fmt: skip
