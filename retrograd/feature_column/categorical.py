"""Columns of categories: by hash, by a vocabulary in a file or in a list, and by their own numbers."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Sequence
from typing import Any

import numpy as np

from retrograd.feature_column.features import as_sparse_feature
from retrograd.feature_column.numeric import check_key
from retrograd.feature_column.protocol import CategoricalColumn, ColumnRecord, Ids, OldCategoricalColumn
from retrograd.graph import dtypes
from retrograd.graph.dtypes import DType, as_dtype
from retrograd.graph.log import info
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.sparse import SparseTensor
from retrograd.io import gfile
from retrograd.io.lookup import index_table_from_file, index_table_from_tensor
from retrograd.ops import arrays, casts, checks, comparison, constants, string_numbers, strings
from retrograd.ops.example_features import VarLenFeature


class KeyedColumn(ColumnRecord, CategoricalColumn, OldCategoricalColumn):
    """The categories of one feature, which is sparse, or dense with entries that mean nothing."""

    key: str
    dtype: DType

    @property
    def name(self) -> str:
        """The key."""
        return self.key

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """One feature of any length."""
        return {self.key: VarLenFeature(self.dtype)}

    def _ids(self, feature: SparseTensor, state_manager: Any) -> SparseTensor:
        """The ids of the feature's values."""
        raise NotImplementedError

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> SparseTensor:
        """The ids of the feature's values."""
        return self._ids(as_sparse_feature(transformation_cache.get(self.key, state_manager)), state_manager)

    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Ids:
        """The ids, without weights."""
        return Ids(transformation_cache.get(self, state_manager), None)

    @property
    def parents(self) -> list[Any]:
        """The key."""
        return [self.key]

    def _check_dtype(self, feature: SparseTensor) -> None:
        if self.dtype.is_integer != feature.dtype.is_integer:
            raise ValueError(
                f"Column dtype and SparseTensors dtype must be compatible. key: {self.key}, column dtype: "
                f"{self.dtype}, tensor dtype: {feature.dtype}"
            )


def _check_text_or_number(dtype: DType, prefix: str) -> None:
    if dtype != dtypes.string and not dtype.is_integer:
        raise ValueError(f"{prefix} dtype must be string or integer. dtype: {dtype}.")


# -- hashes ------------------------------------------------------------------------------------


class HashedCategoricalColumn(KeyedColumn, namedtuple("HashedCategoricalColumn", ("key", "hash_bucket_size", "dtype"))):
    """Categories by the hash of their text."""

    def _ids(self, feature: SparseTensor, state_manager: Any) -> SparseTensor:
        _check_text_or_number(feature.dtype, f"column_name: {self.key} input_tensor")
        self._check_dtype(feature)
        values = feature.values if self.dtype == dtypes.string else string_numbers.as_string(feature.values)
        ids = strings.string_to_hash_bucket_fast(values, self.hash_bucket_size, name="lookup")
        return SparseTensor(feature.indices, ids, feature.dense_shape)

    @property
    def num_buckets(self) -> int:
        """The number of buckets."""
        return self.hash_bucket_size  # type: ignore[no-any-return]


def categorical_column_with_hash_bucket(
    key: str, hash_bucket_size: int, dtype: DType = dtypes.string
) -> HashedCategoricalColumn:
    """A column of the categories of a feature, each in the bucket of its hash.

    Raises:
      ValueError: there is no bucket, or ``dtype`` is neither text nor integer.
    """
    if hash_bucket_size is None:
        raise ValueError(f"hash_bucket_size must be set. key: {key}")
    if hash_bucket_size < 1:
        raise ValueError(f"hash_bucket_size must be at least 1. hash_bucket_size: {hash_bucket_size}, key: {key}")
    check_key(key)
    _check_text_or_number(dtype, f"column_name: {key}")
    return HashedCategoricalColumn(key, hash_bucket_size, dtype)


# -- vocabularies ------------------------------------------------------------------------------


