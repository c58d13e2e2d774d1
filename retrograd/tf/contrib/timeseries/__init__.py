"""The names of ``tensorflow.contrib.timeseries``."""

from retrograd.estimator.time_series.autoregressive import ARModel
from retrograd.estimator.time_series.estimators import ARRegressor, OneShotPredictionHead, TimeSeriesRegressor
from retrograd.estimator.time_series.keys import FilteringResults, TrainEvalFeatures
from retrograd.estimator.time_series.reading import (
    CSVReader,
    NumpyReader,
    RandomWindowInputFn,
    WholeDatasetInputFn,
    predict_continuation_input_fn,
)
from retrograd.faces import missing

_LAZY = {
    "saved_model_utils": "retrograd.tf.contrib.timeseries.python.timeseries",
}
__getattr__ = missing(__name__, _LAZY)
