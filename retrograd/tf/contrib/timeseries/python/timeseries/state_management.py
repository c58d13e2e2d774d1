"""The names of ``tensorflow.contrib.timeseries.python.timeseries.state_management``."""

from retrograd.estimator.time_series.estimators import FilteringOnlyStateManager, PassthroughStateManager
from retrograd.faces import missing

__getattr__ = missing(__name__)
