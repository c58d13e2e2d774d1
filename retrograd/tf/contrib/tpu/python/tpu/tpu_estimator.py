"""The names of ``tensorflow.contrib.tpu.python.tpu.tpu_estimator``."""

from retrograd.estimator.tpu import ExportSavedModelApiVersion, TPUEstimator, TPUEstimatorSpec
from retrograd.faces import missing

__getattr__ = missing(__name__)
