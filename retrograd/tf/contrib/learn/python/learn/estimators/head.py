"""The names of ``tensorflow.contrib.learn.python.learn.estimators.head``."""

from retrograd.estimator.older.heads import (
    Head,
    binary_svm_head,
    loss_only_head,
    multi_class_head,
    multi_head,
    multi_label_head,
    no_op_train_fn,
    poisson_regression_head,
    regression_head,
)
from retrograd.faces import missing

__getattr__ = missing(__name__)
