"""The names of ``tensorflow.contrib.optimizer_v2``."""

from retrograd.contrib.state_optimizer_kinds import (
    AdadeltaOptimizer,
    AdagradOptimizer,
    AdamOptimizer,
    GradientDescentOptimizer,
    MomentumOptimizer,
    RMSPropOptimizer,
)
from retrograd.contrib.state_optimizers import OptimizerV2
from retrograd.faces import missing

__getattr__ = missing(__name__)
