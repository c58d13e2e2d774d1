"""The names of ``tensorflow.contrib.learn.python.learn.estimators.estimator``."""

from retrograd.estimator.learn import Estimator, SKCompat
from retrograd.faces import missing

__getattr__ = missing(__name__)
