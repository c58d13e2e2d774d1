"""Functions of columns whose variables live in variable scopes: ``input_layer`` and ``linear_model``."""

from __future__ import annotations

from typing import Any

from retrograd.feature_column.features import FeatureTransformationCache, LazyBuilder
from retrograd.feature_column.protocol import (
    FeatureColumn,
    OldCategoricalColumn,
    OldColumn,
    OldDenseColumn,
    as_columns,
    by_name,
    check_batch_sizes,
)
from retrograd.feature_column.sums import weighted_sum
from retrograd.graph.collections import GraphKeys
from retrograd.graph.scopes import add_to_collection, get_collection, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.keras.models import Model
from retrograd.nn.layers.base import Layer
from retrograd.ops import arrays, joining
from retrograd.ops.biases import bias_add
from retrograd.ops.sums import add_n
from retrograd.state.initializers import Zeros
from retrograd.state.partitioned import PartitionedVariable
from retrograd.state.scopes import get_variable_scope, variable_scope
from retrograd.state.template import make_template


def _with_models(weight_collections: Any) -> list[Any]:
    """The collections that weights join: those given, all variables and those of models."""
    names = list(weight_collections or [])
    return names + [k for k in (GraphKeys.GLOBAL_VARIABLES, GraphKeys.MODEL_VARIABLES) if k not in names]


# -- input_layer -------------------------------------------------------------------------------


def _numbers_of_columns(
    features: dict[str, Any], feature_columns: Any, weight_collections: Any = None, trainable: bool = True,
    cols_to_vars: Any = None, scope: Any = None, cols_to_output_tensors: Any = None, from_template: bool = False,
) -> Tensor:  # fmt: skip
    columns = as_columns(feature_columns, OldColumn, "_FeatureColumn")
    for column in columns:
        if not isinstance(column, OldDenseColumn):
            raise ValueError(
                "Items of feature_columns must be a _DenseColumn. You can wrap a categorical column with an "
                f"embedding_column or indicator_column. Given: {column}"
            )
    weight_collections = _with_models(weight_collections)

    def numbers() -> Tensor:
        builder = LazyBuilder(features)
        outputs = []
        for column in by_name(columns):
            with variable_scope(None, default_name=column._var_scope_name):
                tensor = column._get_dense_tensor(builder, weight_collections=weight_collections, trainable=trainable)
                count = column._variable_shape.num_elements()
                batch_size = arrays.shape(tensor)[0]
                outputs.append(arrays.reshape(tensor, shape=(batch_size, count)))
                if cols_to_vars is not None:
                    scope_name = get_variable_scope().name
                    cols_to_vars[column] = get_collection(GraphKeys.GLOBAL_VARIABLES, scope=scope_name)
                if cols_to_output_tensors is not None:
                    cols_to_output_tensors[column] = outputs[-1]
        check_batch_sizes(outputs, by_name(columns))
        return joining.concat(outputs, 1)

    if from_template:
        return numbers()
    with variable_scope(scope, default_name="input_layer", values=list(features.values())):
        return numbers()


def input_layer(
    features: dict[str, Any], feature_columns: Any, weight_collections: Any = None, trainable: bool = True,
    cols_to_vars: Any = None, cols_to_output_tensors: Any = None,
) -> Tensor:  # fmt: skip
    """``[batch, numbers of all columns]``, in the order of the columns' names.

    Args:
      features: tensors by key.
      weight_collections: further collections of the graph that get the variables.
      cols_to_vars, cols_to_output_tensors: dictionaries that get the variables and the numbers of each column.

    Raises:
      ValueError: a column gives no numbers, or a feature is missing.
    """
    return _numbers_of_columns(
        features, feature_columns, weight_collections, trainable, cols_to_vars,
        cols_to_output_tensors=cols_to_output_tensors,
    )  # fmt: skip


