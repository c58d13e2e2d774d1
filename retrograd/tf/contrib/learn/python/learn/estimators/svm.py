"""The names of ``tensorflow.contrib.learn.python.learn.estimators.svm``."""

from retrograd.estimator.older.linear_kinds import SVM
from retrograd.faces import missing

__getattr__ = missing(__name__)
