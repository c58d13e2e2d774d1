"""The names of ``tensorflow.contrib.boosted_trees.estimator_batch.model``."""

from retrograd.estimator.gradient_trees.builders import (
    ModelBuilderOutputType,
    model_builder,
    ranking_model_builder,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
