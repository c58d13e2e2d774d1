"""The names of ``tensorflow.contrib.layers.feature_column``."""

from retrograd.faces import missing
from retrograd.feature_column.older_columns import (
    Column as _FeatureColumn,
)
from retrograd.feature_column.older_columns import (
    _OneHotColumn,
    _SparseColumn,
    _WeightedSparseColumn,
    create_feature_spec_for_parsing,
    make_place_holder_tensors_for_base_features,
    one_hot_column,
    sparse_column_with_hash_bucket,
    sparse_column_with_integerized_feature,
    sparse_column_with_keys,
    sparse_column_with_vocabulary_file,
    weighted_sparse_column,
)
from retrograd.feature_column.older_embeddings import (
    _EmbeddingColumn,
    embedding_column,
    scattered_embedding_column,
    shared_embedding_columns,
)
from retrograd.feature_column.older_numbers import (
    _BucketizedColumn,
    _CrossedColumn,
    _real_valued_var_len_column,
    _RealValuedColumn,
    bucketized_column,
    crossed_column,
    real_valued_column,
)

__getattr__ = missing(__name__)
