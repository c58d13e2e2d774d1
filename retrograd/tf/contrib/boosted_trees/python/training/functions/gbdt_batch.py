"""The names of ``tensorflow.contrib.boosted_trees.python.training.functions.gbdt_batch``."""

from retrograd.estimator.gradient_trees.features import extract_features
from retrograd.estimator.gradient_trees.model import (
    ENSEMBLE_STAMP,
    LEAF_INDEX,
    NUM_LAYERS_ATTEMPTED,
    NUM_TREES_ATTEMPTED,
    NUM_USED_HANDLERS,
    PARTITION_IDS,
    PREDICTIONS,
    USED_HANDLERS_MASK,
    GBDTTrainingState,
    GradientBoostedDecisionTreeModel,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
