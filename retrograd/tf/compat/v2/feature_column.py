"""The names of ``tensorflow.compat.v2.feature_column``."""

from retrograd.faces import missing
from retrograd.feature_column.categorical import (
    categorical_column_with_hash_bucket,
    categorical_column_with_identity,
    categorical_column_with_vocabulary_list,
)
from retrograd.feature_column.categorical import (
    categorical_column_with_vocabulary_file_v2 as categorical_column_with_vocabulary_file,
)
from retrograd.feature_column.combining import crossed_column, weighted_categorical_column
from retrograd.feature_column.dense_categories import embedding_column, indicator_column, shared_embeddings
from retrograd.feature_column.numeric import bucketized_column, numeric_column
from retrograd.feature_column.protocol import make_parse_example_spec_v2 as make_parse_example_spec
from retrograd.feature_column.sequence import (
    sequence_categorical_column_with_hash_bucket,
    sequence_categorical_column_with_identity,
    sequence_categorical_column_with_vocabulary_file,
    sequence_categorical_column_with_vocabulary_list,
    sequence_numeric_column,
)

__getattr__ = missing(__name__)
