"""The names of ``tensorflow.contrib.boosted_trees.python.ops.split_handler_ops``."""

from retrograd.faces import missing
from retrograd.tf.contrib.boosted_trees.python.ops import gen_split_handler_ops

build_categorical_equality_splits = gen_split_handler_ops.build_categorical_equality_splits
build_dense_inequality_splits = gen_split_handler_ops.build_dense_inequality_splits
build_sparse_inequality_splits = gen_split_handler_ops.build_sparse_inequality_splits

__getattr__ = missing(__name__)
