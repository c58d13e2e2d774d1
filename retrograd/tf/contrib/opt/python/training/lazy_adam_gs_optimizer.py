"""The names of ``tensorflow.contrib.opt.python.training.lazy_adam_gs_optimizer``."""

from retrograd.faces import missing
from retrograd.train.adam_variants import LazyAdamGSOptimizer

__getattr__ = missing(__name__)
