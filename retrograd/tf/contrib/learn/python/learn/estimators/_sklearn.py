"""The names of ``tensorflow.contrib.learn.python.learn.estimators._sklearn``."""

from retrograd.estimator.older.bases import NotFittedError
from retrograd.faces import missing

__getattr__ = missing(__name__)
