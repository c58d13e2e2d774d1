"""The names of ``tensorflow.contrib.solvers.linear_equations``."""

from retrograd.contrib.solvers import conjugate_gradient
from retrograd.faces import missing

__getattr__ = missing(__name__)
