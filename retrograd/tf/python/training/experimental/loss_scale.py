"""The names of ``tensorflow.python.training.experimental.loss_scale``."""

from retrograd.faces import missing
from retrograd.state.loss_scales import DynamicLossScale, FixedLossScale, LossScale
from retrograd.state.loss_scales import loss_scale_of as get

__getattr__ = missing(__name__)
