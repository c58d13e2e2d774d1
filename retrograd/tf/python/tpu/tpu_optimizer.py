"""The names of ``tensorflow.python.tpu.tpu_optimizer``."""

from retrograd.estimator.tpu import CrossShardOptimizer
from retrograd.faces import missing

__getattr__ = missing(__name__)
