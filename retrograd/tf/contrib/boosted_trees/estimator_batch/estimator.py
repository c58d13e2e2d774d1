"""The names of ``tensorflow.contrib.boosted_trees.estimator_batch.estimator``."""

from retrograd.estimator.gradient_trees.estimators import (
    CoreGradientBoostedDecisionTreeEstimator,
    CoreGradientBoostedDecisionTreeQuantileRegressor,
    CoreGradientBoostedDecisionTreeRanker,
    GradientBoostedDecisionTreeClassifier,
    GradientBoostedDecisionTreeEstimator,
    GradientBoostedDecisionTreeQuantileRegressor,
    GradientBoostedDecisionTreeRanker,
    GradientBoostedDecisionTreeRegressor,
)
from retrograd.estimator.gradient_trees.heads import core_multiclass_head, core_quantile_regression_head
from retrograd.faces import missing

__getattr__ = missing(__name__)
