"""The names of ``tensorflow.contrib.timeseries.python.timeseries.model``."""

from retrograd.estimator.time_series.models import ModelOutputs, SequentialTimeSeriesModel, TimeSeriesModel
from retrograd.faces import missing

__getattr__ = missing(__name__)
