"""Numbers made of categories: one for each category, or a trained vector for each, perhaps shared by columns."""

from __future__ import annotations

import math
from collections import namedtuple
from collections.abc import Sequence
from typing import Any

from retrograd.feature_column.combining import WeightedCategoricalColumn
from retrograd.feature_column.features import sequence_length_from_sparse_tensor
from retrograd.feature_column.protocol import (
    CategoricalColumn,
    ColumnRecord,
    DenseColumn,
    Ids,
    OldCategoricalColumn,
    OldDenseColumn,
    OldSequenceDenseColumn,
    SequenceDenseColumn,
    Steps,
)
from retrograd.feature_column.sequence import SequenceCategoricalColumn
from retrograd.graph import dtypes
from retrograd.graph.scopes import add_to_collection, get_collection, name_scope
from retrograd.graph.shapes import TensorShape
from retrograd.graph.stack import default_graph
from retrograd.graph.tensor import Tensor
from retrograd.io.checkpoint_values import init_from_checkpoint
from retrograd.nn.embeddings import safe_embedding_lookup_sparse
from retrograd.ops import indexing, reductions, scattering, sparse, sparse_joining
from retrograd.state.initializers import TruncatedNormal
from retrograd.state.partitioned import PartitionedVariable
from retrograd.state.scopes import get_variable


class _OfCategories(ColumnRecord, DenseColumn, SequenceDenseColumn, OldDenseColumn, OldSequenceDenseColumn):
    """Numbers made of the categories of one column, which may be those of a sequence."""

    categorical_column: Any
    _maker = "embedding_column"

    @property
    def parse_example_spec(self) -> dict[str, Any]:
        """What the column of categories reads."""
        return self.categorical_column.parse_example_spec  # type: ignore[no-any-return]

    @property
    def parents(self) -> list[Any]:
        """The column of categories."""
        return [self.categorical_column]

    def _numbers(self, transformation_cache: Any, state_manager: Any) -> Tensor:
        raise NotImplementedError

    def get_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Tensor:
        """The numbers of each example.

        Raises:
          ValueError: the categories are those of a sequence.
        """
        if isinstance(self.categorical_column, SequenceCategoricalColumn):
            raise ValueError(
                f"In {self._maker}: {self.name}. categorical_column must not be of type SequenceCategoricalColumn. "
                "Suggested fix A: If you wish to use DenseFeatures, use a non-sequence categorical_column_with_*. "
                "Suggested fix B: If you wish to create sequence input, use SequenceFeatures instead of DenseFeatures. "
                f"Given (type {type(self.categorical_column)}): {self.categorical_column}"
            )
        return self._numbers(transformation_cache, state_manager)

    def get_sequence_dense_tensor(self, transformation_cache: Any, state_manager: Any) -> Steps:
        """The numbers of each step.

        Raises:
          ValueError: the categories are not those of a sequence.
        """
        if not isinstance(self.categorical_column, SequenceCategoricalColumn):
            raise ValueError(
                f"In {self._maker}: {self.name}. categorical_column must be of type SequenceCategoricalColumn to use "
                "SequenceFeatures. Suggested fix: Use one of sequence_categorical_column_with_*. "
                f"Given (type {type(self.categorical_column)}): {self.categorical_column}"
            )
        return self._sequence(transformation_cache, state_manager)

    def _sequence(self, transformation_cache: Any, state_manager: Any) -> Steps:
        dense = self._numbers(transformation_cache, state_manager)
        ids = self.categorical_column.get_sparse_tensors(transformation_cache, state_manager).id_tensor
        return Steps(dense, sequence_length_from_sparse_tensor(ids))


# -- one for each category ---------------------------------------------------------------------


