"""The names of ``tensorflow.contrib.learn.python.learn.estimators.metric_key``."""

from retrograd.estimator.older.heads import MetricKey
from retrograd.faces import missing

__getattr__ = missing(__name__)
