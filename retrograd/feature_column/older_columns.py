"""The first feature columns, of ``tf.contrib.layers``: what each feature of an example means to a model.

A column is a record; its ``key`` is the text of the record, by which models sort columns.  ``transformed`` of a column
is what a dictionary of features keeps for it; a deep model gets it as numbers, a linear one as ids of weights.  The
columns serve in ``tf.feature_column``'s functions too.  Source: TensorFlow 1.15.5,
``contrib/layers/python/layers/feature_column.py``: names, keys, messages, order of nodes.
"""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from retrograd.feature_column.protocol import Ids, OldCategoricalColumn, OldDenseColumn
from retrograd.graph import dtypes, log, nest
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.io.lookup import index_table_from_file, index_table_from_tensor
from retrograd.nn.contrib.older_layers import _inner_flatten, dense_to_sparse_tensor
from retrograd.ops import arithmetic, arrays, casts, constants, joining, repeating, sparse, sparse_joining, strings
from retrograd.ops.comparison import bucketize
from retrograd.ops.example_features import FixedLenFeature, FixedLenSequenceFeature, VarLenFeature
from retrograd.ops.indexing import one_hot
from retrograd.ops.permuting import transpose
from retrograd.ops.reductions import reduce_sum
from retrograd.ops.sparse_crossing import sparse_feature_cross
from retrograd.state.initializers import truncated_normal_initializer, zeros_initializer


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

    _fields: tuple[str, ...]
    _hidden: tuple[str, ...] = ()  # fields that the key leaves out
    name: str
    config: dict[str, Any]

    def __repr__(self) -> str:
        fields = (f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True))  # type: ignore[call-overload]
        return f"{type(self).__name__}({', '.join(fields)})"

    @property
    def key(self) -> str:
        """The text of the record, without what has no text of its own."""
        if not self._hidden:
            return str(self)
        shown = [f for f in zip(self._fields, self, strict=True) if f[0] not in self._hidden]  # type: ignore[call-overload]
        return f"{type(self).__name__}({', '.join(f'{field}={value}' for field, value in shown)})"

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


def _spec_of(column: Any) -> dict[str, Any]:
    if not isinstance(column, Column):
        raise TypeError(f"feature_columns should only contain instances of _FeatureColumn. Given column is {column}")
    return column.config


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
        words = strings.as_string(feature.values) if self.dtype.is_integer else feature.values
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
            feature = SparseTensor(feature.indices, strings.as_string(feature.values), feature.dense_shape)
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
        return {**_spec_of(self.sparse_id_column), self.weight_column_name: VarLenFeature(self.dtype)}

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
        ids = _transformed(self.sparse_id_column, columns_to_tensors)
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


def _transformed(column: Any, columns_to_tensors: Any) -> Any:
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
        return _spec_of(self.sparse_id_column)

    def insert_transformed_feature(self, columns_to_tensors: Any) -> None:
        columns_to_tensors[self] = _transformed(self.sparse_id_column, columns_to_tensors)

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


# -- embeddings --------------------------------------------------------------------------------


