"""The names of ``tensorflow.contrib.opt.python.training.powersign``."""

from retrograd.faces import missing
from retrograd.train.signs import PowerSignOptimizer

__getattr__ = missing(__name__)
