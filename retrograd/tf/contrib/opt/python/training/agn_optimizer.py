"""The names of ``tensorflow.contrib.opt.python.training.agn_optimizer``."""

from retrograd.contrib.worker_averages import AGNCustomGetter, AGNOptimizer
from retrograd.faces import missing

__getattr__ = missing(__name__)
