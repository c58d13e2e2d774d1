"""The names of ``tensorflow.contrib.opt.python.training.adam_gs_optimizer``."""

from retrograd.faces import missing
from retrograd.train.adam_variants import AdamGSOptimizer

__getattr__ = missing(__name__)
