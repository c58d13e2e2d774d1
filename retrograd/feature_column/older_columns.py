"""The first feature columns, of ``tf.contrib.layers``: what each feature of an example means to a model.

A column is a record; its ``key`` is the text of the record, by which models sort columns.  ``transformed`` of a column
is what a dictionary of features keeps for it; a deep model gets it as numbers, a linear one as ids of weights.  The
columns serve in ``tf.feature_column``'s functions too.  Source: TensorFlow 1.15.5,
``contrib/layers/python/layers/feature_column.py``: names, keys, messages, order of nodes.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any, NamedTuple

from retrograd.feature_column.protocol import Ids, OldCategoricalColumn, OldDenseColumn
from retrograd.graph import dtypes, log, nest
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.io.lookup import index_table_from_file, index_table_from_tensor
from retrograd.nn.contrib.older_layers import _inner_flatten, dense_to_sparse_tensor
from retrograd.ops import arithmetic, arrays, casts, constants, joining, sparse, sparse_joining, string_numbers, strings
from retrograd.ops.example_features import FixedLenSequenceFeature, VarLenFeature
from retrograd.ops.indexing import one_hot
from retrograd.ops.reductions import reduce_sum
from retrograd.state.initializers import zeros_initializer


class LinearLookup(NamedTuple):
    """What a linear model looks up of a column: ids, their weights or None, and of how many there are weights."""

    input_tensor: Any
    weight_tensor: Any
    vocab_size: int
    initializer: Any
    combiner: str


class DeepLookup(NamedTuple):
    """What a deep model looks up of a column, and in which variable."""

    input_tensor: Any
    weight_tensor: Any
    vocab_size: int
    initializer: Any
    combiner: str
    dimension: int
    shared_embedding_name: str | None
    hash_key: int | None
    max_norm: float | None
    trainable: bool


class Column:
    """What the columns have in common."""

    _hidden: tuple[str, ...] = ()  # fields that the key leaves out

    @property
    def name(self) -> str:
        """The name, and that of the scope of its variables."""
        raise NotImplementedError

    @property
    def config(self) -> dict[str, Any]:
        """How examples are parsed for it."""
        raise NotImplementedError

    def _texts(self) -> list[tuple[str, Any]]:
        return list(self._asdict().items())  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{field}={value!r}' for field, value in self._texts())})"

    @property
    def key(self) -> str:
        """The text of the record, without what has no text of its own."""
        if not self._hidden:
            return str(self)
        shown = (f"{field}={value}" for field, value in self._texts() if field not in self._hidden)
        return f"{type(self).__name__}({', '.join(shown)})"

    @property
    def _parse_example_spec(self) -> dict[str, Any]:
        return self.config

    def insert_transformed_feature(self, columns_to_tensors: Any) -> None:
        """Add what this column makes of the features to their dictionary."""
        raise NotImplementedError(f"Transform is not implemented for {self}.")

    def numbers(self, transformed: Any, output_rank: int) -> Tensor:
        """What a deep model gets."""
        raise ValueError("Calling an abstract method.")

    def deep_lookup(self, transformed: Any) -> DeepLookup:
        """What a deep model looks up.

        Raises:
          NotImplementedError: nothing; the column gives numbers.
        """
        raise NotImplementedError(f"No deep embedding lookup arguments for column {self}.")

    def linear_lookup(self, transformed: Any) -> LinearLookup:
        """What a linear model looks up.

        Raises:
          NotImplementedError: nothing; the column gives numbers.
        """
        raise NotImplementedError(f"No wide embedding lookup arguments for column {self}.")

    def dense(self, transformed: Any) -> Any:
        """What a linear model multiplies with weights."""
        raise NotImplementedError(f"No dense tensor representation for column {self}.")

    def checkpoint(self) -> Any:
        """The checkpoint and the tensor in it that the weights begin with, or None."""
        return None


def spec_of(column: Any) -> dict[str, Any]:
    if not isinstance(column, Column):
        raise TypeError(f"feature_columns should only contain instances of _FeatureColumn. Given column is {column}")
    return column.config


def of_rank(x: Any, rank: int, column_name: str | None = None) -> Any:
    """``x`` with its last dimensions made one, or with one more, so that there are ``rank``.

    Raises:
      ValueError: more than one dimension is missing.
    """
    known = x.get_shape().ndims
    if known is not None and rank > known + 1:
        of_column = "" if column_name is None else f"Error while processing column {column_name}."
        raise ValueError(f"{of_column}{rank_error(known, rank)}")
    if known is not None and rank == known + 1:
        log.warning(
            "Rank of input Tensor (%s) should be the same as output_rank (%s) for column. Will attempt to expand dims.",
            known, rank,
        )  # fmt: skip
        return arrays.expand_dims(x, -1, name="expand_dims")
    return x if known == rank else _inner_flatten(x, rank)


def rank_error(known: int, rank: int) -> str:
    """What is wrong where more than one dimension is missing."""
    return (
        f"Rank of input Tensor ({known}) should be the same as output_rank ({rank}). For example, sequence data should "
        "typically be 3 dimensional (rank 3) while non-sequence data is typically 2 dimensional (rank 2)."
    )


def check_checkpoint(path: Any, tensor_name: Any) -> None:
    """Raises:
    ValueError: one of both is missing.
    """
    if (path is None) != (tensor_name is None):
        raise ValueError("Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them.")


# -- categories --------------------------------------------------------------------------------


class LookupConfig(NamedTuple):
    """Which words are which ids."""

    vocabulary_file: Any = None
    keys: Any = None
    num_oov_buckets: int = 0
    vocab_size: int | None = None
    default_value: int = -1

    def __repr__(self) -> str:
        fields = (f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True))
        return f"_SparseIdLookupConfig({', '.join(fields)})"


class _SparseColumn(
    Column,
    OldCategoricalColumn,
    namedtuple("_SparseColumn", "column_name is_integerized bucket_size lookup_config combiner dtype"),
):
    """Categories: words or whole numbers that become ids."""

    def __new__(
        cls, column_name: str, is_integerized: bool = False, bucket_size: int | None = None,
        lookup_config: LookupConfig | None = None, combiner: str = "sum", dtype: Any = dtypes.string,
    ) -> Any:  # fmt: skip
        if is_integerized and bucket_size is None:
            raise ValueError(f"bucket_size must be set if is_integerized is True. column_name: {column_name}")
        if is_integerized and not dtype.is_integer:
            raise ValueError(
                f"dtype must be an integer if is_integerized is True. dtype: {dtype}, column_name: {column_name}."
            )
        if dtype != dtypes.string and not dtype.is_integer:
            raise ValueError(f"dtype must be string or integer. dtype: {dtype}, column_name: {column_name}")
        if bucket_size is not None and bucket_size < 1:
            raise ValueError(f"bucket_size must be at least 1. bucket_size: {bucket_size}, column_name: {column_name}")
        return super().__new__(cls, column_name, is_integerized, bucket_size, lookup_config, combiner, dtype)

    @property
    def name(self) -> str:
        """The feature's."""
        return self.column_name  # type: ignore[no-any-return]

    @property
    def length(self) -> int:
        """How many ids there are."""
        if self.bucket_size is not None:
            return self.bucket_size  # type: ignore[no-any-return]
        return self.lookup_config.vocab_size + self.lookup_config.num_oov_buckets  # type: ignore[no-any-return]

    @property
    def config(self) -> dict[str, Any]:
        """How examples are parsed for it."""
        return {self.column_name: VarLenFeature(self.dtype)}

    def id_tensor(self, transformed: Any) -> Any:
        """The ids."""
        return transformed

    def weight_tensor(self, transformed: Any) -> Any:
        """None."""
        return None

    def numbers(self, transformed: Any, output_rank: int) -> Tensor:
        raise ValueError(
            f"SparseColumn is not supported in DNN. Please use embedding_column or one_hot_column. column: {self}"
        )

    def linear_lookup(self, transformed: Any) -> LinearLookup:
        return LinearLookup(
            self.id_tensor(transformed),
            self.weight_tensor(transformed),
            self.length,
            zeros_initializer(),
            self.combiner,
        )

    def _as_sparse(self, feature: Any) -> SparseTensor:
        """A dense feature without its empty words and numbers -1."""
        if isinstance(feature, SparseTensor):
            return feature
        ignored = "" if feature.dtype == dtypes.string else -1
        return dense_to_sparse_tensor(of_rank(feature, 2, self.name), ignore_value=ignored)

    def is_compatible(self, other: Any) -> bool:
        """Whether one embedding can serve both."""
        if self.lookup_config and other.lookup_config:
            return self.lookup_config == other.lookup_config  # type: ignore[no-any-return]
        are_numbers = self.dtype.is_integer and other.dtype.is_integer
        if self.length != other.length or not (self.dtype == other.dtype or are_numbers):
            return False
        log.warn("Column %s and %s may not have the same vocabulary.", self.name, other.name)
        return True

    def _ids(self, feature: SparseTensor) -> SparseTensor:
        raise NotImplementedError

    def insert_transformed_feature(self, columns_to_tensors: Any) -> None:
        columns_to_tensors[self] = self._ids(self._as_sparse(columns_to_tensors[self.name]))

    def _transform_feature(self, inputs: Any) -> SparseTensor:
        return self._ids(self._as_sparse(inputs.get(self.name)))

    @property
    def _num_buckets(self) -> int:
        return self.length

    def _get_sparse_tensors(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Ids:
        ids = inputs.get(self)
        return Ids(self.id_tensor(ids), self.weight_tensor(ids))


class _SparseColumnIntegerized(_SparseColumn):
    def _ids(self, feature: SparseTensor) -> SparseTensor:
        values = arithmetic.floormod(feature.values, self.bucket_size, name="mod")
        return SparseTensor(feature.indices, values, feature.dense_shape)


class _SparseColumnHashed(_SparseColumn):
    hash_keys: Any

    def _ids(self, feature: SparseTensor) -> SparseTensor:
        words = string_numbers.as_string(feature.values) if self.dtype.is_integer else feature.values
        if not self.hash_keys:
            ids = strings.string_to_hash_bucket_fast(words, self.bucket_size, name="lookup")
            return SparseTensor(feature.indices, ids, feature.dense_shape)
        several = []
        for key in self.hash_keys:
            ids = strings.string_to_hash_bucket_strong(words, self.bucket_size, key)
            several.append(SparseTensor(feature.indices, ids, feature.dense_shape))
        return sparse_joining.sparse_concat(axis=1, sp_inputs=several, name="lookup")


class _SparseColumnKeys(_SparseColumn):
    def _ids(self, feature: SparseTensor) -> SparseTensor:
        keys, default = tuple(self.lookup_config.keys), self.lookup_config.default_value
        table = index_table_from_tensor(mapping=keys, default_value=default, dtype=self.dtype, name="lookup")
        return table.lookup(feature)  # type: ignore[no-any-return]


class _SparseColumnVocabulary(_SparseColumn):
    def _ids(self, feature: SparseTensor) -> SparseTensor:
        if self.dtype.is_integer:
            feature = SparseTensor(feature.indices, string_numbers.as_string(feature.values), feature.dense_shape)
        known = self.lookup_config
        table = index_table_from_file(
            vocabulary_file=known.vocabulary_file, num_oov_buckets=known.num_oov_buckets, vocab_size=known.vocab_size,
            default_value=known.default_value, name=f"{self.name}_lookup",
        )  # fmt: skip
        return table.lookup(feature)  # type: ignore[no-any-return]


def sparse_column_with_integerized_feature(
    column_name: str, bucket_size: int, combiner: str = "sum", dtype: Any = dtypes.int64
) -> Any:
    """Categories that are whole numbers; the id is the number modulo ``bucket_size``.

    Raises:
      ValueError: ``bucket_size`` is below 1, or ``dtype`` is of no whole numbers.
    """
    return _SparseColumnIntegerized(column_name, True, bucket_size, None, combiner, dtype)


def sparse_column_with_hash_bucket(
    column_name: str, hash_bucket_size: int, combiner: str = "sum", dtype: Any = dtypes.string, hash_keys: Any = None
) -> Any:
    """Categories whose ids are hashes: one of each of ``hash_keys``, pairs of numbers, or the fingerprint's.

    Raises:
      ValueError: the size is below 1, the dtype neither string nor integer, or ``hash_keys`` no list of pairs.
    """
    if hash_keys is not None:
        if not isinstance(hash_keys, list) or not hash_keys:
            raise ValueError("hash_keys must be a non-empty list.")
        pairs = all(isinstance(pair, list) and len(pair) == 2 for pair in hash_keys)
        if not pairs or any(not isinstance(key, int) for key in nest.flatten(hash_keys)):
            raise ValueError("Each element of hash_keys must be a pair of integers.")
    column = _SparseColumnHashed(column_name, False, hash_bucket_size, None, combiner, dtype)
    column.hash_keys = hash_keys
    return column


def sparse_column_with_keys(
    column_name: str, keys: Any, default_value: int = -1, combiner: str = "sum", dtype: Any = dtypes.string
) -> Any:
    """Categories of a list; the id is the place in ``keys``, and ``default_value`` for what is not there."""
    keys = tuple(keys)
    known = LookupConfig(keys=keys, vocab_size=len(keys), default_value=default_value)
    return _SparseColumnKeys(column_name, lookup_config=known, combiner=combiner, dtype=dtype)


def sparse_column_with_vocabulary_file(
    column_name: str, vocabulary_file: Any, num_oov_buckets: int = 0, vocab_size: int | None = None,
    default_value: int = -1, combiner: str = "sum", dtype: Any = dtypes.string,
) -> Any:  # fmt: skip
    """Categories of a file, one in each line; the id is the line's number.

    Raises:
      ValueError: there is no ``vocab_size``.
    """
    if vocab_size is None:
        raise ValueError(f"vocab_size should be defined. column_name: {column_name}")
    known = LookupConfig(vocabulary_file, None, num_oov_buckets, vocab_size, default_value)
    return _SparseColumnVocabulary(column_name, lookup_config=known, combiner=combiner, dtype=dtype)


class _WeightedSparseColumn(
    Column, OldCategoricalColumn, namedtuple("_WeightedSparseColumn", "sparse_id_column weight_column_name dtype")
):
    """Categories, each with a weight of another feature."""

    @property
    def name(self) -> str:
        """Both names."""
        return f"{self.sparse_id_column.name}_weighted_by_{self.weight_column_name}"

    @property
    def length(self) -> int:
        """How many ids there are."""
        return self.sparse_id_column.length  # type: ignore[no-any-return]

    @property
    def config(self) -> dict[str, Any]:
        """How examples are parsed for it."""
        return {**spec_of(self.sparse_id_column), self.weight_column_name: VarLenFeature(self.dtype)}

    @property
    def lookup_config(self) -> Any:
        """Of the categories."""
        return self.sparse_id_column.lookup_config

    def id_tensor(self, transformed: Any) -> Any:
        """The ids."""
        return transformed[0]

    def weight_tensor(self, transformed: Any) -> Any:
        """The weights."""
        return transformed[1]

    def numbers(self, transformed: Any, output_rank: int) -> Tensor:
        raise ValueError(
            "WeightedSparseColumn is not supported in DNN. Please use embedding_column or one_hot_column. column: "
            f"{self}"
        )

    def linear_lookup(self, transformed: Any) -> LinearLookup:
        combiner = self.sparse_id_column.combiner
        return LinearLookup(transformed[0], transformed[1], self.length, zeros_initializer(), combiner)

    def _both(self, ids: Any, weights: Any) -> tuple[Any, Any]:
        if not isinstance(weights, SparseTensor):
            weights = dense_to_sparse_tensor(weights)
        return ids, weights if self.dtype.is_floating else casts.cast(weights, dtypes.float32)

    def insert_transformed_feature(self, columns_to_tensors: Any) -> None:
        ids = made_by(self.sparse_id_column, columns_to_tensors)
        columns_to_tensors[self] = self._both(ids, columns_to_tensors[self.weight_column_name])

    def _transform_feature(self, inputs: Any) -> Any:
        return self._both(inputs.get(self.sparse_id_column), inputs.get(self.weight_column_name))

    @property
    def _num_buckets(self) -> int:
        return self.length

    def _get_sparse_tensors(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Ids:
        return Ids(*inputs.get(self))

    def is_compatible(self, other: Any) -> bool:
        """Whether one embedding can serve both."""
        mine = self.sparse_id_column
        is_weighted = isinstance(other, _WeightedSparseColumn)
        return mine.is_compatible(other.sparse_id_column if is_weighted else other)  # type: ignore[no-any-return]


def made_by(column: Any, columns_to_tensors: Any) -> Any:
    if column not in columns_to_tensors:
        column.insert_transformed_feature(columns_to_tensors)
    return columns_to_tensors[column]


def weighted_sparse_column(sparse_id_column: Any, weight_column_name: str, dtype: Any = dtypes.float32) -> Any:
    """The categories of a column, weighted by the feature ``weight_column_name``.

    Raises:
      ValueError: ``dtype`` is no number's.
    """
    if not (dtype.is_integer or dtype.is_floating):
        raise ValueError(f"dtype is not convertible to float. Given {dtype}")
    return _WeightedSparseColumn(sparse_id_column, weight_column_name, dtype)


class _OneHotColumn(Column, OldDenseColumn, namedtuple("_OneHotColumn", "sparse_id_column")):
    """How often each category stands in an example."""

    @property
    def name(self) -> str:
        """The name of the categories, marked."""
        return f"{self.sparse_id_column.name}_one_hot"

    @property
    def length(self) -> int:
        """How many ids there are."""
        return self.sparse_id_column.length  # type: ignore[no-any-return]

    @property
    def config(self) -> dict[str, Any]:
        """How examples are parsed for it."""
        return spec_of(self.sparse_id_column)

    def insert_transformed_feature(self, columns_to_tensors: Any) -> None:
        columns_to_tensors[self] = made_by(self.sparse_id_column, columns_to_tensors)

    def numbers(self, transformed: Any, output_rank: int) -> Tensor:
        ids = _inner_flatten(self.sparse_id_column.id_tensor(transformed), output_rank)
        weights = self.sparse_id_column.weight_tensor(transformed)
        if weights is None:
            dense = sparse.sparse_tensor_to_dense(ids, default_value=-1)
            marks = one_hot(dense, depth=self.length, on_value=1.0, off_value=0.0)
            return reduce_sum(marks, axis=[output_rank - 1])
        merged = sparse_joining.sparse_merge(sp_ids=ids, sp_values=weights, vocab_size=self.length)
        begin = constants.zeros_like(merged.dense_shape)
        merged = sparse_joining.sparse_slice(merged, begin, merged.dense_shape)
        dense = sparse.sparse_tensor_to_dense(merged)
        batch = arrays.shape(dense)[:-1]
        return arrays.reshape(dense, joining.concat([batch, [self.length]], axis=0))

    @property
    def _variable_shape(self) -> TensorShape:
        return TensorShape([self.length])

    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Tensor:
        return inputs.get(self)  # type: ignore[no-any-return]

    def _transform_feature(self, inputs: Any) -> Tensor:
        return self.numbers(inputs.get(self.sparse_id_column), 2)


def one_hot_column(sparse_id_column: Any) -> Any:
    """The categories of a column as numbers: how often each stands in an example."""
    return _OneHotColumn(sparse_id_column)


# -- parsing -----------------------------------------------------------------------------------


def create_feature_spec_for_parsing(feature_columns: Any) -> dict[str, Any]:
    """The features that the columns read, as ``tf.io.parse_example`` wants them.

    Raises:
      TypeError: an item is no column.
    """
    columns = feature_columns.values() if isinstance(feature_columns, dict) else feature_columns
    return {key: value for column in columns for key, value in spec_of(column).items()}


def sequence_spec(feature_columns: Any, allow_missing_by_default: bool = False) -> dict[str, Any]:
    """The same for the steps of a sequence."""
    spec: dict[str, Any] = {}
    for key, feature in create_feature_spec_for_parsing(feature_columns).items():
        if isinstance(feature, VarLenFeature):
            spec[key] = feature
            continue
        has_default = feature.default_value is not None
        if has_default:
            log.warning(
                'Found default value %s for feature "%s". Ignoring this value and setting `allow_missing`.',
                feature.default_value, key,
            )  # fmt: skip
        missing = allow_missing_by_default or has_default
        spec[key] = FixedLenSequenceFeature(shape=feature.shape, dtype=feature.dtype, allow_missing=missing)
    return spec


def make_place_holder_tensors_for_base_features(feature_columns: Any) -> dict[str, Any]:
    """A placeholder of each feature that the columns read."""
    places: dict[str, Any] = {}
    for name, kind in create_feature_spec_for_parsing(feature_columns).items():
        if isinstance(kind, VarLenFeature):
            places[name] = sparse.sparse_placeholder(kind.dtype, name=f"Placeholder_{name}")
        else:
            places[name] = constants.placeholder(kind.dtype, shape=(None, kind.shape[0]), name=f"Placeholder_{name}")
    return places
