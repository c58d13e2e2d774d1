"""Structures of sparse and dense tensors, told by classes beside them, as before ``TypeSpec``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from retrograd.data import nest
from retrograd.graph import dtypes
from retrograd.graph.shapes import TensorShape
from retrograd.graph.sparse import SparseTensor
from retrograd.graph.tensor import Tensor
from retrograd.ops.sparse_serialization import deserialize_sparse, serialize_many_sparse, serialize_sparse


def any_sparse(classes: Any) -> bool:
    """Whether one of the classes is ``SparseTensor``."""
    return any(c is SparseTensor for c in nest.flatten(classes))


def _where_sparse(other: Any, given: Any, classes: Any) -> Any:
    pairs = zip(nest.flatten(given), nest.flatten(classes), strict=True)
    return nest.pack_sequence_as(given, [other if c is SparseTensor else x for x, c in pairs])


def as_dense_shapes(shapes: Any, classes: Any) -> Any:
    """``shapes``, unknown where a tensor is sparse."""
    return _where_sparse(TensorShape(None), shapes, classes)


def as_dense_types(types: Any, classes: Any) -> Any:
    """``types``, ``tf.variant`` where a tensor is sparse."""
    return _where_sparse(dtypes.variant, types, classes)


def get_classes(tensors: Any) -> Any:
    """``SparseTensor`` for each tensor that is sparse, ``Tensor`` for each other."""
    return nest.map_structure(lambda t: SparseTensor if isinstance(t, SparseTensor) else Tensor, tensors)


def serialize_sparse_tensors(tensors: Any) -> Any:
    """``tensors``, each sparse one as a vector of variants."""
    return _serialized(serialize_sparse, tensors)


def serialize_many_sparse_tensors(tensors: Any) -> Any:
    """The same of batches: each row of a sparse one is a vector of variants."""
    return _serialized(serialize_many_sparse, tensors)


def _serialized(serialize: Callable[..., Tensor], tensors: Any) -> Any:
    return nest.map_structure(
        lambda t: serialize(t, out_type=dtypes.variant) if isinstance(t, SparseTensor) else t, tensors
    )


def deserialize_sparse_tensors(tensors: Any, types: Any, shapes: Any, classes: Any) -> Any:
    """What ``serialize_sparse_tensors`` was given."""
    parts = zip(*(nest.flatten(each) for each in (tensors, types, shapes, classes)), strict=True)
    return nest.pack_sequence_as(
        types, [deserialize_sparse(t, dtype, shape.ndims) if c is SparseTensor else t for t, dtype, shape, c in parts]
    )
