"""The names of ``tensorflow.contrib.learn.python.learn.estimators.logistic_regressor``."""

from retrograd.estimator.older.models import LogisticRegressor
from retrograd.faces import missing

__getattr__ = missing(__name__)
