"""The names of ``tensorflow.contrib.tensor_forest.client.random_forest``."""

from retrograd.estimator.older.forests import (
    TensorForestEstimator,
    TensorForestLossHook,
    TensorForestRunOpAtEndHook,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
