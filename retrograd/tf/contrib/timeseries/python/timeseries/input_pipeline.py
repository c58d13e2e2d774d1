"""The names of ``tensorflow.contrib.timeseries.python.timeseries.input_pipeline``."""

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
