"""The names of ``tensorflow.estimator.tpu``."""

from retrograd.estimator.tpu import InputPipelineConfig, RunConfig, TPUConfig, TPUEstimator, TPUEstimatorSpec
from retrograd.faces import missing

__getattr__ = missing(__name__)
