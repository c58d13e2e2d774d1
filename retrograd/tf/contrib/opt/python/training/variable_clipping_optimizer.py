"""The names of ``tensorflow.contrib.opt.python.training.variable_clipping_optimizer``."""

from retrograd.faces import missing
from retrograd.train.wrapping import VariableClippingOptimizer

__getattr__ = missing(__name__)
