"""Columns of numbers: as they are, and by the bucket that they fall into."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from retrograd.feature_column.protocol import (
    CategoricalColumn,
    ColumnRecord,
    DenseColumn,
    Ids,
    OldCategoricalColumn,
    OldDenseColumn,
)
from retrograd.graph import dtypes, nest
from retrograd.graph.dtypes import DType
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, casts, comparison, constants, indexing, joining, permuting, repeating
from retrograd.ops.example_features import FixedLenFeature

# -- numbers -----------------------------------------------------------------------------------


class NumericColumn(
    ColumnRecord, DenseColumn, OldDenseColumn,
    namedtuple("NumericColumn", ("key", "shape", "default_value", "dtype", "normalizer_fn")),
):  # fmt: skip
    """The numbers of a dense feature, perhaps normalized."""

    @property
    def name(self) -> str:
        """The key."""
        return self.key  # type: ignore[no-any-return]

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """One feature of a fixed length."""
        return {self.key: FixedLenFeature(self.shape, self.dtype, self.default_value)}

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Tensor:
        """The feature, normalized, in float32.

        Raises:
          ValueError: it is sparse.
        """
        feature = transformation_cache.get(self.key, state_manager)
        if isinstance(feature, SparseTensor):
            raise ValueError(
                "The corresponding Tensor of numerical column must be a Tensor. SparseTensor is not supported. "
                f"key: {self.key}"
            )
        if self.normalizer_fn is not None:
            feature = self.normalizer_fn(feature)
        return casts.cast(feature, dtypes.float32)

    @property
    def variable_shape(self) -> TensorShape:
        """The shape of the feature of one example."""
        return TensorShape(self.shape)

    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Tensor:
        """The feature."""
        return transformation_cache.get(self, state_manager)  # type: ignore[no-any-return]

    @property
    def parents(self) -> list[Any]:
        """The key."""
        return [self.key]


def numeric_column(
    key: str, shape: Any = (1,), default_value: Any = None, dtype: DType = dtypes.float32,
    normalizer_fn: Callable[[Any], Any] | None = None,
) -> NumericColumn:  # fmt: skip
    """A column of the numbers of a dense feature.

    Args:
      default_value: for examples without the feature: one number, or as many as ``shape`` holds.
      normalizer_fn: what to do to the tensor first.

    Raises:
      ValueError, TypeError: the arguments do not fit together.
    """
    shape = checked_shape(shape, key)
    check_number(dtype, key)
    default_value = _checked_default(shape, default_value, dtype, key)
    check_normalizer(normalizer_fn)
    check_key(key)
    return NumericColumn(key, shape, default_value, dtype, normalizer_fn)


def checked_shape(shape: Any, key: str) -> tuple[int, ...]:
    """``shape`` as a tuple of positive integers."""
    shape = tuple(shape) if nest.is_sequence(shape) else (shape,)
    for size in shape:
        if not isinstance(size, int):
            raise TypeError(f"shape dimensions must be integer. shape: {shape}, key: {key}")
        if size < 1:
            raise ValueError(f"shape dimensions must be greater than 0. shape: {shape}, key: {key}")
    return shape  # type: ignore[no-any-return]


def check_number(dtype: DType, key: str) -> None:
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype must be convertible to float. dtype: {dtype}, key: {key}")


def check_normalizer(normalizer_fn: Any) -> None:
    if normalizer_fn is not None and not callable(normalizer_fn):
        raise TypeError(f"normalizer_fn must be a callable. Given: {normalizer_fn}")


def check_key(key: Any) -> None:
    if not isinstance(key, str):
        raise ValueError(f"key must be a string. Got: type {type(key)}. Given key: {key}.")


def _checked_default(shape: tuple[int, ...], value: Any, dtype: DType, key: str) -> Any:
    """``value`` in nested tuples of the shape."""
    if value is None:
        return None
    if isinstance(value, int) or (isinstance(value, float) and dtype.is_floating):
        return _filled(shape, value)
    if callable(getattr(value, "tolist", None)):
        value = value.tolist()
    if nest.is_sequence(value):
        if not _has_shape(value, shape):
            raise ValueError(
                f"The shape of default_value must be equal to given shape. default_value: {value}, shape: {shape}, "
                f"key: {key}"
            )
        numbers = nest.flatten(value)
        if all(isinstance(n, int) for n in numbers):
            return _tuples(value)
        if any(isinstance(n, float) for n in numbers) and dtype.is_floating:
            return _tuples(value)
    raise TypeError(f"default_value must be compatible with dtype. default_value: {value}, dtype: {dtype}, key: {key}")


def _filled(shape: tuple[int, ...], value: Any) -> Any:
    return tuple(_filled(shape[1:], value) for _ in range(shape[0])) if shape else value


def _tuples(value: Any) -> Any:
    return tuple(map(_tuples, value)) if nest.is_sequence(value) else value


def _has_shape(value: Any, shape: tuple[int, ...]) -> bool:
    if nest.is_sequence(value) != bool(shape):
        return False
    return not shape or (len(value) == shape[0] and all(_has_shape(v, shape[1:]) for v in value))


# -- buckets -----------------------------------------------------------------------------------


class BucketizedColumn(
    ColumnRecord, DenseColumn, CategoricalColumn, OldDenseColumn, OldCategoricalColumn,
    namedtuple("BucketizedColumn", ("source_column", "boundaries")),
):  # fmt: skip
    """Numbers by their buckets: bucket i holds ``boundaries[i - 1] <= x < boundaries[i]``."""

    @property
    def name(self) -> str:
        """The name of the source, ``_bucketized``."""
        return f"{self.source_column.name}_bucketized"

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """What the source reads."""
        return self.source_column.parse_example_spec  # type: ignore[no-any-return]

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Tensor:
        """The bucket of each number."""
        source = transformation_cache.get(self.source_column, state_manager)
        return comparison.bucketize(source, boundaries=self.boundaries)

    @property
    def _buckets(self) -> int:
        return len(self.boundaries) + 1

    @property
    def variable_shape(self) -> TensorShape:
        """One number for each bucket of each number of the source."""
        return TensorShape((*self.source_column.shape, self._buckets))

    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Tensor:
        """1 at the bucket, 0 elsewhere."""
        buckets = casts.cast(transformation_cache.get(self, state_manager), dtypes.int64)
        return indexing.one_hot(indices=buckets, depth=self._buckets, on_value=1.0, off_value=0.0)

    @property
    def num_buckets(self) -> int:
        """The number of buckets, times the length of the source."""
        return self._buckets * self.source_column.shape[0]  # type: ignore[no-any-return]

    def get_sparse_tensors(self, transformation_cache: Any, state_manager: Any) -> Ids:
        """The id of the bucket of the j-th number: ``bucket + j * buckets``."""
        buckets = transformation_cache.get(self, state_manager)
        batch_size = arrays.shape(buckets)[0]
        length = self.source_column.shape[0]
        examples = arrays.expand_dims(constants.range_(0, batch_size), 1)
        examples = arrays.reshape(repeating.tile(examples, [1, length]), (-1,))
        places = repeating.tile(constants.range_(0, length), [batch_size])
        ids = arrays.reshape(buckets, (-1,)) + self._buckets * places
        indices = casts.cast(permuting.transpose(joining.stack((examples, places))), dtypes.int64)
        dense_shape = casts.cast(joining.stack([batch_size, length]), dtypes.int64)
        return Ids(SparseTensor(indices, ids, dense_shape), None)

    @property
    def parents(self) -> list[Any]:
        """The source."""
        return [self.source_column]


def bucketized_column(source_column: NumericColumn, boundaries: Sequence[float]) -> BucketizedColumn:
    """The numbers of a column by the buckets between ``boundaries``, which ascend.

    Raises:
      ValueError: the source is no numeric column of rank 1, or the boundaries do not ascend.
    """
    if not isinstance(source_column, NumericColumn):
        raise ValueError(f"source_column must be a column generated with numeric_column(). Given: {source_column}")
    if len(source_column.shape) > 1:
        raise ValueError(f"source_column must be one-dimensional column. Given: {source_column}")
    if not boundaries:
        raise ValueError("boundaries must not be empty.")
    if not isinstance(boundaries, list | tuple) or any(a >= b for a, b in pairwise(boundaries)):
        raise ValueError("boundaries must be a sorted list.")
    return BucketizedColumn(source_column, tuple(boundaries))
