"""The names of ``tensorflow.contrib.tpu``."""

from retrograd.estimator.tpu import (
    CrossShardOptimizer,
    InputPipelineConfig,
    RunConfig,
    TPUConfig,
    TPUEstimator,
    TPUEstimatorSpec,
    bfloat16_scope,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
