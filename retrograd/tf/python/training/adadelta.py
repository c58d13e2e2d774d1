"""The names of ``tensorflow.python.training.adadelta``."""

from retrograd.faces import missing
from retrograd.train.adadelta import AdadeltaOptimizer

__getattr__ = missing(__name__)
