"""The names of ``tensorflow.compat.v2.train.experimental``."""

from retrograd.faces import missing
from retrograd.io.tracking import PythonState
from retrograd.state.loss_scales import DynamicLossScale, FixedLossScale, LossScale

__getattr__ = missing(__name__)
