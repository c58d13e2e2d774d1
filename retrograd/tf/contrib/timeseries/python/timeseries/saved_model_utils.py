"""The names of ``tensorflow.contrib.timeseries.python.timeseries.saved_model_utils``."""

from retrograd.estimator.time_series.exported import (
    cold_start_filter,
    filter_continuation,
    predict_continuation,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
