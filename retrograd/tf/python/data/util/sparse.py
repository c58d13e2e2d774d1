"""The names of ``tensorflow.python.data.util.sparse``."""

from retrograd.data.older_structures import (
    any_sparse,
    as_dense_shapes,
    as_dense_types,
    deserialize_sparse_tensors,
    get_classes,
    serialize_many_sparse_tensors,
    serialize_sparse_tensors,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