class _VocabularyColumn(KeyedColumn):
    """Categories by their place in a vocabulary."""

    def _table(self, key_dtype: DType, name: str) -> Any:
        raise NotImplementedError

    def _ids(self, feature: SparseTensor, state_manager: Any) -> SparseTensor:
        self._check_dtype(feature)
        _check_text_or_number(feature.dtype, f"column_name: {self.key} input_tensor")
        key_dtype = self.dtype
        if feature.dtype.is_integer:
            key_dtype = dtypes.int64
            feature = casts.cast(feature, dtypes.int64)
        name = f"{self.key}_lookup"
        table = self._table(key_dtype, name)
        if state_manager is not None:
            state_manager.add_resource(self, name, table)
        return table.lookup(feature)  # type: ignore[no-any-return]


class VocabularyFileCategoricalColumn(
    _VocabularyColumn,
    namedtuple(
        "VocabularyFileCategoricalColumn",
        ("key", "vocabulary_file", "vocabulary_size", "num_oov_buckets", "dtype", "default_value"),
    ),
):
    """Categories by the line of a file."""

    def _table(self, key_dtype: DType, name: str) -> Any:
        return index_table_from_file(
            vocabulary_file=self.vocabulary_file, num_oov_buckets=self.num_oov_buckets,
            vocab_size=self.vocabulary_size, default_value=self.default_value, key_dtype=key_dtype, name=name,
        )  # fmt: skip

    @property
    def num_buckets(self) -> int:
        """The words, and the buckets of others."""
        return self.vocabulary_size + self.num_oov_buckets  # type: ignore[no-any-return]


def categorical_column_with_vocabulary_file(
    key: str, vocabulary_file: str, vocabulary_size: int | None = None, num_oov_buckets: int = 0,
    default_value: int | None = None, dtype: DType = dtypes.string,
) -> VocabularyFileCategoricalColumn:  # fmt: skip
    """A column of categories by their lines in a file.

    Args:
      vocabulary_size: how many lines count; all by default.
      num_oov_buckets: into how many buckets other words are hashed; without any they are ``default_value``, or -1.

    Raises:
      ValueError: there is no file, or a size is impossible.
    """
    return categorical_column_with_vocabulary_file_v2(
        key, vocabulary_file, vocabulary_size, dtype, default_value, num_oov_buckets
    )


def categorical_column_with_vocabulary_file_v2(
    key: str, vocabulary_file: str, vocabulary_size: int | None = None, dtype: DType = dtypes.string,
    default_value: int | None = None, num_oov_buckets: int = 0,
) -> VocabularyFileCategoricalColumn:  # fmt: skip
    """``categorical_column_with_vocabulary_file``, its arguments in another order."""
    if not vocabulary_file:
        raise ValueError(f"Missing vocabulary_file in {key}.")
    if vocabulary_size is None:
        if not gfile.file_exists(vocabulary_file):
            raise ValueError(f"vocabulary_file in {key} does not exist.")
        with gfile.GFile(vocabulary_file) as f:
            vocabulary_size = sum(1 for _ in f)
        info(
            "vocabulary_size = %d in %s is inferred from the number of elements in the vocabulary_file %s.",
            vocabulary_size, key, vocabulary_file,
        )  # fmt: skip
    if vocabulary_size < 1:
        raise ValueError(f"Invalid vocabulary_size in {key}.")
    _check_others(num_oov_buckets, default_value is not None, key)
    _check_text_or_number(dtype, f"column_name: {key}")
    check_key(key)
    return VocabularyFileCategoricalColumn(
        key, vocabulary_file, vocabulary_size, num_oov_buckets or 0, dtype,
        -1 if default_value is None else default_value,
    )  # fmt: skip


def _check_others(num_oov_buckets: int, has_default: bool, key: str) -> None:
    if num_oov_buckets and has_default:
        raise ValueError(f"Can't specify both num_oov_buckets and default_value in {key}.")
    if num_oov_buckets and num_oov_buckets < 0:
        raise ValueError(f"Invalid num_oov_buckets {num_oov_buckets} in {key}.")


class VocabularyListCategoricalColumn(
    _VocabularyColumn,
    namedtuple(
        "VocabularyListCategoricalColumn", ("key", "vocabulary_list", "dtype", "default_value", "num_oov_buckets")
    ),
):
    """Categories by their place in a list."""

    def _table(self, key_dtype: DType, name: str) -> Any:
        return index_table_from_tensor(
            vocabulary_list=tuple(self.vocabulary_list), default_value=self.default_value,
            num_oov_buckets=self.num_oov_buckets, dtype=key_dtype, name=name,
        )  # fmt: skip

    @property
    def num_buckets(self) -> int:
        """The words, and the buckets of others."""
        return len(self.vocabulary_list) + self.num_oov_buckets  # type: ignore[no-any-return]


