"""The names of ``tensorflow.contrib.opt.python.training.lars_optimizer``."""

from retrograd.faces import missing
from retrograd.train.layerwise import LARSOptimizer

__getattr__ = missing(__name__)
