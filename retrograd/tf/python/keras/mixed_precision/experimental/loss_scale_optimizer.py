"""The names of ``tensorflow.python.keras.mixed_precision.experimental.loss_scale_optimizer``."""

from retrograd.faces import missing
from retrograd.keras.loss_scale_optimizer import LossScaleOptimizer

__getattr__ = missing(__name__)
