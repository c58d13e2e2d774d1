"""The names of ``tensorflow.python.training.experimental.loss_scale_optimizer``."""

from retrograd.faces import missing
from retrograd.train.loss_scale import MixedPrecisionLossScaleOptimizer

__getattr__ = missing(__name__)
