"""What a feature column can do: how it reads features, which variables it needs, what a layer gets from it.

A column is a record: equal columns are one column.  There are two protocols.  The first, of ``FeatureColumn`` and the
classes below it, passes a cache of transformed features and a manager of the variables; the older one, of
``OldColumn``, passes a builder and makes variables in the variable scope around it.  ``ColumnRecord`` lets a column
of the first protocol serve in the second too.  Source: TensorFlow 1.15.5, ``tf.feature_column``.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from retrograd.feature_column.state import ScopeState
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor


class Ids(NamedTuple):  # TensorFlow calls it IdWeightPair
    """What a categorical column reads: for each example ids, and weights of these or None."""

    id_tensor: Any
    weight_tensor: Any


class Steps(NamedTuple):
    """What a sequence column reads: ``[batch, time, ...]``, and how long each sequence is."""

    dense_tensor: Any
    sequence_length: Any


# -- the protocol of layers --------------------------------------------------------------------


class FeatureColumn(ABC):
    """A column that is asked with a cache of transformed features and a manager of variables."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the column, and of the scope of its variables."""

    def __lt__(self, other: Any) -> bool:
        return str(self) < str(other)

    def __gt__(self, other: Any) -> bool:
        return str(self) > str(other)

    @abstractmethod
    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """What the cache keeps for this column."""

    @property
    @abstractmethod
    def parse_example_spec(self) -> dict[str, Any]:
        """The features that it reads, as ``tf.io.parse_example`` wants them."""

    def create_state(self, state_manager: Any) -> None:  # noqa: B027 - most columns need no variables
        """Make the variables that the column needs."""

    @property
    @abstractmethod
    def _is_v2_column(self) -> bool:
        """Is everything that it stands on of this protocol?"""

    @property
    @abstractmethod
    def parents(self) -> list[Any]:
        """The columns and the keys of features that it reads."""

    @abstractmethod
    def _get_config(self) -> dict[str, Any]:
        """The fields, in plain values."""

    @classmethod
    def _from_config(
        cls, config: dict[str, Any], custom_objects: Any = None, columns_by_name: dict[str, Any] | None = None
    ) -> Any:
        """The column with these fields."""
        raise NotImplementedError


class DenseColumn(FeatureColumn):
    """A column that gives numbers."""

    @property
    @abstractmethod
    def variable_shape(self) -> TensorShape:
        """The shape of the numbers of one example."""

    @abstractmethod
    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Tensor:
        """The numbers: ``[batch, *variable_shape]``."""


class CategoricalColumn(FeatureColumn):
    """A column that gives ids of categories."""

    IdWeightPair = Ids

    @property
    @abstractmethod
    def num_buckets(self) -> int:
        """How many categories there are."""

    @abstractmethod
    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Ids:
        """The ids, and their weights."""


class SequenceDenseColumn(FeatureColumn):
    """A column that gives a sequence of numbers."""

    TensorSequenceLengthPair = Steps

    @abstractmethod
    def get_sequence_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Steps:
        """The numbers, and how long each sequence is."""


def is_feature_column_v2(feature_columns: Any) -> bool:
    """Whether all of them are of the protocol of layers, and all that they stand on."""
    return all(isinstance(column, FeatureColumn) and column._is_v2_column for column in feature_columns)


# -- the older protocol ------------------------------------------------------------------------


class OldColumn(ABC):
    """A column that is asked with a builder, in the variable scope that shall hold its variables."""

    @property
    @abstractmethod
    def name(self) -> str:
        """The name of the column."""

    def __lt__(self, other: Any) -> bool:
        return str(self) < str(other)

    def __gt__(self, other: Any) -> bool:
        return str(self) > str(other)

    @property
    def _var_scope_name(self) -> str:
        return self.name

    @abstractmethod
    def _transform_feature(self, inputs: Any) -> Any:
        """What the builder keeps for this column."""

    @property
    @abstractmethod
    def _parse_example_spec(self) -> dict[str, Any]:
        """The features that it reads."""


class OldDenseColumn(OldColumn):
    """A column that gives numbers."""

    @property
    @abstractmethod
    def _variable_shape(self) -> TensorShape:
        """The shape of the numbers of one example."""

    @abstractmethod
    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Tensor:
        """The numbers."""


