"""The names of ``tensorflow.contrib.timeseries.python.timeseries.head``."""

from retrograd.estimator.time_series.estimators import (
    OneShotPredictionHead,
    TimeSeriesRegressionHead,
    state_to_dictionary,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
