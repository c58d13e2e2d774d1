"""The names of ``tensorflow.contrib.learn.python.learn.estimators.head``."""

from retrograd.estimator.older.head_makers import (
    binary_svm_head,
    loss_only_head,
    multi_class_head,
    multi_head,
    multi_label_head,
    poisson_regression_head,
    regression_head,
)
from retrograd.estimator.older.heads import Head, no_op_train_fn
from retrograd.faces import missing

__getattr__ = missing(__name__)
