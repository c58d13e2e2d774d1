"""The names of ``tensorflow.contrib.timeseries.python.timeseries``."""

from retrograd.estimator.time_series.autoregressive import (
    AnomalyMixtureARModel,
    ARModel,
    FlatPredictionModel,
    LSTMPredictionModel,
)
from retrograd.estimator.time_series.estimators import (
    ARRegressor,
    LSTMAutoRegressor,
    OneShotPredictionHead,
    TimeSeriesRegressionHead,
    TimeSeriesRegressor,
    state_to_dictionary,
)
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
from retrograd.estimator.time_series.reading import (
    CSVReader,
    NumpyReader,
    RandomWindowInputFn,
    ReaderBaseTimeSeriesParser,
    TFExampleReader,
    TimeSeriesInputFn,
    TimeSeriesReader,
    WholeDatasetInputFn,
    predict_continuation_input_fn,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
