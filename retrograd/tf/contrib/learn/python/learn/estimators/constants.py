"""The names of ``tensorflow.contrib.learn.python.learn.estimators.constants``."""

from retrograd.estimator.older.keys import ProblemType
from retrograd.faces import missing

__getattr__ = missing(__name__)