class InputLayer:
    """``input_layer`` as an object: every call shares the variables of the first."""

    def __init__(
        self, feature_columns: Any, weight_collections: Any = None, trainable: bool = True, cols_to_vars: Any = None,
        name: str = "feature_column_input_layer", create_scope_now: bool = True,
    ) -> None:  # fmt: skip
        self._feature_columns = feature_columns
        self._weight_collections, self._trainable, self._cols_to_vars = weight_collections, trainable, cols_to_vars
        self.name = name
        self._template = make_template(name, _numbers_of_columns, create_scope_now_=create_scope_now)

    def __call__(self, features: dict[str, Any]) -> Tensor:
        """The numbers of the columns."""
        return self._template(  # type: ignore[no-any-return]
            features=features, feature_columns=self._feature_columns, weight_collections=self._weight_collections,
            trainable=self._trainable, cols_to_vars=None, from_template=True,
        )  # fmt: skip

    def __getattr__(self, name: str) -> Any:
        if name in _OF_TEMPLATES:
            return getattr(self._template, name)
        raise AttributeError(name)


_OF_TEMPLATES = frozenset(
    (
        "variables", "weights", "trainable_variables", "trainable_weights", "non_trainable_variables",
        "non_trainable_weights",
    )
)  # fmt: skip


# -- linear_model ------------------------------------------------------------------------------


def linear_model(
    features: dict[str, Any], feature_columns: Any, units: int = 1, sparse_combiner: str = "sum",
    weight_collections: Any = None, trainable: bool = True, cols_to_vars: Any = None,
) -> Tensor:  # fmt: skip
    """y = sum over the columns of x w, + b, ``[batch, units]``; the weights begin as zeros.

    Args:
      features: tensors by key.
      sparse_combiner: ``"sum"``, ``"mean"`` or ``"sqrtn"`` of the weights of an example's categories.
      weight_collections: further collections of the graph that get the variables.
      cols_to_vars: a dictionary that gets the variables of each column, and those of ``"bias"``.

    Raises:
      ValueError: an item is no column, or a feature is missing.
    """
    with variable_scope(None, "linear_model") as scope:
        name = scope.name.rsplit("/", 1)[-1]
    model = LinearModelV1(
        feature_columns, units=units, sparse_combiner=sparse_combiner, weight_collections=weight_collections,
        trainable=trainable, name=name,
    )  # fmt: skip
    result = model(features)
    if cols_to_vars is not None:
        cols_to_vars.update(model.cols_to_vars())
    return result  # type: ignore[no-any-return]


def _join(variable: Any, collections: list[Any]) -> None:
    for collection in collections:
        if collection != GraphKeys.GLOBAL_VARIABLES:
            for part in variable if isinstance(variable, PartitionedVariable) else [variable]:
                add_to_collection(collection, part)


