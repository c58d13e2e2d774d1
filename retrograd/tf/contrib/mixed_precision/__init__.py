"""The names of ``tensorflow.contrib.mixed_precision``."""

from retrograd.contrib.loss_scaling import (
    ExponentialUpdateLossScaleManager,
    FixedLossScaleManager,
    LossScaleManager,
    LossScaleOptimizer,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
