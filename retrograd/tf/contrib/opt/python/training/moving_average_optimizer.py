"""The names of ``tensorflow.contrib.opt.python.training.moving_average_optimizer``."""

from retrograd.faces import missing
from retrograd.io.averaging import MovingAverageOptimizer

__getattr__ = missing(__name__)
