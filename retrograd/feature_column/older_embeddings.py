"""Columns of ``tf.contrib.layers`` whose categories are vectors: embeddings, shared and scattered ones.

Source: TensorFlow 1.15.5, ``contrib/layers/python/layers/feature_column.py``.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import namedtuple
from collections.abc import Sequence
from typing import Any

from retrograd.feature_column.older_columns import (
    Column,
    DeepLookup,
    LinearLookup,
    _SparseColumn,
    _WeightedSparseColumn,
    check_checkpoint,
    made_by,
    spec_of,
)
from retrograd.feature_column.protocol import OldDenseColumn
from retrograd.graph import dtypes, log
from retrograd.graph.shapes import TensorShape
from retrograd.graph.tensor import Tensor
from retrograd.ops.example_features import VarLenFeature
from retrograd.state.initializers import truncated_normal_initializer


class _OfVectors(OldDenseColumn):
    """A column of ``dimension`` numbers that its ``deep_lookup`` finds."""

    dimension: int

    @abstractmethod
    def deep_lookup(self, transformed: Any) -> DeepLookup:
        """Which vectors, of which variable, are joined how."""

    @property
    def _variable_shape(self) -> TensorShape:
        return TensorShape([self.dimension])

    def _get_dense_tensor(self, inputs: Any, weight_collections: Any = None, trainable: Any = None) -> Tensor:
        from retrograd.feature_column.older_models import embedded

        return embedded(self, self.deep_lookup(inputs.get(self)), weight_collections, trainable)


class _EmbeddingColumn(
    Column,
    _OfVectors,
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
        return spec_of(self.sparse_id_column)

    def insert_transformed_feature(self, columns_to_tensors: Any) -> None:
        columns_to_tensors[self] = made_by(self.sparse_id_column, columns_to_tensors)

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

    def _transform_feature(self, inputs: Any) -> Any:
        return inputs.get(self.sparse_id_column)


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
        compatible = all(first.is_compatible(c) for c in others)
    else:
        compatible = all(c.is_compatible(first) for c in others)
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
    _OfVectors,
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
