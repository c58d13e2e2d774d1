"""The names of ``tensorflow.contrib.learn.python.learn.metric_spec``."""

from retrograd.estimator.learn import MetricSpec
from retrograd.faces import missing

__getattr__ = missing(__name__)
