"""The names of ``tensorflow.contrib.learn.python.learn.estimators._sklearn``."""

from retrograd.estimator.older.bases import NotFittedError
from retrograd.estimator.older.scores import accuracy_score, mean_squared_error, train_test_split
from retrograd.faces import missing

__getattr__ = missing(__name__)
