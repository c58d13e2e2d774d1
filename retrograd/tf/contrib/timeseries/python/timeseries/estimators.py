"""The names of ``tensorflow.contrib.timeseries.python.timeseries.estimators``."""

from retrograd.estimator.time_series.estimators import ARRegressor, LSTMAutoRegressor, TimeSeriesRegressor
from retrograd.faces import missing

__getattr__ = missing(__name__)
