"""The names of ``tensorflow.python.feature_column.serialization``."""

from retrograd.faces import missing
from retrograd.feature_column.serialization import (
    column_name_with_class_name as _column_name_with_class_name,
)
from retrograd.feature_column.serialization import (
    deserialize_feature_column,
    deserialize_feature_columns,
    serialize_feature_column,
    serialize_feature_columns,
)

__getattr__ = missing(__name__)
