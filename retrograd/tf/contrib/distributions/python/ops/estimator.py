"""The names of ``tensorflow.contrib.distributions.python.ops.estimator``."""

from retrograd.estimator.older.distribution_heads import estimator_head_distribution_regression
from retrograd.faces import missing

__getattr__ = missing(__name__)