class IndicatorColumn(_OfCategories, namedtuple("IndicatorColumn", ("categorical_column",))):
    """How often, or with how much weight, each category is there."""

    _maker = "indicator_column"

    @property
    def name(self) -> str:
        """The name of the categories, ``_indicator``."""
        return f"{self.categorical_column.name}_indicator"

    @property
    def variable_shape(self) -> TensorShape:
        """One number for each category."""
        return TensorShape([1, self.categorical_column.num_buckets])

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Tensor:
        """The sum of the one-hot rows of an example's ids, times their weights."""
        ids, weights = self.categorical_column.get_sparse_tensors(transformation_cache, state_manager)
        depth = self.categorical_column.num_buckets
        if weights is not None:
            weighted = sparse_joining.sparse_merge(ids, weights, vocab_size=int(depth))
            weighted = sparse_joining.sparse_slice(weighted, [0, 0], weighted.dense_shape)
            return scattering.scatter_nd(weighted.indices, weighted.values, weighted.dense_shape)
        dense = sparse.sparse_tensor_to_dense(ids, default_value=-1)
        rows = indexing.one_hot(dense, depth=depth, on_value=1.0, off_value=0.0)
        return reductions.reduce_sum(rows, axis=[-2])

    def _numbers(self, transformation_cache: Any, state_manager: Any) -> Tensor:
        return transformation_cache.get(self, state_manager)  # type: ignore[no-any-return]


def indicator_column(categorical_column: Any) -> IndicatorColumn:
    """A column of one number for each category: how often it is there."""
    return IndicatorColumn(categorical_column)


# -- a vector for each category ----------------------------------------------------------------


def _embedded(column: Any, ids: Ids, weights: Any) -> Tensor:
    """The combined vectors of each example's categories."""
    return safe_embedding_lookup_sparse(
        embedding_weights=weights, sparse_ids=ids.id_tensor, sparse_weights=ids.weight_tensor,
        combiner=column.combiner, name=f"{column.name}_weights", max_norm=column.max_norm,
    )  # fmt: skip


def _begin_with_checkpoint(weights: Any, path: Any, name: Any) -> None:
    """Let the vectors begin with those of a checkpoint, if one is given."""
    if path is not None:
        init_from_checkpoint(path, {name: list(weights) if isinstance(weights, PartitionedVariable) else weights})


class EmbeddingColumn(
    _OfCategories,
    namedtuple(
        "EmbeddingColumn",
        (
            "categorical_column", "dimension", "combiner", "initializer", "ckpt_to_load_from", "tensor_name_in_ckpt",
            "max_norm", "trainable",
        ),
    ),
):  # fmt: skip
    """A trained vector for each category."""

    @property
    def name(self) -> str:
        """The name of the categories, ``_embedding``."""
        return f"{self.categorical_column.name}_embedding"

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """What the column of categories makes."""
        return transformation_cache.get(self.categorical_column, state_manager)

    @property
    def variable_shape(self) -> TensorShape:
        """The length of a vector."""
        return TensorShape([self.dimension])

    def create_state(self, state_manager: Any) -> None:
        """Make the table of the vectors."""
        state_manager.create_variable(
            self, name="embedding_weights", shape=(self.categorical_column.num_buckets, self.dimension),
            dtype=dtypes.float32, trainable=self.trainable, use_resource=True, initializer=self.initializer,
        )  # fmt: skip

    def _numbers(self, transformation_cache: Any, state_manager: Any) -> Tensor:
        ids = self.categorical_column.get_sparse_tensors(transformation_cache, state_manager)
        return self._looked_up(ids, state_manager)

    def _looked_up(self, ids: Ids, state_manager: Any) -> Tensor:
        weights = state_manager.get_variable(self, name="embedding_weights")
        _begin_with_checkpoint(weights, self.ckpt_to_load_from, self.tensor_name_in_ckpt)
        return _embedded(self, ids, weights)

    def _sequence(self, transformation_cache: Any, state_manager: Any) -> Steps:
        ids = self.categorical_column.get_sparse_tensors(transformation_cache, state_manager)
        dense = self._looked_up(ids, state_manager)
        return Steps(dense, sequence_length_from_sparse_tensor(ids.id_tensor))


