"""The names of ``tensorflow.contrib.optimizer_v2.momentum``."""

from retrograd.contrib.state_optimizer_kinds import MomentumOptimizer
from retrograd.faces import missing

__getattr__ = missing(__name__)
