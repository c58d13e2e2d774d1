"""The names of ``tensorflow.compat.v2.keras.mixed_precision.experimental``."""

from retrograd.faces import missing
from retrograd.keras.loss_scale_optimizer import LossScaleOptimizer
from retrograd.nn.layers.policies import Policy, global_policy, set_policy

__getattr__ = missing(__name__)
