"""The names of ``tensorflow.contrib.layers.embedding_ops``."""

from retrograd.faces import missing
from retrograd.feature_column.scattered import scattered_embedding_lookup, scattered_embedding_lookup_sparse
from retrograd.nn.contrib.layers import embedding_lookup_unique
from retrograd.nn.contrib.older_layers import safe_embedding_lookup_sparse

__getattr__ = missing(__name__)
