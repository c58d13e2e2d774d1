"""The names of ``tensorflow.contrib.layers.python.layers.feature_column_ops``."""

from retrograd.faces import missing
from retrograd.feature_column.older_models import (
    check_feature_columns,
    infer_real_valued_columns,
    input_from_feature_columns,
    joint_weighted_sum_from_feature_columns,
    parse_feature_columns_from_examples,
    parse_feature_columns_from_sequence_examples,
    sequence_input_from_feature_columns,
    transform_features,
    weighted_sum_from_feature_columns,
)

__getattr__ = missing(__name__)
