"""The names of ``tensorflow.contrib.boosted_trees.estimator_batch.distillation_loss``."""

from retrograd.estimator.gradient_trees.heads import (
    create_dnn_to_tree_cross_entropy_loss_fn,
    create_dnn_to_tree_squared_loss_fn,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
