"""The columns of features of boosted trees: dense numbers, numbers that some examples have, and categories."""

from __future__ import annotations

from typing import Any, NamedTuple

from retrograd.feature_column.models import input_layer, transform_features_v2
from retrograd.feature_column.older_columns import Column
from retrograd.feature_column.older_embeddings import _EmbeddingColumn
from retrograd.feature_column.older_models import transform_features
from retrograd.feature_column.state import LayerState
from retrograd.graph import dtypes
from retrograd.graph.sparse import SparseTensor
from retrograd.ops import arrays, casts, joining, slicing
from retrograd.state.scopes import variable_scope


class Columns(NamedTuple):
    """The names of all columns, and the tensors of each kind; the trees count columns of each kind from 0."""

    names: list[str]
    dense_floats: list[Any]
    sparse_float_indices: list[Any]
    sparse_float_values: list[Any]
    sparse_float_shapes: list[Any]
    sparse_int_indices: list[Any]
    sparse_int_values: list[Any]
    sparse_int_shapes: list[Any]


def _transformed(features: dict[str, Any], feature_columns: Any, use_core_columns: bool) -> dict[str, Any]:
    state, found = LayerState(None, False), {}
    with variable_scope("gbdt"):
        for column in feature_columns:
            if use_core_columns and not isinstance(column, Column):
                found[column.name] = transform_features_v2(features, [column], state)[column]
            elif isinstance(column, _EmbeddingColumn):
                found[column.name] = input_layer(features, [column], weight_collections=["gbdt"])
            else:
                made = transform_features(dict(features), [column])
                if len(made) > 1:
                    raise ValueError("Unexpected number of output features")
                found[column.name] = next(iter(made.values()))
    return found


def _weighted(categories: SparseTensor, weights: SparseTensor) -> SparseTensor:
    """Categories with weights: the weights as numbers, whose dimensions are the categories."""
    rows = slicing.slice_(categories.indices, [0, 0], [-1, 1])
    ids = arrays.expand_dims(casts.cast(categories.values, dtypes.int64), -1)
    return SparseTensor(joining.concat([rows, ids], 1), weights.values, categories.dense_shape)


def extract_features(features: Any, feature_columns: Any, use_core_columns: bool) -> Columns:
    """The columns of features, sorted by their names; numbers of several dimensions become a column for each.

    Args:
      features: tensors, or what ``feature_columns`` read.
      use_core_columns: whether these are of ``tf.feature_column``, in place of ``tf.contrib.layers``.

    Raises:
      ValueError: there are none, or a feature is neither float32 nor a sparse int64.
    """
    if not features:
        raise ValueError("Features dictionary must be specified.")
    if feature_columns:
        features = _transformed(features, list(feature_columns), use_core_columns)
    dense: dict[str, Any] = {}
    floats: dict[str, Any] = {}
    ints: dict[str, Any] = {}
    for key in sorted(features):
        tensor = features[key]
        if isinstance(tensor, tuple):
            tensor = _weighted(*tensor)
        if isinstance(tensor, SparseTensor):
            if tensor.dtype == dtypes.float32:
                floats[key] = tensor
            elif tensor.dtype == dtypes.int64:
                ints[key] = tensor
            else:
                raise ValueError(f"Unsupported sparse feature {tensor.indices.name} with dtype {tensor.dtype}.")
        elif tensor.dtype != dtypes.float32:
            raise ValueError(f"Unsupported dense feature {tensor.name} with dtype {tensor.dtype}.")
        elif len(tensor.shape) > 1 and tensor.shape[1] > 1:
            for i, column in enumerate(joining.unstack(tensor, axis=1)):
                dense[f"{key}_{i}"] = arrays.reshape(column, [-1, 1])
        else:
            dense[key] = tensor
    sparse = [[getattr(x, part) for x in kind.values()] for kind in (floats, ints) for part in _PARTS]
    return Columns([*dense, *floats, *ints], list(dense.values()), *sparse)


_PARTS = ("indices", "values", "dense_shape")