class _ColumnLayer(Layer):
    """What one column adds."""

    def __init__(
        self, feature_column: Any, units: int, sparse_combiner: str, weight_collections: list[Any], trainable: bool,
        name: str, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(trainable=trainable, name=name, **kwargs)
        self._feature_column, self._units, self._sparse_combiner = feature_column, units, sparse_combiner
        self._weight_collections = weight_collections
        self._count: int | None = None

    def build(self, input_shape: Any) -> None:
        """Make the weights."""
        column = self._feature_column
        if isinstance(column, OldCategoricalColumn):
            rows = column._num_buckets
        else:
            self._count = rows = column._variable_shape.num_elements()
        self._weights = self.add_variable(
            name="weights", shape=(rows, self._units), initializer=Zeros(), trainable=self.trainable
        )
        _join(self._weights, self._weight_collections)
        self.built = True

    def call(self, builder: Any) -> Tensor:
        """The column's sum."""
        column = self._feature_column
        is_categorical = isinstance(column, OldCategoricalColumn)
        read = (column._get_sparse_tensors if is_categorical else column._get_dense_tensor)(
            builder, weight_collections=self._weight_collections, trainable=self.trainable
        )
        return weighted_sum(read, self._weights, self._count, self._sparse_combiner)


class _BiasLayer(Layer):
    """A bias."""

    def __init__(self, units: int, trainable: bool, weight_collections: list[Any], name: str, **kwargs: Any) -> None:
        super().__init__(trainable=trainable, name=name, **kwargs)
        self._units, self._weight_collections = units, weight_collections

    def build(self, input_shape: Any) -> None:
        """Make the bias."""
        self._bias_variable = self.add_variable(
            "bias_weights", shape=[self._units], initializer=Zeros(), trainable=self.trainable
        )
        _join(self._bias_variable, self._weight_collections)
        self.built = True

    def call(self, inputs: Any) -> Any:
        """The bias."""
        return self._bias_variable


class LinearModelV1(Model):
    """``linear_model`` as an object: every call shares the variables of the first."""

    def __init__(
        self, feature_columns: Any, units: int = 1, sparse_combiner: str = "sum", weight_collections: Any = None,
        trainable: bool = True, name: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(name=name, **kwargs)
        self._feature_columns = as_columns(feature_columns, OldColumn, "_FeatureColumn")
        collections = _with_models(weight_collections)
        self._column_layers: dict[str, Any] = {}
        for column in by_name(self._feature_columns):
            with variable_scope(None, default_name=column._var_scope_name) as scope:
                own = scope.name.rsplit("/", 1)[-1]
            layer = _ColumnLayer(column, units, sparse_combiner, collections, trainable, own, **kwargs)
            self._column_layers[own] = layer
            setattr(self, f"layer-{own}", layer)
        self._bias_layer = _BiasLayer(units, trainable, collections, "bias_layer", **kwargs)
        self._cols_to_vars: dict[Any, list[Any]] = {}

    def cols_to_vars(self) -> dict[Any, list[Any]]:
        """The variables of each column, and those of ``"bias"``."""
        return self._cols_to_vars

    def call(self, features: dict[str, Any]) -> Tensor:  # type: ignore[override]
        """The sums, ``[batch, units]``."""
        with variable_scope(self.name):
            for column in self._feature_columns:
                if not isinstance(column, OldDenseColumn | OldCategoricalColumn):
                    raise ValueError(
                        f"Items of feature_columns must be either a _DenseColumn or _CategoricalColumn. Given: {column}"
                    )
            sums, columns = [], []
            builder = LazyBuilder(features)
            for layer in by_name(list(self._column_layers.values())):
                columns.append(layer._feature_column)
                sums.append(layer(builder))
                self._cols_to_vars[columns[-1]] = get_collection(GraphKeys.GLOBAL_VARIABLES, scope=layer.scope_name)
            check_batch_sizes(sums, columns)
            without_bias = add_n(sums, name="weighted_sum_no_bias")
            bias = self._bias_layer(builder, scope=get_variable_scope())
            predictions = bias_add(without_bias, bias, name="weighted_sum")
            made = self._bias_layer.variables[0]
            self._cols_to_vars["bias"] = list(made) if isinstance(made, PartitionedVariable) else [made]
        return predictions


# -- what columns make, one by one -------------------------------------------------------------


def transform_features(features: dict[str, Any], feature_columns: Any) -> dict[Any, Any]:
    """What each column makes of the features."""
    columns = as_columns(feature_columns, OldColumn, "_FeatureColumn")
    outputs = {}
    with name_scope(None, default_name="transform_features", values=list(features.values())):
        builder = LazyBuilder(features)
        for column in by_name(columns):
            with name_scope(None, default_name=column.name):
                outputs[column] = builder.get(column)
    return outputs


def transform_features_v2(features: dict[str, Any], feature_columns: Any, state_manager: Any) -> dict[Any, Any]:
    """What each column makes of the features, its variables being with ``state_manager``."""
    columns = as_columns(feature_columns, FeatureColumn, "FeatureColumn")
    outputs = {}
    with name_scope(None, default_name="transform_features", values=list(features.values())):
        cache = FeatureTransformationCache(features)
        for column in by_name(columns):
            with name_scope(None, default_name=column.name):
                outputs[column] = cache.get(column, state_manager)
    return outputs
