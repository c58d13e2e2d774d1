"""The features of a batch, as columns read them: tensors by key, and what columns have made of them, once each."""

from __future__ import annotations

from typing import Any

from retrograd.feature_column.protocol import FeatureColumn, OldColumn
from retrograd.graph import dtypes
from retrograd.graph.convert import convert_to_tensor_or_sparse_tensor
from retrograd.graph.log import debug
from retrograd.graph.scopes import control_dependencies, name_scope
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops import arrays, casts, checks, comparison, constants, indexing, joining, rounding, segments, sparse
from retrograd.ops.conditions import cond


class _Features:
    """Tensors by key, and by column what it has made of them."""

    def __init__(self, features: dict[str, Any]) -> None:
        self._features = features.copy()
        self._feature_tensors: dict[Any, Any] = {}

    def _found(self, key: Any, kind: type, word: str, transform: Any) -> Any:
        if key in self._feature_tensors:
            return self._feature_tensors[key]
        if key in self._features:
            result = self._feature_tensors[key] = _at_least_rank_2(key, self._features[key])
            return result
        if isinstance(key, str):
            raise ValueError(f"Feature {key} is not in features dictionary.")
        if not isinstance(key, kind):
            raise TypeError(f'"key" must be either a "str" or "{word}". Provided: {key}')
        debug("Transforming feature_column %s.", key)
        transformed = transform(key)
        if transformed is None:
            raise ValueError(f"Column {key.name} is not supported.")  # type: ignore[attr-defined]
        self._feature_tensors[key] = transformed
        return transformed


class FeatureTransformationCache(_Features):
    """The features of a batch for columns of the protocol of layers."""

    def get(self, key: Any, state_manager: Any) -> Any:
        """The feature ``key``, as a tensor of rank 2 or more, or what a column makes of the features.

        Raises:
          ValueError: there is no such feature, or it is a scalar.
          TypeError: ``key`` is neither text nor a column.
        """
        return self._found(key, FeatureColumn, "FeatureColumn", lambda c: c.transform_feature(self, state_manager))


class LazyBuilder(_Features):
    """The features of a batch for columns of the older protocol."""

    def get(self, key: Any) -> Any:
        """The feature ``key``, as a tensor of rank 2 or more, or what a column makes of the features.

        Raises:
          ValueError: there is no such feature, or it is a scalar.
          TypeError: ``key`` is neither text nor a column.
        """
        return self._found(key, OldColumn, "_FeatureColumn", lambda c: c._transform_feature(self))


def _at_least_rank_2(key: str, feature: Any) -> Any:
    feature = convert_to_tensor_or_sparse_tensor(feature)
    rank = feature.shape.ndims
    message = f"Feature (key: {key}) cannot have rank 0. Given: {feature}"
    if rank == 0:
        raise ValueError(message)
    if rank is not None:
        return feature if rank > 1 else _as_column(feature)
    with control_dependencies([checks.assert_positive(arrays.rank(feature), message=message)]):
        return cond(comparison.equal(1, arrays.rank(feature)), lambda: _as_column(feature), lambda: feature)


def _as_column(feature: Any) -> Any:
    if isinstance(feature, SparseTensor):
        return sparse.sparse_reshape(feature, [arrays.shape(feature)[0], 1])
    return arrays.expand_dims(feature, -1)


def as_sparse_feature(feature: Any, ignore_value: Any = None) -> SparseTensor:
    """A dense feature without the entries that mean nothing: -1 of integers, the empty string, or ``ignore_value``."""
    feature = convert_to_tensor_or_sparse_tensor(feature)
    if isinstance(feature, SparseTensor):
        return feature
    with name_scope(None, "to_sparse_input", (feature, ignore_value)):
        if ignore_value is None:
            if feature.dtype == dtypes.string:
                ignore_value = ""
            elif feature.dtype.is_integer:
                ignore_value = -1
            else:
                ignore_value = feature.dtype.as_numpy_dtype()
        ignore_value = casts.cast(ignore_value, feature.dtype, name="ignore_value")
        indices = comparison.where_v2(comparison.not_equal(feature, ignore_value), name="indices")
        return SparseTensor(
            indices, indexing.gather_nd(feature, indices, name="values"),
            arrays.shape(feature, out_type=dtypes.int64, name="dense_shape"),
        )  # fmt: skip


def sequence_length_from_sparse_tensor(sp_tensor: SparseTensor, num_elements: int = 1) -> Tensor:
    """For each row, the last column that has an entry, counted in steps of ``num_elements``; 0 of an empty row."""
    with name_scope(None, "sequence_length") as scope:
        rows = sp_tensor.indices[:, 0]
        columns = sp_tensor.indices[:, 1]
        columns += constants.ones_like(columns)
        lengths = segments.segment_max(columns, segment_ids=rows)
        lengths = casts.cast(rounding.ceil(lengths / num_elements), dtypes.int64)
        empty = arrays.shape(sp_tensor)[:1] - arrays.shape(lengths)[:1]
        padding = constants.zeros(empty, dtype=lengths.dtype)
        return joining.concat([lengths, padding], axis=0, name=scope)
