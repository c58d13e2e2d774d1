"""The names of ``tensorflow.contrib.boosted_trees.estimator_batch.dnn_tree_combined_estimator``."""

from retrograd.estimator.gradient_trees.combined import (
    CoreDNNBoostedTreeCombinedEstimator,
    DNNBoostedTreeCombinedClassifier,
    DNNBoostedTreeCombinedEstimator,
    DNNBoostedTreeCombinedRegressor,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
