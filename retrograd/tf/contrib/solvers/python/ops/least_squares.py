"""The names of ``tensorflow.contrib.solvers.python.ops.least_squares``."""

from retrograd.contrib.solvers import cgls
from retrograd.faces import missing

__getattr__ = missing(__name__)
