"""Columns of ``tf.contrib.layers`` of numbers, of the buckets they lie in, and of crossed categories.

Source: TensorFlow 1.15.5, ``contrib/layers/python/layers/feature_column.py``.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from retrograd.feature_column.older_columns import (
    Column,
    LinearLookup,
    _SparseColumn,
    check_checkpoint,
    made_by,
    of_rank,
    spec_of,
)
from retrograd.feature_column.protocol import Ids, OldCategoricalColumn, OldDenseColumn
from retrograd.graph import dtypes
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, casts, constants, joining, repeating
from retrograd.ops.comparison import bucketize
from retrograd.ops.example_features import FixedLenFeature, FixedLenSequenceFeature, VarLenFeature
from retrograd.ops.indexing import one_hot
from retrograd.ops.permuting import transpose
from retrograd.ops.sparse_crossing import sparse_feature_cross
from retrograd.state.initializers import zeros_initializer


class _OfNumbers(Column):
    """A feature's numbers, normalized if that is asked for."""

    column_name: str
    _hidden = ("normalizer",)

    @property
    def name(self) -> str:
        """The feature's."""
        return self.column_name

    def numbers(self, transformed: Any, output_rank: int) -> Tensor:
        return of_rank(self.dense(transformed), output_rank, self.name)  # type: ignore[no-any-return]


class _RealValuedColumn(
    _OfNumbers, OldDenseColumn, namedtuple("_RealValuedColumn", "column_name dimension default_value dtype normalizer")
):
    """Numbers."""

    @property
    def config(self) -> dict[str, Any]:
        """How examples are parsed for it."""
        default = None if self.default_value is None else list(self.default_value)
        return {self.column_name: FixedLenFeature([self.dimension], self.dtype, default)}

    @property
    def normalizer_fn(self) -> Any:
        """The function that is applied first."""
        return self.normalizer

    def _normalized(self, feature: Any) -> Any:
        return casts.cast(feature if self.normalizer is None else self.normalizer(feature), dtypes.float32)

    def insert_transformed_feature(self, columns_to_tensors: Any) -> None:
        columns_to_tensors[self] = self._normalized(columns_to_tensors[self.name])

    def dense(self, transformed: Any) -> Any:
        return transformed

    @property
    def _variable_shape(self) -> TensorShape:
        return TensorShape([self.dimension])

    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Tensor:
        return inputs.get(self)  # type: ignore[no-any-return]

    def _transform_feature(self, inputs: Any) -> Tensor:
        return self._normalized(inputs.get(self.name))  # type: ignore[no-any-return]


class _RealValuedVarLenColumn(
    _OfNumbers, namedtuple("_RealValuedVarLenColumn", "column_name default_value dtype normalizer is_sparse")
):
    """As many numbers as an example has."""

    @property
    def config(self) -> dict[str, Any]:
        """How examples are parsed for it."""
        if self.is_sparse:
            return {self.column_name: VarLenFeature(self.dtype)}
        return {self.column_name: FixedLenSequenceFeature([], self.dtype, True, self.default_value)}

    def insert_transformed_feature(self, columns_to_tensors: Any) -> None:
        feature = columns_to_tensors[self.name]
        if self.normalizer is not None:
            feature = (
                SparseTensor(feature.indices, self.normalizer(feature.values), feature.dense_shape)
                if self.is_sparse
                else self.normalizer(feature)
            )
        columns_to_tensors[self] = casts.cast(feature, dtypes.float32)

    def dense(self, transformed: Any) -> Any:
        if self.is_sparse:
            raise ValueError(f"Set is_sparse to False if you want a dense Tensor for column_name: {self.name}")
        return transformed


def _real_valued_var_len_column(
    column_name: str, default_value: Any = None, dtype: Any = dtypes.float32,
    normalizer: Callable[[Any], Any] | None = None, is_sparse: bool = False,
) -> Any:  # fmt: skip
    """As many numbers as an example has, filled up with ``default_value``."""
    if not (dtype.is_integer or dtype.is_floating):
        raise TypeError(f"dtype must be convertible to float. dtype: {dtype}, column_name: {column_name}")
    if default_value is None and not is_sparse:
        raise ValueError(
            f"default_value must be provided when is_sparse=False to parse a padded Tensor. column_name: {column_name}"
        )
    if isinstance(default_value, list):
        raise ValueError(f"Only scalar default value. default_value: {default_value}, column_name: {column_name}")
    if default_value is not None:
        default_value = int(default_value) if dtype.is_integer else float(default_value)
    return _RealValuedVarLenColumn(column_name, default_value, dtype, normalizer, is_sparse)


