"""The names of ``tensorflow.contrib.layers.python.layers.feature_column``."""

from retrograd.faces import missing
from retrograd.feature_column.older_columns import (
    Column as _FeatureColumn,
)
from retrograd.feature_column.older_columns import (
    _BucketizedColumn,
    _CrossedColumn,
    _EmbeddingColumn,
    _OneHotColumn,
    _real_valued_var_len_column,
    _RealValuedColumn,
    _SparseColumn,
    _WeightedSparseColumn,
    bucketized_column,
    create_feature_spec_for_parsing,
    crossed_column,
    embedding_column,
    make_place_holder_tensors_for_base_features,
    one_hot_column,
    real_valued_column,
    scattered_embedding_column,
    shared_embedding_columns,
    sparse_column_with_hash_bucket,
    sparse_column_with_integerized_feature,
    sparse_column_with_keys,
    sparse_column_with_vocabulary_file,
    weighted_sparse_column,
)

__getattr__ = missing(__name__)
