"""The names of ``tensorflow.contrib.optimizer_v2``."""

from retrograd.contrib.state_optimizers import (
    AdadeltaOptimizer,
    AdagradOptimizer,
    AdamOptimizer,
    GradientDescentOptimizer,
    MomentumOptimizer,
    OptimizerV2,
    RMSPropOptimizer,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
