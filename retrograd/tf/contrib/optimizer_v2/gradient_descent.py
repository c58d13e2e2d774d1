"""The names of ``tensorflow.contrib.optimizer_v2.gradient_descent``."""

from retrograd.contrib.state_optimizer_kinds import GradientDescentOptimizer
from retrograd.faces import missing

__getattr__ = missing(__name__)
