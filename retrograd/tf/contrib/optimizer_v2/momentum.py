"""The names of ``tensorflow.contrib.optimizer_v2.momentum``."""

from retrograd.contrib.state_optimizers import MomentumOptimizer
from retrograd.faces import missing

__getattr__ = missing(__name__)
