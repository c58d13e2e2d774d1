"""Layers of columns: ``DenseFeatures``, ``SequenceFeatures`` and the model ``LinearModel``."""

from __future__ import annotations

from typing import Any

from retrograd.feature_column.features import FeatureTransformationCache
from retrograd.feature_column.protocol import (
    CategoricalColumn,
    DenseColumn,
    FeatureColumn,
    SequenceDenseColumn,
    as_columns,
    by_name,
    check_batch_sizes,
)
from retrograd.feature_column.serialization import deserialize_feature_columns, serialize_feature_columns
from retrograd.feature_column.state import LayerState, LayerStateV2
from retrograd.feature_column.sums import weighted_sum
from retrograd.graph import dtypes
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.tensor import Tensor
from retrograd.keras.layer_table import add_layers
from retrograd.keras.models import Model
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.names import unique_object_name
from retrograd.ops import arrays, checks, joining
from retrograd.ops.biases import bias_add
from retrograd.ops.sums import add_n
from retrograd.state.initializers import Zeros
from retrograd.state.scopes import get_variable, pure_variable_scope


def _check_features(features: Any) -> None:
    if not isinstance(features, dict):
        raise ValueError("We expected a dictionary here. Instead we got: ", features)


class _Features(Layer):
    """The numbers of several columns beside each other."""

    _kind: Any
    _word: str

    def __init__(self, feature_columns: Any, trainable: bool = True, name: str | None = None, **kwargs: Any) -> None:
        super().__init__(name=name, trainable=trainable, **kwargs)
        self._feature_columns = by_name(as_columns(feature_columns, FeatureColumn, "FeatureColumn"))
        self._state_manager = LayerState(self, self.trainable)
        for column in self._feature_columns:
            if not isinstance(column, self._kind):
                raise ValueError(
                    f"Items of feature_columns must be a {self._kind}. You can wrap a categorical column with an "
                    f"embedding_column or indicator_column. Given: {column}"
                )

    def build(self, input_shape: Any) -> None:
        """Make the variables of the columns, in variable scopes of their names."""
        for column in self._feature_columns:
            with pure_variable_scope(self.name), pure_variable_scope(column.name):
                column.create_state(self._state_manager)
        super().build(None)

    def _target_shape(self, input_shape: Any, total: Any) -> tuple[Any, ...]:
        raise NotImplementedError("Calling an abstract method.")

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The numbers of all columns behind each other."""
        total = sum(column.variable_shape.num_elements() for column in self._feature_columns)
        return self._target_shape(input_shape, total)

    def _flattened(self, column: Any, tensor: Tensor) -> Tensor:
        count = column.variable_shape.num_elements()
        return arrays.reshape(tensor, shape=self._target_shape(arrays.shape(tensor), count))

    def _joined(self, tensors: list[Tensor]) -> Tensor:
        check_batch_sizes(tensors, self._feature_columns)
        return joining.concat(tensors, -1)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make the same layer."""
        config = {"name": self.name, "trainable": self.trainable, "dtype": self.dtype}
        return {**config, "feature_columns": serialize_feature_columns(self._feature_columns)}

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The layer of a configuration."""
        columns = deserialize_feature_columns(config["feature_columns"], custom_objects=custom_objects)
        return cls(**{**config, "feature_columns": columns})


class DenseFeatures(_Features):
    """Features by key to ``[batch, numbers of all columns]``, in the order of the columns' names.

    Raises:
      ValueError: a column gives no numbers, or two have one name.
    """

    _kind = DenseColumn
    _is_in_version_2 = False

    @property
    def _is_feature_layer(self) -> bool:
        return True

    def _target_shape(self, input_shape: Any, total: Any) -> tuple[Any, ...]:
        return (input_shape[0], total)

    def call(self, features: Any, cols_to_output_tensors: Any = None) -> Tensor:
        """The numbers of the columns.

        Args:
          cols_to_output_tensors: a dictionary that gets the numbers of each column.

        Raises:
          ValueError: ``features`` is no dictionary.
        """
        _check_features(features)
        cache = FeatureTransformationCache(features)
        outputs = []
        for column in self._feature_columns:
            with name_scope(column.name):
                tensor = column.get_dense_tensor(cache, self._state_manager)
                outputs.append(self._flattened(column, tensor))
                if cols_to_output_tensors is not None:
                    cols_to_output_tensors[column] = outputs[-1]
        return self._joined(outputs)


class DenseFeaturesV2(DenseFeatures):
    """``DenseFeatures`` whose variables are named by name scopes alone."""

    _is_in_version_2 = True

    def __init__(self, feature_columns: Any, trainable: bool = True, name: str | None = None, **kwargs: Any) -> None:
        super().__init__(
            feature_columns, trainable, name or unique_object_name("dense_features", zero_based=True), **kwargs
        )
        self._state_manager = LayerStateV2(self, self.trainable)

    def build(self, input_shape: Any) -> None:
        """Make the variables of the columns, in name scopes of their names."""
        for column in self._feature_columns:
            with name_scope(column.name):
                column.create_state(self._state_manager)
        Layer.build(self, None)


class SequenceFeatures(_Features):
    """Features by key to ``[batch, time, numbers of all columns]`` and the length of each sequence.

    Raises:
      ValueError: a column gives no sequence, or two have one name.
    """

    _kind = SequenceDenseColumn

    @property
    def _is_feature_layer(self) -> bool:
        return True

    def _target_shape(self, input_shape: Any, total: Any) -> tuple[Any, ...]:
        return (input_shape[0], input_shape[1], total)

    def call(self, features: Any) -> tuple[Tensor, Tensor]:
        """The numbers of the columns, and the lengths, in which the columns must agree."""
        _check_features(features)
        cache = FeatureTransformationCache(features)
        outputs, lengths = [], []
        for column in self._feature_columns:
            with name_scope(column.name):
                tensor, length = column.get_sequence_dense_tensor(cache, self._state_manager)
                outputs.append(self._flattened(column, tensor))
                lengths.append(length)
        check_batch_sizes(lengths, self._feature_columns)
        length = equal(lengths)
        return self._joined(outputs), length


def equal(tensors: list[Tensor], name: str | None = None) -> Tensor:
    """The first of the tensors, which must be equal."""
    with name_scope(name, "assert_all_equal", tensors):
        if len(tensors) == 1:
            return tensors[0]
        with control_dependencies([checks.assert_equal(tensors[0], t) for t in tensors[1:]]):
            return arrays.identity(tensors[0])


class LinearModelLayer(Layer):
    """y = sum over the columns of x w, + b: categories count as the sum, the mean ... of their weights."""

    def __init__(
        self, feature_columns: Any, units: int = 1, sparse_combiner: str = "sum", trainable: bool = True,
        name: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(name=name, trainable=trainable, **kwargs)
        self._feature_columns = by_name(as_columns(feature_columns, FeatureColumn, "FeatureColumn"))
        for column in self._feature_columns:
            if not isinstance(column, DenseColumn | CategoricalColumn):
                raise ValueError(
                    f"Items of feature_columns must be either a DenseColumn or CategoricalColumn. Given: {column}"
                )
        self._units, self._sparse_combiner = units, sparse_combiner
        self._state_manager = LayerState(self, self.trainable)
        self.bias: Any = None

    @property
    def units(self) -> int:
        """How many numbers there are for each example."""
        return self._units

    @property
    def state_manager(self) -> LayerState:
        """What holds the columns' weights."""
        return self._state_manager

    def build(self, input_shape: Any) -> None:
        """Make the weights of each column, and the bias."""
        with pure_variable_scope(self.name):
            for column in self._feature_columns:
                with pure_variable_scope(column.name):
                    column.create_state(self._state_manager)
                    is_categorical = isinstance(column, CategoricalColumn)
                    count = column.num_buckets if is_categorical else column.variable_shape.num_elements()
                    self._state_manager.create_variable(
                        column, name="weights", dtype=dtypes.float32, shape=(count, self._units),
                        initializer=Zeros(), trainable=self.trainable,
                    )  # fmt: skip
            self.bias = self.add_variable(
                name="bias_weights", dtype=dtypes.float32, shape=[self._units], initializer=Zeros(),
                trainable=self.trainable, use_resource=True, getter=get_variable,
            )  # fmt: skip
        super().build(None)

    def call(self, features: Any) -> Tensor:
        """The sums, ``[batch, units]``."""
        if not isinstance(features, dict):
            raise ValueError(f"We expected a dictionary here. Instead we got: {features}")
        with name_scope(self.name):
            cache = FeatureTransformationCache(features)
            sums = []
            for column in self._feature_columns:
                with name_scope(column.name):
                    weights = self._state_manager.get_variable(column, "weights")
                    if isinstance(column, CategoricalColumn):
                        read: Any = column.get_sparse_tensors(cache, self._state_manager)
                        count = None
                    else:
                        read = column.get_dense_tensor(cache, self._state_manager)
                        count = column.variable_shape.num_elements()
                    sums.append(weighted_sum(read, weights, count, self._sparse_combiner))
            check_batch_sizes(sums, self._feature_columns)
            return bias_add(add_n(sums, name="weighted_sum_no_bias"), self.bias, name="weighted_sum")

    def get_config(self) -> dict[str, Any]:
        """The arguments that make the same layer."""
        return {
            "name": self.name, "trainable": self.trainable, "dtype": self.dtype,
            "feature_columns": serialize_feature_columns(self._feature_columns), "units": self._units,
            "sparse_combiner": self._sparse_combiner,
        }  # fmt: skip

    @classmethod
    def from_config(cls, config: dict[str, Any], custom_objects: Any = None) -> Any:
        """The layer of a configuration."""
        columns = deserialize_feature_columns(config["feature_columns"], custom_objects=custom_objects)
        return cls(**{**config, "feature_columns": columns})


class LinearModel(Model):
    """A model of one ``LinearModelLayer``.

    Args:
      units: how many numbers it gives for each example.
      sparse_combiner: ``"sum"``, ``"mean"`` or ``"sqrtn"`` of the weights of an example's categories.
    """

    def __init__(
        self, feature_columns: Any, units: int = 1, sparse_combiner: str = "sum", trainable: bool = True,
        name: str | None = None, **kwargs: Any,
    ) -> None:  # fmt: skip
        super().__init__(name=name, **kwargs)
        self.layer = LinearModelLayer(feature_columns, units, sparse_combiner, trainable, name=self.name, **kwargs)

    def call(self, features: Any) -> Tensor:  # type: ignore[override]
        """The sums, ``[batch, units]``."""
        return self.layer(features)  # type: ignore[no-any-return]

    @property
    def bias(self) -> Any:
        """The bias."""
        return self.layer.bias


add_layers(DenseFeatures, SequenceFeatures)
