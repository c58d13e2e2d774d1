"""The names of ``tensorflow.contrib.linear_optimizer.python.sdca_estimator``."""

from retrograd.estimator.older.linear_kinds import (
    SDCAEstimator as _SDCAEstimator,
)
from retrograd.estimator.older.linear_kinds import (
    SDCALinearRegressor,
    SDCALogisticClassifier,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