def real_valued_column(
    column_name: str, dimension: int = 1, default_value: Any = None, dtype: Any = dtypes.float32,
    normalizer: Callable[[Any], Any] | None = None,
) -> Any:  # fmt: skip
    """``dimension`` numbers of a feature, after ``normalizer``; ``default_value`` is one number or a list of them.

    Raises:
      TypeError: ``dimension`` is no whole number, or the default does not fit the dtype.
      ValueError: ``dimension`` is below 1, the dtype no number's, or there are too few or too many defaults.
    """
    if dimension is None:
        raise TypeError(
            "dimension must be an integer. Use the _real_valued_var_len_column for variable length features."
            f"dimension: {dimension}, column_name: {column_name}"
        )
    if not isinstance(dimension, int):
        raise TypeError(f"dimension must be an integer. dimension: {dimension}, column_name: {column_name}")
    if dimension < 1:
        raise ValueError(f"dimension must be greater than 0. dimension: {dimension}, column_name: {column_name}")
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype must be convertible to float. dtype: {dtype}, column_name: {column_name}")
    if default_value is None:
        return _RealValuedColumn(column_name, dimension, None, dtype, normalizer)
    if isinstance(default_value, list) and len(default_value) != dimension:
        raise ValueError(
            f"The length of default_value must be equal to dimension. default_value: {default_value}, dimension: "
            f"{dimension}, column_name: {column_name}"
        )
    listed = default_value if isinstance(default_value, list) else [default_value] * dimension
    if all(isinstance(v, int) for v in listed) and dtype.is_integer:
        return _RealValuedColumn(column_name, dimension, tuple(listed), dtype, normalizer)
    if all(isinstance(v, int | float) for v in listed) and dtype.is_floating:
        return _RealValuedColumn(column_name, dimension, tuple(map(float, listed)), dtype, normalizer)
    raise TypeError(
        f"default_value must be compatible with dtype. default_value: {default_value}, dtype: {dtype}, column_name: "
        f"{column_name}"
    )


# -- categories of numbers and of other columns ------------------------------------------------


