"""The names of ``tensorflow.contrib.learn.python.learn.estimators.dnn_linear_combined``."""

from retrograd.estimator.older.models import (
    DNNLinearCombinedClassifier,
    DNNLinearCombinedEstimator,
    DNNLinearCombinedRegressor,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
