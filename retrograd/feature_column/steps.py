"""``tf.contrib.feature_column``: ``sequence_input_layer``, whose variables live in variable scopes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.feature_column import sequence
from retrograd.feature_column.features import LazyBuilder
from retrograd.feature_column.layers import equal
from retrograd.feature_column.protocol import (
    OldColumn,
    OldSequenceDenseColumn,
    as_columns,
    by_name,
    check_batch_sizes,
)
from retrograd.feature_column.sequence import SequenceNumericColumn
from retrograd.graph import dtypes
from retrograd.graph.dtypes import DType
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, joining
from retrograd.state.scopes import variable_scope


class OldSequenceNumericColumn(SequenceNumericColumn, OldSequenceDenseColumn):
    """The numbers of a sparse feature for each step of time, asked with a builder."""


def sequence_numeric_column(
    key: str, shape: Any = (1,), default_value: float = 0.0, dtype: DType = dtypes.float32,
    normalizer_fn: Callable[[Any], Any] | None = None,
) -> OldSequenceNumericColumn:  # fmt: skip
    """A column of the numbers of a sparse feature for each step of time.

    Raises:
      ValueError, TypeError: the arguments do not fit together.
    """
    return OldSequenceNumericColumn(*sequence.sequence_numeric_column(key, shape, default_value, dtype, normalizer_fn))


def sequence_input_layer(
    features: dict[str, Any], feature_columns: Any, weight_collections: Any = None, trainable: bool = True
) -> tuple[Tensor, Tensor]:
    """``[batch, time, numbers of all columns]``, in the order of the columns' names, and the length of each sequence.

    Raises:
      ValueError: a column gives no numbers for each step, or a feature is missing.
      InvalidArgumentError: two columns disagree about the lengths.
    """
    columns = as_columns(feature_columns, OldColumn, "_FeatureColumn")
    for column in columns:
        if not isinstance(column, OldSequenceDenseColumn):
            raise ValueError(
                "All feature_columns must be of type _SequenceDenseColumn. You can wrap a sequence_categorical_column "
                f"with an embedding_column or indicator_column. Given (type {type(column)}): {column}"
            )
    with variable_scope(None, default_name="sequence_input_layer", values=list(features.values())):
        builder = LazyBuilder(features)
        outputs, lengths = [], []
        for column in by_name(columns):
            with variable_scope(None, default_name=column._var_scope_name):
                dense, length = column._get_sequence_dense_tensor(
                    builder, weight_collections=weight_collections, trainable=trainable
                )
                numbers = column._variable_shape.num_elements()
                shape = arrays.shape(dense)
                outputs.append(arrays.reshape(dense, [shape[0], shape[1], numbers]))
                lengths.append(length)
        check_batch_sizes(outputs, by_name(columns))
        check_batch_sizes(lengths, by_name(columns))
        length = equal(lengths)
        return joining.concat(outputs, -1), length
