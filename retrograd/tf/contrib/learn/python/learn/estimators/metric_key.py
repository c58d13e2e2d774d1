"""The names of ``tensorflow.contrib.learn.python.learn.estimators.metric_key``."""

from retrograd.estimator.older.keys import MetricKey
from retrograd.faces import missing

__getattr__ = missing(__name__)
