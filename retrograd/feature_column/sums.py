"""What a column adds to a linear model."""

from __future__ import annotations

from typing import Any

from retrograd.feature_column.protocol import Ids
from retrograd.graph.tensor import Tensor
from retrograd.nn.embeddings import safe_embedding_lookup_sparse
from retrograd.ops import arrays, sparse
from retrograd.ops.matrices import matmul


def weighted_sum(read: Any, weights: Any, count: int | None, sparse_combiner: str) -> Tensor:
    """x w of the ``count`` numbers of a dense column, or the combined rows of ``weights`` of a column's ids."""
    if not isinstance(read, Ids):
        batch_size = arrays.shape(read)[0]
        flat = arrays.reshape(read, shape=(batch_size, count))
        return matmul(flat, weights, name="weighted_sum")
    ids, id_weights = read
    ids = sparse.sparse_reshape(ids, [arrays.shape(ids)[0], -1])
    if id_weights is not None:
        id_weights = sparse.sparse_reshape(id_weights, [arrays.shape(id_weights)[0], -1])
    return safe_embedding_lookup_sparse(
        weights, ids, sparse_weights=id_weights, combiner=sparse_combiner, name="weighted_sum"
    )
