"""The names of ``tensorflow.contrib.boosted_trees.estimator_batch.trainer_hooks``."""

from retrograd.estimator.gradient_trees.hooks import (
    FeatureImportanceSummarySaver,
    StopAfterNTrees,
    SwitchTrainOp,
)
from retrograd.faces import missing
from retrograd.sessions.hooks import FeedFnHook

__getattr__ = missing(__name__)
