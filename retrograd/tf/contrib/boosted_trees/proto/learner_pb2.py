"""The names of ``tensorflow.contrib.boosted_trees.proto.learner_pb2``."""

from retrograd.faces import missing
from retrograd.files.gradient_tree_messages import (
    AveragingConfig,
    LearnerConfig,
    LearningRateConfig,
    LearningRateDropoutDrivenConfig,
    LearningRateFixedConfig,
    LearningRateLineSearchConfig,
    TreeConstraintsConfig,
    TreeRegularizationConfig,
)

__getattr__ = missing(__name__)
