"""The names of ``tensorflow.contrib.learn.python.learn.estimators.debug``."""

from retrograd.estimator.older.debugging import DebugClassifier, DebugRegressor, debug_model_fn
from retrograd.faces import missing

__getattr__ = missing(__name__)
