"""The names of ``tensorflow.feature_column``."""

from retrograd.faces import missing
from retrograd.feature_column.categorical import (
    categorical_column_with_hash_bucket,
    categorical_column_with_identity,
    categorical_column_with_vocabulary_file,
    categorical_column_with_vocabulary_list,
)
from retrograd.feature_column.combining import crossed_column, weighted_categorical_column
from retrograd.feature_column.dense_categories import (
    embedding_column,
    indicator_column,
    shared_embedding_columns,
)
from retrograd.feature_column.models import input_layer, linear_model
from retrograd.feature_column.numeric import bucketized_column, numeric_column
from retrograd.feature_column.protocol import make_parse_example_spec
from retrograd.feature_column.sequence import (
    sequence_categorical_column_with_hash_bucket,
    sequence_categorical_column_with_identity,
    sequence_categorical_column_with_vocabulary_file,
    sequence_categorical_column_with_vocabulary_list,
    sequence_numeric_column,
)

__getattr__ = missing(__name__)
