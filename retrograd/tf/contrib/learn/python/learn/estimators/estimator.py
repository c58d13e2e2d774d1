"""The names of ``tensorflow.contrib.learn.python.learn.estimators.estimator``."""

from retrograd.estimator.learn import BaseEstimator, Estimator, SKCompat
from retrograd.estimator.older.models import (
    infer_real_valued_columns_from_input,
    infer_real_valued_columns_from_input_fn,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
