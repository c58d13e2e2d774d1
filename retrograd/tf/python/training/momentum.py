"""The names of ``tensorflow.python.training.momentum``."""

from retrograd.faces import missing
from retrograd.train.momentum import MomentumOptimizer

__getattr__ = missing(__name__)
