"""The names of ``tensorflow.contrib.opt.python.training.nadam_optimizer``."""

from retrograd.faces import missing
from retrograd.train.adam_variants import NadamOptimizer

__getattr__ = missing(__name__)
