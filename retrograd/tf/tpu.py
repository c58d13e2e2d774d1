"""The names of ``tensorflow.tpu``."""

from retrograd.estimator.tpu import CrossShardOptimizer, bfloat16_scope
from retrograd.faces import missing

__getattr__ = missing(__name__)
