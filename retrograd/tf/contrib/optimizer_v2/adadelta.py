"""The names of ``tensorflow.contrib.optimizer_v2.adadelta``."""

from retrograd.contrib.state_optimizers import AdadeltaOptimizer
from retrograd.faces import missing

__getattr__ = missing(__name__)
