"""The names of ``tensorflow.contrib.mixed_precision.python.loss_scale_manager``."""

from retrograd.contrib.loss_scaling import (
    ExponentialUpdateLossScaleManager,
    FixedLossScaleManager,
    LossScaleManager,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