def _checked_initializer(
    dimension: Any, initializer: Any, ckpt_to_load_from: Any, tensor_name_in_ckpt: Any, of: str
) -> Any:
    """The initializer of vectors of ``dimension`` numbers."""
    if dimension is None or dimension < 1:
        raise ValueError(f"Invalid dimension {dimension}.")
    if (ckpt_to_load_from is None) != (tensor_name_in_ckpt is None):
        raise ValueError("Must specify both `ckpt_to_load_from` and `tensor_name_in_ckpt` or none of them.")
    if initializer is not None and not callable(initializer):
        raise ValueError("initializer must be callable if specified." + of)
    return initializer or TruncatedNormal(mean=0.0, stddev=1 / math.sqrt(dimension))


def embedding_column(
    categorical_column: Any, dimension: int, combiner: str = "mean", initializer: Any = None,
    ckpt_to_load_from: Any = None, tensor_name_in_ckpt: Any = None, max_norm: float | None = None,
    trainable: bool = True,
) -> EmbeddingColumn:  # fmt: skip
    """A column of a trained vector for each category.

    Args:
      combiner: how the vectors of an example's categories become one: ``"mean"``, ``"sqrtn"`` or ``"sum"``.
      initializer: by default truncated normal, of standard deviation ``1 / sqrt(dimension)``.
      ckpt_to_load_from, tensor_name_in_ckpt: the checkpoint whose tensor the vectors begin with.
      max_norm: longer vectors are cut to this length.

    Raises:
      ValueError: the arguments do not fit together.
    """
    of = f" Embedding of column_name: {getattr(categorical_column, 'name', None)}"
    initializer = _checked_initializer(dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt, of)
    return EmbeddingColumn(
        categorical_column, dimension, combiner, initializer, ckpt_to_load_from, tensor_name_in_ckpt, max_norm,
        trainable,
    )  # fmt: skip


# -- vectors that columns share ----------------------------------------------------------------


def _check_alike(columns: Sequence[Any], kind: Any, word: str) -> int:
    """The number of categories that the columns have in common."""
    first = columns[0]
    buckets = first.num_buckets
    if not isinstance(first, kind):
        raise ValueError(
            f"All categorical_columns must be subclasses of {word}. Given: {first}, of type: {type(first)}"
        )
    if isinstance(first, WeightedCategoricalColumn):
        first = first.categorical_column
    for column in columns[1:]:
        if isinstance(column, WeightedCategoricalColumn):
            column = column.categorical_column
        if not isinstance(column, type(first)):
            raise ValueError(
                "To use shared_embedding_column, all categorical_columns must have the same type, or be "
                f"weighted_categorical_column of the same type. Given column: {first} of type: {type(first)} does not "
                f"match given column: {column} of type: {type(column)}"
            )
        if column.num_buckets != buckets:
            raise ValueError(
                "To use shared_embedding_column, all categorical_columns must have the same number of buckets. Given "
                f"column: {first} with buckets: {buckets} does  not match column: {column} with buckets: "
                f"{column.num_buckets}"
            )
    return int(buckets)


def _shared_name(columns: Sequence[Any]) -> str:
    return "_".join(c.name for c in columns) + "_shared_embedding"


