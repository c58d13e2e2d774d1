"""The names of ``tensorflow.contrib.opt.python.training.adamax``."""

from retrograd.faces import missing
from retrograd.train.adam_variants import AdaMaxOptimizer

__getattr__ = missing(__name__)
