"""The names of ``tensorflow.contrib.timeseries.python.timeseries.model_utils``."""

from retrograd.estimator.time_series.reading import times_behind as canonicalize_times_or_steps_from_output
from retrograd.faces import missing

__getattr__ = missing(__name__)
