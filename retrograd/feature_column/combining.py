"""Columns of categories made of others: with weights, and every combination of several."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from typing import Any

from retrograd.feature_column.categorical import HashedCategoricalColumn
from retrograd.feature_column.features import as_sparse_feature
from retrograd.feature_column.protocol import CategoricalColumn, ColumnRecord, Ids, OldCategoricalColumn
from retrograd.graph import dtypes
from retrograd.graph.convert import convert_to_tensor_or_sparse_tensor
from retrograd.graph.dtypes import DType
from retrograd.graph.sparse import SparseTensor
from retrograd.ops import casts
from retrograd.ops.example_features import VarLenFeature
from retrograd.ops.sparse_crossing import sparse_cross_hashed

# -- weights -----------------------------------------------------------------------------------


class WeightedCategoricalColumn(
    ColumnRecord, CategoricalColumn, OldCategoricalColumn,
    namedtuple("WeightedCategoricalColumn", ("categorical_column", "weight_feature_key", "dtype")),
):  # fmt: skip
    """The categories of a column, each with a weight that another feature gives."""

    @property
    def name(self) -> str:
        """The names of the column and of the weights."""
        return f"{self.categorical_column.name}_weighted_by_{self.weight_feature_key}"

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """What the column reads, and the weights."""
        spec: dict[str, Any] = self.categorical_column.parse_example_spec
        if self.weight_feature_key in spec:
            raise ValueError(
                f"Parse config {spec[self.weight_feature_key]} already exists for {self.weight_feature_key}."
            )
        spec[self.weight_feature_key] = VarLenFeature(self.dtype)
        return spec

    @property
    def num_buckets(self) -> int:
        """The column's."""
        return self.categorical_column.num_buckets  # type: ignore[no-any-return]

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> tuple[Any, SparseTensor]:
        """The column's ids, and the weights.

        Raises:
          ValueError: the weights are missing, or not of the column's dtype.
        """
        weights = self._weights(transformation_cache.get(self.weight_feature_key, state_manager))
        return transformation_cache.get(self.categorical_column, state_manager), weights

    def _weights(self, feature: Any) -> SparseTensor:
        if feature is None:
            raise ValueError(f"Missing weights {self.weight_feature_key}.")
        feature = convert_to_tensor_or_sparse_tensor(feature)
        if self.dtype != feature.dtype.base_dtype:
            raise ValueError(f"Bad dtype, expected {self.dtype}, but got {feature.dtype}.")
        weights = as_sparse_feature(feature, ignore_value=0.0)
        return weights if weights.dtype.is_floating else casts.cast(weights, dtypes.float32)  # type: ignore[no-any-return]

    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Ids:
        """The ids and the weights."""
        return Ids(*transformation_cache.get(self, state_manager))

    @property
    def parents(self) -> list[Any]:
        """The column, and the key of the weights."""
        return [self.categorical_column, self.weight_feature_key]


def weighted_categorical_column(
    categorical_column: Any, weight_feature_key: str, dtype: DType = dtypes.float32
) -> WeightedCategoricalColumn:
    """The categories of a column with the weights of another feature.

    Raises:
      ValueError: ``dtype`` is no number's.
    """
    if dtype is None or not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype {dtype} is not convertible to float.")
    return WeightedCategoricalColumn(categorical_column, weight_feature_key, dtype)


# -- combinations ------------------------------------------------------------------------------


class CrossedColumn(
    ColumnRecord, CategoricalColumn, OldCategoricalColumn,
    namedtuple("CrossedColumn", ("keys", "hash_bucket_size", "hash_key")),
):  # fmt: skip
    """Every combination of the categories of several columns or features, by its hash."""

    def _leaves(self) -> list[Any]:
        """What it crosses, where a crossed column stands for what it crosses itself."""
        leaves: list[Any] = []
        for key in self.keys:
            leaves += key._leaves() if isinstance(key, CrossedColumn) else [key]
        return leaves

    @property
    def name(self) -> str:
        """The names of what is crossed, sorted, between ``_X_``."""
        return "_X_".join(sorted(key if isinstance(key, str) else key.name for key in self._leaves()))

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """What the columns read; a key is a feature of text."""
        spec: dict[str, Any] = {}
        for key in self.keys:
            spec.update({key: VarLenFeature(dtypes.string)} if isinstance(key, str) else key.parse_example_spec)
        return spec

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> SparseTensor:
        """The hash of each combination.

        Raises:
          ValueError: a column has weights.
        """
        features = []
        for key in self._leaves():
            if isinstance(key, str):
                features.append(transformation_cache.get(key, state_manager))
                continue
            ids, weights = key.get_sparse_tensors(transformation_cache, state_manager)
            if weights is not None:
                raise ValueError(
                    "crossed_column does not support weight_tensor, but the given column populates weight_tensor. "
                    f"Given column: {key.name}"
                )
            features.append(ids)
        return sparse_cross_hashed(features, self.hash_bucket_size, self.hash_key)

    @property
    def num_buckets(self) -> int:
        """The number of buckets."""
        return self.hash_bucket_size  # type: ignore[no-any-return]

    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Ids:
        """The ids, without weights."""
        return Ids(transformation_cache.get(self, state_manager), None)

    @property
    def parents(self) -> list[Any]:
        """What is crossed."""
        return list(self.keys)


def crossed_column(keys: Sequence[Any], hash_bucket_size: int, hash_key: int | None = None) -> CrossedColumn:
    """A column of every combination of the categories of ``keys``: keys of features, or columns.

    Raises:
      ValueError: there are fewer than two, or one is neither a key nor a column that can be crossed.
    """
    if not hash_bucket_size or hash_bucket_size < 1:
        raise ValueError(f"hash_bucket_size must be > 1. hash_bucket_size: {hash_bucket_size}")
    if not keys or len(keys) < 2:
        raise ValueError(f"keys must be a list with length > 1. Given: {keys}")
    for key in keys:
        if not isinstance(key, str | CategoricalColumn | OldCategoricalColumn):
            raise ValueError(
                "Unsupported key type. All keys must be either string, or categorical column except "
                f"HashedCategoricalColumn. Given: {key}"
            )
        if isinstance(key, HashedCategoricalColumn):
            raise ValueError(
                "categorical_column_with_hash_bucket is not supported for crossing. Hashing before crossing will "
                "increase probability of collision. Instead, use the feature name as a string. "
                f"Given: {key}"
            )
    return CrossedColumn(tuple(keys), hash_bucket_size, hash_key)