class SharedEmbeddingColumnV1(
    OldDenseColumn, OldSequenceDenseColumn,
    namedtuple(
        "_SharedEmbeddingColumn",
        (
            "categorical_column", "dimension", "combiner", "initializer", "shared_embedding_collection_name",
            "ckpt_to_load_from", "tensor_name_in_ckpt", "max_norm", "trainable",
        ),
    ),
):  # fmt: skip
    """A trained vector for each category, from the table that a collection of the graph holds."""

    @property
    def name(self) -> str:
        """The name of the categories, ``_shared_embedding``."""
        return f"{self.categorical_column.name}_shared_embedding"

    @property
    def _var_scope_name(self) -> str:
        return self.shared_embedding_collection_name  # type: ignore[no-any-return]

    @property
    def _parse_example_spec(self) -> dict[str, Any]:
        return self.categorical_column._parse_example_spec  # type: ignore[no-any-return]

    def _transform_feature(self, inputs: Any) -> Any:
        return inputs.get(self.categorical_column)

    @property
    def _variable_shape(self) -> TensorShape:
        return TensorShape([self.dimension])

    def _numbers(self, inputs: Any, weight_collections: Any, trainable: Any) -> Tensor:
        with name_scope(None, default_name=self.name):
            ids = self.categorical_column._get_sparse_tensors(inputs, weight_collections, trainable)
            weights = self._table(weight_collections, trainable)
            _begin_with_checkpoint(weights, self.ckpt_to_load_from, self.tensor_name_in_ckpt)
            return _embedded(self, ids, weights)

    def _table(self, weight_collections: Any, trainable: Any) -> Any:
        shape = (self.categorical_column._num_buckets, self.dimension)
        there = get_collection(self.shared_embedding_collection_name)
        advice = (
            "Suggested fix A: Choose a unique name for this collection. Suggested fix B: Do not add any variables to "
            "this collection. The feature_column library already adds a variable under the hood."
        )
        if len(there) > 1:
            raise ValueError(f"Collection {there} can only contain one variable. {advice}")
        if there:
            found = there[0].get_shape()
            if found != shape:
                raise ValueError(
                    f"Shared embedding collection {self.shared_embedding_collection_name} contains variable "
                    f"{there[0].name} of unexpected shape {found}. Expected shape is {shape}. {advice}"
                )
            return there[0]
        weights = get_variable(
            name="embedding_weights", shape=shape, dtype=dtypes.float32, initializer=self.initializer,
            trainable=self.trainable and trainable, collections=weight_collections,
        )  # fmt: skip
        add_to_collection(self.shared_embedding_collection_name, weights)
        return weights

    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Tensor:
        if isinstance(self.categorical_column, SequenceCategoricalColumn):
            raise ValueError(
                f"In embedding_column: {self.name}. categorical_column must not be of type _SequenceCategoricalColumn. "
                "Suggested fix A: If you wish to use input_layer, use a non-sequence categorical_column_with_*. "
                "Suggested fix B: If you wish to create sequence input, use sequence_input_layer instead of "
                f"input_layer. Given (type {type(self.categorical_column)}): {self.categorical_column}"
            )
        return self._numbers(inputs, weight_collections, trainable)

    def _get_sequence_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Steps:
        if not isinstance(self.categorical_column, SequenceCategoricalColumn):
            raise ValueError(
                f"In embedding_column: {self.name}. categorical_column must be of type _SequenceCategoricalColumn to "
                "use sequence_input_layer. Suggested fix: Use one of sequence_categorical_column_with_*. "
                f"Given (type {type(self.categorical_column)}): {self.categorical_column}"
            )
        dense = self._numbers(inputs, weight_collections, trainable)
        ids = self.categorical_column._get_sparse_tensors(inputs).id_tensor
        return Steps(dense, sequence_length_from_sparse_tensor(ids))


def shared_embedding_columns(
    categorical_columns: Sequence[Any], dimension: int, combiner: str = "mean", initializer: Any = None,
    shared_embedding_collection_name: str | None = None, ckpt_to_load_from: Any = None,
    tensor_name_in_ckpt: Any = None, max_norm: float | None = None, trainable: bool = True,
) -> list[Any]:  # fmt: skip
    """For each column one of trained vectors, all from one table; they serve in ``input_layer``.

    Args:
      shared_embedding_collection_name: the collection of the graph that holds the table.

    Raises:
      ValueError: the columns differ in kind or in their number of categories, or as for ``embedding_column``.
    """
    initializer = _checked_initializer(dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt, "")
    in_order = sorted(categorical_columns, key=lambda column: column.name)
    _check_alike(in_order, OldCategoricalColumn, "_CategoricalColumn")
    collection = shared_embedding_collection_name or _shared_name(in_order)
    return [
        SharedEmbeddingColumnV1(
            column, dimension, combiner, initializer, collection, ckpt_to_load_from, tensor_name_in_ckpt, max_norm,
            trainable,
        )
        for column in categorical_columns
    ]  # fmt: skip


