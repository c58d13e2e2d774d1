"""The names of ``tensorflow.python.tpu.tpu_estimator``."""

from retrograd.estimator.tpu import TPUEstimator, TPUEstimatorSpec
from retrograd.faces import missing

__getattr__ = missing(__name__)
