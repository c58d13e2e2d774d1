"""The names of ``tensorflow.contrib.layers.python.layers.embedding_ops``."""

from retrograd.faces import missing
from retrograd.feature_column.scattered import (
    sampled_scattered_embedding_lookup as _sampled_scattered_embedding_lookup,
)
from retrograd.feature_column.scattered import (
    sampled_scattered_embedding_lookup_sparse as _sampled_scattered_embedding_lookup_sparse,
)
from retrograd.feature_column.scattered import (
    scattered_embedding_lookup,
    scattered_embedding_lookup_sparse,
)
from retrograd.nn.contrib.layers import embedding_lookup_unique
from retrograd.nn.contrib.older_layers import safe_embedding_lookup_sparse
from retrograd.nn.embeddings import embedding_lookup_sparse_with_distributed_aggregation

__getattr__ = missing(__name__)