def categorical_column_with_vocabulary_list(
    key: str, vocabulary_list: Sequence[Any], dtype: DType | None = None, default_value: int = -1,
    num_oov_buckets: int = 0,
) -> VocabularyListCategoricalColumn:  # fmt: skip
    """A column of categories by their places in a list.

    Args:
      num_oov_buckets: into how many buckets other words are hashed; without any they are ``default_value``.

    Raises:
      ValueError: the list is empty, names a word twice, or is neither of text nor of integers.
    """
    if vocabulary_list is None or len(vocabulary_list) < 1:
        raise ValueError(f"vocabulary_list {vocabulary_list} must be non-empty, column_name: {key}")
    if len(set(vocabulary_list)) != len(vocabulary_list):
        raise ValueError(f"Duplicate keys in vocabulary_list {vocabulary_list}, column_name: {key}")
    words_dtype = as_dtype(np.array(vocabulary_list).dtype)
    _check_others(num_oov_buckets, default_value != -1, key)
    _check_text_or_number(words_dtype, f"column_name: {key} vocabulary")
    if dtype is None:
        dtype = words_dtype
    elif dtype.is_integer != words_dtype.is_integer:
        raise ValueError(f"dtype {dtype} and vocabulary dtype {words_dtype} do not match, column_name: {key}")
    _check_text_or_number(dtype, f"column_name: {key}")
    check_key(key)
    return VocabularyListCategoricalColumn(key, tuple(vocabulary_list), dtype, default_value, num_oov_buckets)


# -- numbers -----------------------------------------------------------------------------------


class IdentityCategoricalColumn(
    KeyedColumn, namedtuple("IdentityCategoricalColumn", ("key", "number_buckets", "default_value"))
):
    """Categories that are numbers already."""

    dtype = dtypes.int64

    def _ids(self, feature: SparseTensor, state_manager: Any) -> SparseTensor:
        if not feature.dtype.is_integer:
            raise ValueError(f"Invalid input, not integer. key: {self.key} dtype: {feature.dtype}")
        ids = casts.cast(feature.values, dtypes.int64, name="values")
        count = casts.cast(self.num_buckets, dtypes.int64, name="num_buckets")
        zero = casts.cast(0, dtypes.int64, name="zero")
        if self.default_value is None:
            below = checks.assert_less(
                ids, count, data=(ids, count), name="assert_less_than_num_buckets",
                message=f'Bucket index for categorical column "{self.name}" exceeds number of buckets',
            )  # fmt: skip
            from_zero = checks.assert_greater_equal(
                ids, zero, data=(ids,), name="assert_greater_or_equal_0",
                message=f'Negative bucket index for categorical column "{self.name}"',
            )  # fmt: skip
            with control_dependencies((below, from_zero)):
                ids = arrays.identity(ids)
        else:
            outside = comparison.logical_or(ids < zero, ids >= count, name="out_of_range")
            shape = arrays.shape(ids)
            default = casts.cast(self.default_value, dtypes.int64)
            ids = comparison.where_v2(outside, constants.fill(shape, default, name="default_values"), ids)
        return SparseTensor(feature.indices, ids, feature.dense_shape)

    @property
    def num_buckets(self) -> int:
        """How many numbers there are."""
        return self.number_buckets  # type: ignore[no-any-return]


def categorical_column_with_identity(
    key: str, num_buckets: int, default_value: int | None = None
) -> IdentityCategoricalColumn:
    """A column of categories that are the numbers below ``num_buckets``; any other is an error, or ``default_value``.

    Raises:
      ValueError: there is no category, or the default value is none.
    """
    if num_buckets < 1:
        raise ValueError(f"num_buckets {num_buckets} < 1, column_name {key}")
    if default_value is not None and not 0 <= default_value < num_buckets:
        raise ValueError(f"default_value {default_value} not in range [0, {num_buckets}), column_name {key}")
    check_key(key)
    return IdentityCategoricalColumn(key, num_buckets, default_value)
