"""The names of ``tensorflow.python.training.experimental.loss_scale``."""

from retrograd.faces import missing
from retrograd.train.loss_scale import DynamicLossScale, FixedLossScale, LossScale

__getattr__ = missing(__name__)
