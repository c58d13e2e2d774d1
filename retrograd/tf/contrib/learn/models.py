"""The names of ``tensorflow.contrib.learn.models``."""

from retrograd.estimator.older.regressions import (
    linear_regression,
    linear_regression_zero_init,
    logistic_regression,
    logistic_regression_zero_init,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
