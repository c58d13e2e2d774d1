"""What serialized examples must hold for a ready model: its features, its label and its weight."""

from __future__ import annotations

from typing import Any

from retrograd.feature_column.numeric import NumericColumn, numeric_column
from retrograd.feature_column.protocol import make_parse_example_spec
from retrograd.graph import dtypes
from retrograd.ops.example_features import FixedLenFeature


def classifier_parse_example_spec(
    feature_columns: Any, label_key: str, label_dtype: Any = dtypes.int64, label_default: Any = None,
    weight_column: Any = None,
) -> dict[str, Any]:  # fmt: skip
    """The features of columns, a class and a weight, as ``tf.io.parse_example`` wants them.

    Raises:
      ValueError: the label or the weight is one of the features.
    """
    label = FixedLenFeature((1,), label_dtype, label_default)
    return _with_label(make_parse_example_spec(feature_columns), label_key, label, weight_column)


def regressor_parse_example_spec(
    feature_columns: Any, label_key: str, label_dtype: Any = dtypes.float32, label_default: Any = None,
    label_dimension: int = 1, weight_column: Any = None,
) -> dict[str, Any]:  # fmt: skip
    """The features of columns, numbers and a weight, as ``tf.io.parse_example`` wants them.

    Raises:
      ValueError: the label or the weight is one of the features.
    """
    label = FixedLenFeature((label_dimension,), label_dtype, label_default)
    return _with_label(make_parse_example_spec(feature_columns), label_key, label, weight_column)


def _with_label(spec: dict[str, Any], label_key: str, label: Any, weight_column: Any) -> dict[str, Any]:
    if label_key in spec:
        raise ValueError(f"label should not be used as feature. label_key: {label_key}, features: {spec.keys()}")
    spec[label_key] = label
    if weight_column is None:
        return spec
    if isinstance(weight_column, str):
        weight_column = numeric_column(weight_column)
    if not isinstance(weight_column, NumericColumn):
        raise ValueError(
            "weight_column should be an instance of tf.feature_column.numeric_column. "
            f"Given type: {type(weight_column)} value: {weight_column}"
        )
    if weight_column.key in spec:
        raise ValueError(
            f"weight_column should not be used as feature. weight_column: {weight_column.key}, features: {spec.keys()}"
        )
    spec.update(weight_column.parse_example_spec)
    return spec