class _BucketizedColumn(
    Column, OldCategoricalColumn, OldDenseColumn, namedtuple("_BucketizedColumn", "source_column boundaries")
):
    """Between which boundaries a number lies."""

    @property
    def name(self) -> str:
        """The feature's, marked."""
        return f"{self.source_column.name}_bucketized"

    @property
    def length(self) -> int:
        """How many buckets there are."""
        return len(self.boundaries) + 1

    @property
    def config(self) -> dict[str, Any]:
        """How examples are parsed for it."""
        return self.source_column.config  # type: ignore[no-any-return]

    def numbers(self, transformed: Any, output_rank: int) -> Tensor:
        if output_rank != 2:
            raise ValueError("BucketizedColumn currently only supports output_rank=2")
        marks = one_hot(casts.cast(transformed, dtypes.int64), self.length, 1.0, 0.0, name="one_hot")
        return arrays.reshape(marks, [-1, self._num_buckets], name="reshape")

    def to_sparse_tensor(self, transformed: Any) -> SparseTensor:
        """The buckets as ids; those of each number of a feature are others."""
        dimension = self.source_column.dimension
        batch = arrays.shape(transformed, name="shape")[0]
        if dimension > 1:
            column = arrays.expand_dims(constants.range_(0, batch), 1, name="expand_dims")
            rows = arrays.reshape(repeating.tile(column, [1, dimension], name="tile"), [-1], name="reshape")
            places = repeating.tile(constants.range_(0, dimension), [batch], name="tile")
            ids = arrays.reshape(transformed, [-1], name="reshape") + self.length * places
        else:
            rows = constants.range_(0, batch)
            places = constants.zeros([batch], dtype=dtypes.int32, name="zeros")
            ids = arrays.reshape(transformed, [-1], name="reshape")
        indices = casts.cast(transpose(joining.stack((rows, places))), dtypes.int64)
        shape = casts.cast(joining.stack([batch, dimension]), dtypes.int64)
        return SparseTensor(indices, ids, shape)

    def linear_lookup(self, transformed: Any) -> LinearLookup:
        return LinearLookup(self.to_sparse_tensor(transformed), None, self._num_buckets, zeros_initializer(), "sum")

    def _transform_feature(self, inputs: Any) -> Tensor:
        return bucketize(inputs.get(self.source_column), boundaries=list(self.boundaries), name="bucketize")

    def insert_transformed_feature(self, columns_to_tensors: Any) -> None:
        columns_to_tensors[self] = self._transform_feature(Builder(columns_to_tensors))

    @property
    def _num_buckets(self) -> int:
        return self.length * self.source_column.dimension  # type: ignore[no-any-return]

    def _get_sparse_tensors(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Ids:
        return Ids(self.to_sparse_tensor(inputs.get(self)), None)

    @property
    def _variable_shape(self) -> TensorShape:
        return TensorShape([self._num_buckets])

    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Tensor:
        return self.numbers(inputs.get(self), 2)


def bucketized_column(source_column: Any, boundaries: Any) -> Any:
    """Between which of the sorted ``boundaries`` the numbers of a column lie.

    Raises:
      TypeError: the column is not one of numbers.
      ValueError: the boundaries are no sorted list.
    """
    if not isinstance(source_column, _RealValuedColumn):
        raise TypeError(f"source_column must be an instance of _RealValuedColumn. source_column: {source_column}")
    if not isinstance(boundaries, list | tuple) or not boundaries:
        raise ValueError(f"boundaries must be a non-empty list or tuple. boundaries: {boundaries}")
    if any(a > b for a, b in pairwise(boundaries)):
        raise ValueError(f"boundaries must be a sorted list. boundaries: {boundaries}")
    return _BucketizedColumn(source_column, tuple(dict.fromkeys(boundaries)))


class _CrossedColumn(
    Column,
    OldCategoricalColumn,
    namedtuple("_CrossedColumn", "columns hash_bucket_size hash_key combiner ckpt_to_load_from tensor_name_in_ckpt"),
):
    """The combinations of the categories of several columns, as hashes."""

    @property
    def name(self) -> str:
        """All names."""
        return "_X_".join(sorted(column.name for column in self.columns))

    @property
    def length(self) -> int:
        """How many ids there are."""
        return self.hash_bucket_size  # type: ignore[no-any-return]

    @property
    def config(self) -> dict[str, Any]:
        """How examples are parsed for it."""
        return {key: value for column in self.columns for key, value in spec_of(column).items()}

    def id_tensor(self, transformed: Any) -> Any:
        """The ids."""
        return transformed

    def weight_tensor(self, transformed: Any) -> Any:
        """None."""
        return None

    def numbers(self, transformed: Any, output_rank: int) -> Tensor:
        raise ValueError(f"CrossedColumn is not supported in DNN. Please use embedding_column. column: {self}")

    def checkpoint(self) -> Any:
        if self.ckpt_to_load_from is None:
            return None
        return self.ckpt_to_load_from, self.tensor_name_in_ckpt

    def linear_lookup(self, transformed: Any) -> LinearLookup:
        return LinearLookup(transformed, None, self.length, zeros_initializer(), self.combiner)

    def _leaves(self) -> list[Any]:
        return [leaf for c in self.columns for leaf in (c._leaves() if isinstance(c, _CrossedColumn) else [c])]

    def _transform_feature(self, inputs: Any) -> SparseTensor:
        features = []
        for column in self._leaves():
            if isinstance(column, _SparseColumn):
                features.append(inputs.get(column.name))
            else:
                features.append(column.to_sparse_tensor(inputs.get(column)))
        return sparse_feature_cross(
            features, hashed_output=True, num_buckets=self.hash_bucket_size, hash_key=self.hash_key, name="cross"
        )

    def insert_transformed_feature(self, columns_to_tensors: Any) -> None:
        columns_to_tensors[self] = self._transform_feature(Builder(columns_to_tensors))

    @property
    def _num_buckets(self) -> int:
        return self.length

    def _get_sparse_tensors(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Ids:
        return Ids(inputs.get(self), None)


class Builder:
    """Features by name, and what columns make of them, made when it is asked for."""

    def __init__(self, columns_to_tensors: Any) -> None:
        self._columns_to_tensors = columns_to_tensors

    def get(self, key: Any) -> Any:
        """Raises:
        ValueError: there is no such feature.
        TypeError: ``key`` is neither a name nor a column.
        """
        if key in self._columns_to_tensors:
            return self._columns_to_tensors[key]
        if isinstance(key, str):
            raise ValueError(f"features dictionary doesn't contain key ({key})")
        if not isinstance(key, Column):
            raise TypeError(f'"key" must be either a "str" or "_FeatureColumn". Provided: {key}')
        return made_by(key, self._columns_to_tensors)


def crossed_column(
    columns: Any, hash_bucket_size: int, combiner: str = "sum", ckpt_to_load_from: Any = None,
    tensor_name_in_ckpt: Any = None, hash_key: int | None = None,
) -> Any:  # fmt: skip
    """The combinations of the categories of ``columns``, as hashes below ``hash_bucket_size``.

    Raises:
      TypeError: a column has no categories.
      ValueError: there are less than two columns or buckets, or of checkpoint and tensor one is missing.
    """
    for column in columns:
        if not isinstance(column, _SparseColumn | _CrossedColumn | _BucketizedColumn):
            raise TypeError(
                "columns must be a set of _SparseColumn, _CrossedColumn, or _BucketizedColumn instances. "
                f"(column {column} is a {type(column).__name__})"
            )
    if len(columns) < 2:
        raise ValueError(f"columns must contain at least 2 elements. columns: {columns}")
    if hash_bucket_size < 2:
        raise ValueError(f"hash_bucket_size must be at least 2. hash_bucket_size: {hash_bucket_size}")
    check_checkpoint(ckpt_to_load_from, tensor_name_in_ckpt)
    ordered = tuple(sorted(columns, key=lambda column: column.name))
    return _CrossedColumn(ordered, hash_bucket_size, hash_key, combiner, ckpt_to_load_from, tensor_name_in_ckpt)
