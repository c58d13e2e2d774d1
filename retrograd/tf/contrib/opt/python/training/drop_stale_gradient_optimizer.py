"""The names of ``tensorflow.contrib.opt.python.training.drop_stale_gradient_optimizer``."""

from retrograd.contrib.worker_averages import DropStaleGradientOptimizer
from retrograd.faces import missing

__getattr__ = missing(__name__)