class SharedEmbeddingColumnCreator:
    """The table that several columns share, made at first need in each graph."""

    def __init__(
        self, dimension: int, initializer: Any, ckpt_to_load_from: Any, tensor_name_in_ckpt: Any, num_buckets: int,
        trainable: bool, name: str = "shared_embedding_column_creator",
    ) -> None:  # fmt: skip
        self.dimension = dimension
        self._initializer, self._trainable = initializer, trainable
        self._ckpt_to_load_from, self._tensor_name_in_ckpt = ckpt_to_load_from, tensor_name_in_ckpt
        self._num_buckets, self._name = num_buckets, name
        self._tables: dict[Any, Any] = {}

    def __call__(self, categorical_column: Any, combiner: str, max_norm: float | None) -> SharedEmbeddingColumn:
        """A column that takes its vectors from this table."""
        return SharedEmbeddingColumn(categorical_column, self, combiner, max_norm)

    @property
    def embedding_weights(self) -> Any:
        """The table of the default graph."""
        graph = default_graph()
        if graph not in self._tables:
            weights = get_variable(
                name=self._name, shape=(self._num_buckets, self.dimension), dtype=dtypes.float32,
                initializer=self._initializer, trainable=self._trainable,
            )  # fmt: skip
            _begin_with_checkpoint(weights, self._ckpt_to_load_from, self._tensor_name_in_ckpt)
            self._tables[graph] = weights
        return self._tables[graph]


def _not_in_the_older_protocol(*_: Any, **__: Any) -> Any:
    raise ValueError(
        "SharedEmbeddingColumns are not supported in `linear_model` or `input_layer`. Please use `DenseFeatures` or "
        "`LinearModel` instead."
    )


class SharedEmbeddingColumn(
    _OfCategories,
    namedtuple(
        "SharedEmbeddingColumn", ("categorical_column", "shared_embedding_column_creator", "combiner", "max_norm")
    ),
):
    """A trained vector for each category, from a table that columns share."""

    @property
    def _is_v2_column(self) -> bool:
        return True

    @property
    def name(self) -> str:
        """The name of the categories, ``_shared_embedding``."""
        return f"{self.categorical_column.name}_shared_embedding"

    def transform_feature(self, transformation_cache: Any, state_manager: Any) -> Any:
        """What the column of categories makes."""
        return transformation_cache.get(self.categorical_column, state_manager)

    @property
    def variable_shape(self) -> TensorShape:
        """The length of a vector."""
        return TensorShape([self.shared_embedding_column_creator.dimension])

    def _numbers(self, transformation_cache: Any, state_manager: Any) -> Tensor:
        with name_scope(None, default_name=self.name):
            ids = self.categorical_column.get_sparse_tensors(transformation_cache, state_manager)
            return _embedded(self, ids, self.shared_embedding_column_creator.embedding_weights)

    def _get_config(self) -> dict[str, Any]:
        raise NotImplementedError

    _parse_example_spec = property(_not_in_the_older_protocol)  # type: ignore[assignment]
    _variable_shape = property(_not_in_the_older_protocol)
    _transform_feature = _get_dense_tensor = _get_sequence_dense_tensor = _not_in_the_older_protocol


def shared_embeddings(
    categorical_columns: Sequence[Any], dimension: int, combiner: str = "mean", initializer: Any = None,
    shared_embedding_collection_name: str | None = None, ckpt_to_load_from: Any = None,
    tensor_name_in_ckpt: Any = None, max_norm: float | None = None, trainable: bool = True,
) -> list[Any]:  # fmt: skip
    """``shared_embedding_columns`` that serve in ``DenseFeatures``."""
    initializer = _checked_initializer(dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt, "")
    in_order = sorted(categorical_columns, key=lambda column: column.name)
    buckets = _check_alike(in_order, CategoricalColumn, "CategoricalColumn")
    table = SharedEmbeddingColumnCreator(
        dimension, initializer, ckpt_to_load_from, tensor_name_in_ckpt, buckets, trainable,
        shared_embedding_collection_name or _shared_name(in_order),
    )  # fmt: skip
    return [table(column, combiner, max_norm) for column in categorical_columns]
