"""The names of ``tensorflow.contrib.learn.python.learn.utils.export``."""

from retrograd.estimator.older.bundles import (
    classification_signature_fn,
    classification_signature_fn_with_prob,
    export_estimator,
    generic_signature_fn,
    logistic_regression_signature_fn,
    regression_signature_fn,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
