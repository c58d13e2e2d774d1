"""The names of ``tensorflow.contrib.estimator.python.estimator.replicate_model_fn``."""

from retrograd.estimator.towers import TowerOptimizer, replicate_model_fn
from retrograd.faces import missing

__getattr__ = missing(__name__)
