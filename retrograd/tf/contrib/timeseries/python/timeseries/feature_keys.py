"""The names of ``tensorflow.contrib.timeseries.python.timeseries.feature_keys``."""

from retrograd.estimator.time_series.keys import (
    FilteringFeatures,
    FilteringResults,
    PredictionFeatures,
    PredictionResults,
    SavedModelLabels,
    State,
    Times,
    TrainEvalFeatures,
    Values,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
