"""The names of ``tensorflow.contrib.boosted_trees.lib.learner.batch.categorical_split_handler``."""

from retrograd.estimator.gradient_trees.handlers import EqualitySplitHandler
from retrograd.faces import missing

__getattr__ = missing(__name__)
