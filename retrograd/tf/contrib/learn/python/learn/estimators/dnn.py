"""The names of ``tensorflow.contrib.learn.python.learn.estimators.dnn``."""

from retrograd.estimator.older.models import DNNClassifier, DNNEstimator, DNNRegressor
from retrograd.faces import missing

__getattr__ = missing(__name__)
