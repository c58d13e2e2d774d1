"""The names of ``tensorflow.contrib.feature_column``."""

from retrograd.faces import missing
from retrograd.feature_column.sequence import (
    sequence_categorical_column_with_hash_bucket,
    sequence_categorical_column_with_identity,
    sequence_categorical_column_with_vocabulary_file,
    sequence_categorical_column_with_vocabulary_list,
)
from retrograd.feature_column.steps import sequence_input_layer, sequence_numeric_column

__getattr__ = missing(__name__)
