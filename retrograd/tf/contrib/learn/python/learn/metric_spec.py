"""The names of ``tensorflow.contrib.learn.python.learn.metric_spec``."""

from retrograd.estimator.older.metric_specs import MetricSpec
from retrograd.faces import missing

__getattr__ = missing(__name__)
