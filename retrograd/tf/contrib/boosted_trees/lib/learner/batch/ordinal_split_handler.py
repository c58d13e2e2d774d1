"""The names of ``tensorflow.contrib.boosted_trees.lib.learner.batch.ordinal_split_handler``."""

from retrograd.estimator.gradient_trees.number_handlers import (
    DenseSplitHandler,
    InequalitySplitHandler,
    SparseSplitHandler,
    dense_make_stats_update,
    make_dense_split_scalar,
    make_dense_split_tensor,
    make_sparse_split_scalar,
    make_sparse_split_tensor,
    sparse_make_stats_update,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
