"""The names of ``tensorflow.python.training.proximal_gradient_descent``."""

from retrograd.faces import missing
from retrograd.train.proximal import ProximalGradientDescentOptimizer

__getattr__ = missing(__name__)
