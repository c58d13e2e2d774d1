"""The names of ``tensorflow.python.estimator.canned.metric_keys``."""

from retrograd.estimator.canned.keys import MetricKeys
from retrograd.faces import missing

__getattr__ = missing(__name__)
