"""The names of ``tensorflow.python.feature_column.sequence_feature_column``."""

from retrograd.faces import missing
from retrograd.feature_column.layers import SequenceFeatures
from retrograd.feature_column.layers import equal as _assert_all_equal_and_return
from retrograd.feature_column.sequence import (
    SequenceNumericColumn,
    concatenate_context_input,
    sequence_categorical_column_with_hash_bucket,
    sequence_categorical_column_with_identity,
    sequence_categorical_column_with_vocabulary_file,
    sequence_categorical_column_with_vocabulary_list,
    sequence_numeric_column,
)

__getattr__ = missing(__name__)
