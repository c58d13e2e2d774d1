"""The names of ``tensorflow.contrib.timeseries.python.timeseries.math_utils``."""

from retrograd.estimator.time_series.autoregressive import cauchy_log_prob, normal_log_prob
from retrograd.estimator.time_series.statistics import (
    InputStatistics,
    InputStatisticsFromMiniBatch,
    Moments,
    replicate_state,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
