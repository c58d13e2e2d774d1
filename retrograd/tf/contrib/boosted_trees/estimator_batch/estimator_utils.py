"""The names of ``tensorflow.contrib.boosted_trees.estimator_batch.estimator_utils``."""

from retrograd.estimator.gradient_trees.builders import estimator_spec_to_model_fn_ops
from retrograd.faces import missing

__getattr__ = missing(__name__)
