"""The names of ``tensorflow.contrib.layers.python.layers.target_column``."""

from retrograd.estimator.older.target_columns import (
    ProblemType,
    binary_svm_target,
    get_default_binary_metrics_for_eval,
    multi_class_target,
    regression_target,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
