"""The names of ``tensorflow.contrib.constrained_optimization.python.constrained_optimizer``."""

from retrograd.contrib.constrained import ConstrainedOptimizer
from retrograd.faces import missing

__getattr__ = missing(__name__)
