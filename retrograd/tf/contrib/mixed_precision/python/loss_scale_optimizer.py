"""The names of ``tensorflow.contrib.mixed_precision.python.loss_scale_optimizer``."""

from retrograd.contrib.loss_scaling import LossScaleOptimizer
from retrograd.faces import missing

__getattr__ = missing(__name__)