class _EmbeddingColumn(
    Column,
    OldDenseColumn,
    namedtuple(
        "_EmbeddingColumn",
        "sparse_id_column dimension combiner initializer ckpt_to_load_from tensor_name_in_ckpt shared_embedding_name "
        "shared_vocab_size max_norm trainable",
    ),
):
    """Categories as vectors that are learned."""

    _hidden = ("initializer",)

    def __new__(
        cls, sparse_id_column: Any, dimension: int, combiner: str = "mean", initializer: Any = None,
        ckpt_to_load_from: Any = None, tensor_name_in_ckpt: Any = None, shared_embedding_name: str | None = None,
        shared_vocab_size: int | None = None, max_norm: float | None = None, trainable: bool = True,
    ) -> Any:  # fmt: skip
        if initializer is not None and not callable(initializer):
            raise ValueError(
                f"initializer must be callable if specified. Embedding of column_name: {sparse_id_column.name}"
            )
        check_checkpoint(ckpt_to_load_from, tensor_name_in_ckpt)
        if initializer is None:
            log.warn(
                'The default stddev value of initializer was changed from "1/sqrt(vocab_size)" to "1/sqrt(dimension)" '
                "in core implementation (tf.feature_column.embedding_column)."
            )
            initializer = truncated_normal_initializer(mean=0.0, stddev=1 / math.sqrt(sparse_id_column.length))
        return super().__new__(
            cls, sparse_id_column, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt,
            shared_embedding_name, shared_vocab_size, max_norm, trainable,
        )  # fmt: skip

    @property
    def name(self) -> str:
        """The name of the categories, marked."""
        kind = "embedding" if self.shared_embedding_name is None else "shared_embedding"
        return f"{self.sparse_id_column.name}_{kind}"

    @property
    def length(self) -> int:
        """How many vectors there are."""
        return self.sparse_id_column.length if self.shared_vocab_size is None else self.shared_vocab_size  # type: ignore[no-any-return]

    @property
    def config(self) -> dict[str, Any]:
        """How examples are parsed for it."""
        return _spec_of(self.sparse_id_column)

    def insert_transformed_feature(self, columns_to_tensors: Any) -> None:
        columns_to_tensors[self] = _transformed(self.sparse_id_column, columns_to_tensors)

    def deep_lookup(self, transformed: Any) -> DeepLookup:
        column = self.sparse_id_column
        return DeepLookup(
            column.id_tensor(transformed), column.weight_tensor(transformed), self.length, self.initializer,
            self.combiner, self.dimension, self.shared_embedding_name, None, self.max_norm, self.trainable,
        )  # fmt: skip

    def checkpoint(self) -> Any:
        if self.ckpt_to_load_from is None:
            return None
        return self.ckpt_to_load_from, self.tensor_name_in_ckpt

    def linear_lookup(self, transformed: Any) -> LinearLookup:
        raise ValueError(f"Column {self} is not supported in linear models. Please use sparse_column.")

    @property
    def _variable_shape(self) -> TensorShape:
        return TensorShape([self.dimension])

    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Tensor:
        from retrograd.feature_column.older_models import embedded

        return embedded(self, self.deep_lookup(inputs.get(self)), weight_collections, trainable)

    def _transform_feature(self, inputs: Any) -> Any:
        return inputs.get(self.sparse_id_column)


def check_checkpoint(path: Any, tensor_name: Any) -> None:
    """Raises:
    ValueError: one of both is missing.
    """
    if (path is None) != (tensor_name is None):
        raise ValueError("Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them.")


def embedding_column(
    sparse_id_column: Any, dimension: int, combiner: str = "mean", initializer: Any = None,
    ckpt_to_load_from: Any = None, tensor_name_in_ckpt: Any = None, max_norm: float | None = None,
    trainable: bool = True,
) -> Any:  # fmt: skip
    """The categories of a column as vectors of ``dimension`` numbers, learned; of several in an example the mean.

    Raises:
      ValueError: ``initializer`` is no function, or of checkpoint and tensor one is missing.
    """
    return _EmbeddingColumn(
        sparse_id_column, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, max_norm=max_norm,
        trainable=trainable,
    )  # fmt: skip


def shared_embedding_columns(
    sparse_id_columns: Any, dimension: int, combiner: str = "mean", shared_embedding_name: str | None = None,
    initializer: Any = None, ckpt_to_load_from: Any = None, tensor_name_in_ckpt: Any = None,
    max_norm: float | None = None, trainable: bool = True,
) -> Any:  # fmt: skip
    """An embedding of each column, all of one variable.

    Raises:
      TypeError: an item is no column of categories.
      ValueError: there is none, or their categories are not the same.
    """
    if not isinstance(sparse_id_columns, Sequence) or isinstance(sparse_id_columns, str):
        raise TypeError(
            "sparse_id_columns must be a non-string sequence (ex: list or tuple) instead of type "
            f"{type(sparse_id_columns)}."
        )
    if len(sparse_id_columns) < 1:
        raise ValueError("The input sparse_id_columns should have at least one element.")
    for column in sparse_id_columns:
        if not isinstance(column, _SparseColumn | _WeightedSparseColumn):
            raise TypeError(
                f"Elements of sparse_id_columns must be _SparseColumn or _WeightedSparseColumn, but {column} is not."
            )
    first, *others = sparse_id_columns
    if isinstance(first, _WeightedSparseColumn):
        compatible = all([first.is_compatible(c) for c in others])
    else:
        compatible = all([c.is_compatible(first) for c in others])
    if not compatible:
        raise ValueError("The input sparse id columns are not compatible.")
    if others and not shared_embedding_name:
        shared_embedding_name = _shared_name(sparse_id_columns)
    made = [
        _EmbeddingColumn(
            c, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, shared_embedding_name,
            first.length if others else None, max_norm, trainable,
        )
        for c in sparse_id_columns
    ]  # fmt: skip
    return tuple(made) if others else made


