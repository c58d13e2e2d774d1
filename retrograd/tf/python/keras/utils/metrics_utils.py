"""The names of ``tensorflow.python.keras.utils.metrics_utils``."""

from retrograd.faces import missing
from retrograd.keras.metric_parts import (
    AUCCurve,
    AUCSummationMethod,
)
from retrograd.keras.metric_parts import (
    check_thresholds as assert_thresholds_range,
)
from retrograd.keras.metric_parts import (
    flat_values as ragged_assert_compatible_and_get_flat_values,
)

__getattr__ = missing(__name__)
