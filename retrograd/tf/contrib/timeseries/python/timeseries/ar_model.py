"""The names of ``tensorflow.contrib.timeseries.python.timeseries.ar_model``."""

from retrograd.estimator.time_series.autoregressive import (
    AnomalyMixtureARModel,
    ARModel,
    FlatPredictionModel,
    LSTMPredictionModel,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