def _shared_name(columns: Sequence[Any]) -> str:
    plain = sorted(c for c in columns if isinstance(c, _SparseColumn))
    weighted = sorted((c for c in columns if not isinstance(c, _SparseColumn)), key=lambda c: c.name)
    names = [c.name for c in [*plain, *weighted]]
    more = f"_plus_{len(names) - 3}_others" if len(names) > 3 else ""
    return f"{'_'.join(names[:3])}{more}_shared_embedding"


class _ScatteredEmbeddingColumn(
    Column,
    OldDenseColumn,
    namedtuple("_ScatteredEmbeddingColumn", "column_name size dimension hash_key combiner initializer"),
):
    """Categories as vectors whose numbers stand in one small variable, each where a hash says."""

    _hidden = ("initializer",)

    @property
    def name(self) -> str:
        """The feature's, marked."""
        return f"{self.column_name}_scattered_embedding"

    @property
    def config(self) -> dict[str, Any]:
        """How examples are parsed for it."""
        return {self.column_name: VarLenFeature(dtypes.string)}

    def insert_transformed_feature(self, columns_to_tensors: Any) -> None:
        columns_to_tensors[self] = columns_to_tensors[self.column_name]

    def deep_lookup(self, transformed: Any) -> DeepLookup:
        return DeepLookup(
            transformed, None, self.size, self.initializer, self.combiner, self.dimension, None, self.hash_key, None,
            True,
        )  # fmt: skip

    @property
    def _variable_shape(self) -> TensorShape:
        return TensorShape([self.dimension])

    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Tensor:
        from retrograd.feature_column.older_models import embedded

        return embedded(self, self.deep_lookup(inputs.get(self)), weight_collections, trainable)

    def _transform_feature(self, inputs: Any) -> Any:
        return inputs.get(self.column_name)


def scattered_embedding_column(
    column_name: str, size: int, dimension: int, hash_key: int, combiner: str = "mean", initializer: Any = None
) -> Any:
    """Words as vectors; component i of word w is the number at hash(i, w) of a variable of ``size`` numbers.

    Raises:
      ValueError: a size is below 1, there is no such combiner, or ``initializer`` is no function.
    """
    if dimension < 1 or size < 1:
        raise ValueError(
            f"Dimension and size must be greater than 0. dimension: {dimension}, size: {size}, column_name: "
            f"{column_name}"
        )
    if combiner not in ("mean", "sqrtn", "sum"):
        raise ValueError(
            f"Combiner must be one of 'mean', 'sqrtn' or 'sum'. combiner: {combiner}, column_name: {column_name}"
        )
    if initializer is not None and not callable(initializer):
        raise ValueError(f"initializer must be callable if specified. column_name: {column_name}")
    initializer = initializer or truncated_normal_initializer(mean=0.0, stddev=0.1)
    return _ScatteredEmbeddingColumn(column_name, size, dimension, hash_key, combiner, initializer)


# -- numbers -----------------------------------------------------------------------------------


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


class _RealValuedColumn(
    Column, OldDenseColumn, namedtuple("_RealValuedColumn", "column_name dimension default_value dtype normalizer")
):
    """Numbers."""

    _hidden = ("normalizer",)

    @property
    def name(self) -> str:
        """The feature's."""
        return self.column_name  # type: ignore[no-any-return]

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

    def numbers(self, transformed: Any, output_rank: int) -> Tensor:
        return of_rank(transformed, output_rank, self.name)  # type: ignore[no-any-return]

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
    Column, namedtuple("_RealValuedVarLenColumn", "column_name default_value dtype normalizer is_sparse")
):
    """As many numbers as an example has."""

    _hidden = ("normalizer",)

    @property
    def name(self) -> str:
        """The feature's."""
        return self.column_name  # type: ignore[no-any-return]

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

    def numbers(self, transformed: Any, output_rank: int) -> Tensor:
        return of_rank(self.dense(transformed), output_rank, self.name)  # type: ignore[no-any-return]

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
    if any(a > b for a, b in zip(boundaries, boundaries[1:], strict=False)):
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
        return {key: value for column in self.columns for key, value in _spec_of(column).items()}

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
        return _transformed(key, self._columns_to_tensors)


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


# -- parsing -----------------------------------------------------------------------------------


def create_feature_spec_for_parsing(feature_columns: Any) -> dict[str, Any]:
    """The features that the columns read, as ``tf.io.parse_example`` wants them.

    Raises:
      TypeError: an item is no column.
    """
    columns = feature_columns.values() if isinstance(feature_columns, dict) else feature_columns
    return {key: value for column in columns for key, value in _spec_of(column).items()}


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
                'Found default value %s for feature "%s". Ignoring this value and setting `allow_missing=True` instead.',
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
