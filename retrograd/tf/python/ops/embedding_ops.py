"""The names of ``tensorflow.python.ops.embedding_ops``."""

from retrograd.faces import missing
from retrograd.nn.embeddings import (
    _embedding_lookup_and_transform,
    embedding_lookup,
    embedding_lookup_sparse,
    embedding_lookup_sparse_v2,
    embedding_lookup_v2,
    safe_embedding_lookup_sparse,
    safe_embedding_lookup_sparse_v2,
)

__getattr__ = missing(__name__)
