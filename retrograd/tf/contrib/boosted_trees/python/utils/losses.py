"""The names of ``tensorflow.contrib.boosted_trees.python.utils.losses``."""

from retrograd.estimator.gradient_trees.losses import (
    per_example_exp_loss,
    per_example_full_exp_loss,
    per_example_logistic_loss,
    per_example_maxent_loss,
    per_example_quantile_regression_loss,
    per_example_squared_hinge_loss,
    per_example_squared_loss,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
