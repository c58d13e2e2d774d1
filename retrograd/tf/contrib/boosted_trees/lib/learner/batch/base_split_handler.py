"""The names of ``tensorflow.contrib.boosted_trees.lib.learner.batch.base_split_handler``."""

from retrograd.estimator.gradient_trees.handlers import BaseSplitHandler
from retrograd.faces import missing

__getattr__ = missing(__name__)
