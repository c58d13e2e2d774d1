"""The names of ``tensorflow.contrib.constrained_optimization.python.constrained_minimization_problem``."""

from retrograd.contrib.constrained import ConstrainedMinimizationProblem
from retrograd.faces import missing

__getattr__ = missing(__name__)
