"""The names of ``tensorflow.contrib.learn.python.learn.estimators.linear``."""

from retrograd.estimator.older.models import LinearClassifier, LinearEstimator, LinearRegressor
from retrograd.faces import missing

__getattr__ = missing(__name__)
