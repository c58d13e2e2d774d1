"""The names of ``tensorflow.python.estimator.estimator``."""

from retrograd.estimator.estimator import Estimator, EstimatorV2
from retrograd.faces import missing

__getattr__ = missing(__name__)
