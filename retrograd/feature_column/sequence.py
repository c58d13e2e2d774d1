"""Columns of sequences: categories and numbers for each step of time."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Sequence
from typing import Any

from retrograd.feature_column import categorical
from retrograd.feature_column.features import sequence_length_from_sparse_tensor
from retrograd.feature_column.numeric import check_normalizer, check_number, checked_shape
from retrograd.feature_column.protocol import (
    CategoricalColumn,
    ColumnRecord,
    Ids,
    OldCategoricalColumn,
    SequenceDenseColumn,
    Steps,
)
from retrograd.graph import dtypes
from retrograd.graph.dtypes import DType
from retrograd.graph.scopes import control_dependencies
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, checks, joining, reductions, repeating, shape_checks, sparse
from retrograd.ops.example_features import VarLenFeature

# -- categories --------------------------------------------------------------------------------


class SequenceCategoricalColumn(
    ColumnRecord, CategoricalColumn, OldCategoricalColumn,
    namedtuple("SequenceCategoricalColumn", ("categorical_column",)),
):  # fmt: skip
    """The categories of a column for each step of time."""

    @property
    def name(self) -> str:
        """The column's."""
        return self.categorical_column.name  # type: ignore[no-any-return]

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """What the column reads."""
        return self.categorical_column.parse_example_spec  # type: ignore[no-any-return]

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """What the column makes."""
        return self.categorical_column.transform_feature(transformation_cache, state_manager)

    @property
    def num_buckets(self) -> int:
        """The column's."""
        return self.categorical_column.num_buckets  # type: ignore[no-any-return]

    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Ids:
        """Ids and weights, ``[batch, time, ids of the step]``."""
        ids, weights = self.categorical_column.get_sparse_tensors(transformation_cache, state_manager)
        shape = arrays.shape(ids)
        target = [shape[0], shape[1], reductions.reduce_prod(shape[2:])]
        ids = sparse.sparse_reshape(ids, target)
        return Ids(ids, None if weights is None else sparse.sparse_reshape(weights, target))

    @property
    def parents(self) -> list[Any]:
        """The column."""
        return [self.categorical_column]


def sequence_categorical_column_with_identity(
    key: str, num_buckets: int, default_value: int | None = None
) -> SequenceCategoricalColumn:
    """``categorical_column_with_identity`` for each step of time."""
    return SequenceCategoricalColumn(categorical.categorical_column_with_identity(key, num_buckets, default_value))


def sequence_categorical_column_with_hash_bucket(
    key: str, hash_bucket_size: int, dtype: DType = dtypes.string
) -> SequenceCategoricalColumn:
    """``categorical_column_with_hash_bucket`` for each step of time."""
    return SequenceCategoricalColumn(categorical.categorical_column_with_hash_bucket(key, hash_bucket_size, dtype))


def sequence_categorical_column_with_vocabulary_file(
    key: str, vocabulary_file: str, vocabulary_size: int | None = None, num_oov_buckets: int = 0,
    default_value: int | None = None, dtype: DType = dtypes.string,
) -> SequenceCategoricalColumn:  # fmt: skip
    """``categorical_column_with_vocabulary_file`` for each step of time."""
    return SequenceCategoricalColumn(
        categorical.categorical_column_with_vocabulary_file(
            key, vocabulary_file, vocabulary_size, num_oov_buckets, default_value, dtype
        )
    )


def sequence_categorical_column_with_vocabulary_list(
    key: str, vocabulary_list: Sequence[Any], dtype: DType | None = None, default_value: int = -1,
    num_oov_buckets: int = 0,
) -> SequenceCategoricalColumn:  # fmt: skip
    """``categorical_column_with_vocabulary_list`` for each step of time."""
    return SequenceCategoricalColumn(
        categorical.categorical_column_with_vocabulary_list(key, vocabulary_list, dtype, default_value, num_oov_buckets)
    )


# -- numbers -----------------------------------------------------------------------------------


class SequenceNumericColumn(
    ColumnRecord, SequenceDenseColumn,
    namedtuple("SequenceNumericColumn", ("key", "shape", "default_value", "dtype", "normalizer_fn")),
):  # fmt: skip
    """The numbers of a sparse feature for each step of time."""

    @property
    def name(self) -> str:
        """The key."""
        return self.key  # type: ignore[no-any-return]

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """One feature of any length."""
        return {self.key: VarLenFeature(self.dtype)}

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """The feature, normalized."""
        feature = transformation_cache.get(self.key, state_manager)
        return feature if self.normalizer_fn is None else self.normalizer_fn(feature)

    @property
    def variable_shape(self) -> TensorShape:
        """The shape of the numbers of one step."""
        return TensorShape(self.shape)

    def get_sequence_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Steps:
        """The numbers, ``[batch, time, *shape]``, with the default value behind the end of a sequence."""
        feature = transformation_cache.get(self, state_manager)
        dense = sparse.sparse_tensor_to_dense(feature, default_value=self.default_value)
        shape = joining.concat([arrays.shape(dense)[:1], [-1], self.variable_shape], axis=0)
        dense = arrays.reshape(dense, shape=shape)
        per_step = self.variable_shape.num_elements() if feature.shape.ndims == 2 else 1
        return Steps(dense, sequence_length_from_sparse_tensor(feature, num_elements=per_step or 1))

    @property
    def parents(self) -> list[Any]:
        """The key."""
        return [self.key]


def sequence_numeric_column(
    key: str, shape: Any = (1,), default_value: float = 0.0, dtype: DType = dtypes.float32,
    normalizer_fn: Callable[[Any], Any] | None = None,
) -> SequenceNumericColumn:  # fmt: skip
    """A column of the numbers of a sparse feature for each step of time.

    Raises:
      ValueError, TypeError: the arguments do not fit together.
    """
    shape = checked_shape(shape, key)
    check_number(dtype, key)
    check_normalizer(normalizer_fn)
    return SequenceNumericColumn(key, shape, default_value, dtype, normalizer_fn)


def concatenate_context_input(context_input: Tensor, sequence_input: Tensor) -> Tensor:
    """``context_input`` ``[batch, m]`` repeated behind each step of ``sequence_input`` ``[batch, time, n]``.

    Raises:
      ValueError, TypeError: they are not of these ranks, or not float32.
    """
    required = []
    for x, word, rank in ((sequence_input, "sequence_input", 3), (context_input, "context_input", 2)):
        required.append(
            shape_checks.assert_rank(x, rank, message=f"{word} must have rank {rank}", data=[arrays.shape(x)])
        )
        message = f"{word} must have dtype float32; got {x.dtype}."
        required.append(checks.assert_type(x, dtypes.float32, message=message))
    with control_dependencies(required):
        steps = arrays.shape(sequence_input)[1]
        tiled = repeating.tile(arrays.expand_dims(context_input, 1), joining.concat([[1], [steps], [1]], 0))
    return joining.concat([sequence_input, tiled], 2)
