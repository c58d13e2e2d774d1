"""Columns as plain values, in the configurations of layers, and back."""

from __future__ import annotations

import functools
from typing import Any

from retrograd.feature_column import categorical, combining, dense_categories, numeric, sequence
from retrograd.feature_column.protocol import FeatureColumn
from retrograd.graph.dtypes import as_dtype
from retrograd.keras.utils import deserialize_keras_object
from retrograd.nn.keras import initializers
from retrograd.nn.keras.lookup import described

_KINDS: dict[str, Any] = {
    kind.__name__: kind
    for kind in (
        numeric.BucketizedColumn, combining.CrossedColumn, dense_categories.EmbeddingColumn,
        categorical.HashedCategoricalColumn, categorical.IdentityCategoricalColumn, dense_categories.IndicatorColumn,
        numeric.NumericColumn, sequence.SequenceCategoricalColumn, dense_categories.SharedEmbeddingColumn,
        categorical.VocabularyFileCategoricalColumn, categorical.VocabularyListCategoricalColumn,
        combining.WeightedCategoricalColumn, sequence.SequenceNumericColumn,
    )
}  # fmt: skip


def serialize_feature_column(fc: Any) -> Any:
    """A column as ``{"class_name": ..., "config": ...}``; a key as it is.

    Raises:
      ValueError: ``fc`` is neither.
    """
    if isinstance(fc, str):
        return fc
    if not isinstance(fc, FeatureColumn):
        raise ValueError(f"Instance: {fc} is not a FeatureColumn")
    return {"class_name": type(fc).__name__, "config": fc._get_config()}


def deserialize_feature_column(config: Any, custom_objects: Any = None, columns_by_name: Any = None) -> Any:
    """The column of a configuration; the same object for the same class and name in ``columns_by_name``.

    Raises:
      ValueError: there is no such class.
    """
    if isinstance(config, str):
        return config
    known = columns_by_name if columns_by_name is not None else {}
    if not isinstance(config, dict) or "class_name" not in config or "config" not in config:
        raise ValueError(f"Improper config format: {config}")
    kind = {**_KINDS, **(custom_objects or {})}.get(config["class_name"])
    if kind is None:
        raise ValueError(f"Unknown feature_column_v2: {config['class_name']}")
    if not issubclass(kind, FeatureColumn):
        raise ValueError(f"Expected FeatureColumn class, instead found: {kind}")
    made: Any = kind._from_config(config["config"], custom_objects=custom_objects, columns_by_name=known)
    return known.setdefault(column_name_with_class_name(made), made)


def column_name_with_class_name(fc: Any) -> str:
    """What tells a column from others: its class and its name."""
    return f"{type(fc).__name__}:{fc.name}"


def serialize_feature_columns(feature_columns: Any) -> list[Any]:
    """The configurations of columns."""
    return [serialize_feature_column(column) for column in feature_columns]


def deserialize_feature_columns(configs: Any, custom_objects: Any = None) -> list[Any]:
    """The columns of configurations; those that share a column share it again."""
    known: dict[str, Any] = {}
    return [deserialize_feature_column(config, custom_objects, known) for config in configs]


def plain(field: str, value: Any) -> Any:
    """The value of a column's field in plain values."""
    if field in ("categorical_column", "source_column"):
        return serialize_feature_column(value)
    if field == "keys":
        return tuple(map(serialize_feature_column, value))
    if field == "dtype":
        return value.name
    if field in ("normalizer_fn", "initializer"):
        return described(value)
    return value


def from_plain(field: str, value: Any, custom_objects: Any, columns_by_name: Any) -> Any:
    """The value of a column's field from plain values."""
    column = functools.partial(
        deserialize_feature_column, custom_objects=custom_objects, columns_by_name=columns_by_name
    )
    if field in ("categorical_column", "source_column"):
        return column(value)
    if field == "keys":
        return tuple(map(column, value))
    if field == "dtype":
        return as_dtype(value)
    if field == "normalizer_fn":
        return deserialize_keras_object(value, custom_objects=custom_objects)
    if field == "initializer":
        return deserialize_keras_object(value, initializers._BY_NAME, custom_objects)
    return tuple(value) if isinstance(value, list) else value
