"""The names of ``tensorflow.contrib.kernel_methods.python.kernel_estimators``."""

from retrograd.estimator.older.linear_kinds import KernelLinearClassifier
from retrograd.faces import missing

__getattr__ = missing(__name__)
