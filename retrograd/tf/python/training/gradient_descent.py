"""The names of ``tensorflow.python.training.gradient_descent``."""

from retrograd.faces import missing
from retrograd.train.gradient_descent import GradientDescentOptimizer

__getattr__ = missing(__name__)