class OldCategoricalColumn(OldColumn):
    """A column that gives ids of categories."""

    IdWeightPair = Ids

    @property
    @abstractmethod
    def _num_buckets(self) -> int:
        """How many categories there are."""

    @abstractmethod
    def _get_sparse_tensors(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Ids:
        """The ids, and their weights."""


class OldSequenceDenseColumn(OldColumn):
    """A column that gives a sequence of numbers."""

    TensorSequenceLengthPair = Steps

    @abstractmethod
    def _get_sequence_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Steps:
        """The numbers, and how long each sequence is."""


class _AsCache:
    """A builder in the place of a cache."""

    def __init__(self, inputs: Any) -> None:
        self._inputs = inputs

    def get(self, key: Any, state_manager: Any) -> Any:
        return self._inputs.get(key)


class ColumnRecord:
    """A column whose fields are all that it knows; it serves in both protocols."""

    parents: Any
    parse_example_spec: Any
    variable_shape: Any
    num_buckets: Any
    transform_feature: Callable[..., Any]
    get_dense_tensor: Callable[..., Tensor]
    get_sparse_tensors: Callable[..., Ids]
    get_sequence_dense_tensor: Callable[..., Steps]
    _asdict: Callable[[], dict[str, Any]]

    @property
    def _is_v2_column(self) -> bool:
        return is_feature_column_v2(p for p in self.parents if not isinstance(p, str))

    @property
    def _parse_example_spec(self) -> dict[str, Any]:
        spec: dict[str, Any] = self.parse_example_spec
        return spec

    @property
    def _variable_shape(self) -> Any:
        return self.variable_shape

    @property
    def _num_buckets(self) -> Any:
        return self.num_buckets

    def _transform_feature(self, inputs: Any) -> Any:
        return self.transform_feature(_AsCache(inputs), None)

    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Tensor:
        return self.get_dense_tensor(_AsCache(inputs), ScopeState(weight_collections, trainable))

    def _get_sparse_tensors(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Ids:
        return self.get_sparse_tensors(_AsCache(inputs), None)

    def _get_sequence_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Steps:
        return self.get_sequence_dense_tensor(_AsCache(inputs), ScopeState(weight_collections, trainable))

    def _get_config(self) -> dict[str, Any]:
        from retrograd.feature_column.serialization import plain

        return {field: plain(field, value) for field, value in self._asdict().items()}

    @classmethod
    def _from_config(
        cls, config: dict[str, Any], custom_objects: Any = None, columns_by_name: dict[str, Any] | None = None
    ) -> Any:
        from retrograd.feature_column.serialization import from_plain

        fields = cls._fields  # type: ignore[attr-defined]
        if set(config) != set(fields):
            raise ValueError(f"Invalid config: {config}, expected keys: {fields}")
        return cls(**{f: from_plain(f, value, custom_objects, columns_by_name) for f, value in config.items()})


# -- what columns read -------------------------------------------------------------------------


def make_parse_example_spec(feature_columns: Any) -> dict[str, Any]:
    """The features that the columns read, as ``tf.io.parse_example`` wants them.

    Raises:
      ValueError: an item is no column, or two read one feature in different ways.
    """
    return _merged_specs(feature_columns, OldColumn, "_FeatureColumn", lambda c: c._parse_example_spec)


def make_parse_example_spec_v2(feature_columns: Any) -> dict[str, Any]:
    """``make_parse_example_spec`` of columns of the protocol of layers."""
    return _merged_specs(feature_columns, FeatureColumn, "FeatureColumn", lambda c: c.parse_example_spec)


def _merged_specs(columns: Any, kind: type, word: str, spec_of: Callable[[Any], dict[str, Any]]) -> dict[str, Any]:
    result: dict[str, Any] = {}
    for column in columns:
        if not isinstance(column, kind):
            raise ValueError(f"All feature_columns must be {word} instances. Given: {column}")
        spec = spec_of(column)
        for key, value in spec.items():
            if key in result and value != result[key]:
                raise ValueError(
                    f"feature_columns contain different parse_spec for key {key}. Given {value} and {result[key]}"
                )
        result.update(spec)
    return result


def as_columns(feature_columns: Any, kind: type, word: str) -> list[Any]:
    """The columns as a list.

    Raises:
      ValueError: there is none, an item is no column, or two have one name.
    """
    if isinstance(feature_columns, kind):
        feature_columns = [feature_columns]
    if isinstance(feature_columns, Iterator):
        feature_columns = list(feature_columns)
    if isinstance(feature_columns, dict):
        raise ValueError("Expected feature_columns to be iterable, found dict.")
    for column in feature_columns:
        if not isinstance(column, kind):
            raise ValueError(f"Items of feature_columns must be a {word}. Given (type {type(column)}): {column}.")
    if not feature_columns:
        raise ValueError("feature_columns must not be empty.")
    by_name: dict[str, Any] = {}
    for column in feature_columns:
        if column.name in by_name:
            raise ValueError(
                f"Duplicate feature column name found for columns: {column} and {by_name[column.name]}. This usually "
                "means that these columns refer to same base feature. Either one must be discarded or a duplicated "
                "but renamed item must be inserted in features dict."
            )
        by_name[column.name] = column
    return list(feature_columns)


def by_name(columns: list[Any]) -> list[Any]:
    """The columns in the order of their names."""
    return sorted(columns, key=lambda column: column.name)


def check_batch_sizes(tensors: list[Any], columns: list[Any]) -> None:
    """Raises:
    ValueError: as far as is known, two columns have different numbers of examples.
    """
    known = [(c, t.dims[0]) for t, c in zip(tensors, columns, strict=True) if t.dims and t.dims[0] is not None]
    for column, size in known[1:]:
        first, expected = known[0]
        if size != expected:
            raise ValueError(
                "Batch size (first dimension) of each feature must be same. Batch size of columns "
                f"({first.name}, {column.name}): ({expected}, {size})"
            )
