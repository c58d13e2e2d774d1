"""The names of ``tensorflow.contrib.linear_optimizer.python.sdca_optimizer``."""

from retrograd.estimator.older.ascent import SDCAOptimizer
from retrograd.faces import missing

__getattr__ = missing(__name__)
