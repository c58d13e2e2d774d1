"""The names of ``tensorflow.python.estimator.tpu.tpu_config``."""

from retrograd.estimator.tpu import InputPipelineConfig, RunConfig, TPUConfig
from retrograd.faces import missing

__getattr__ = missing(__name__)
