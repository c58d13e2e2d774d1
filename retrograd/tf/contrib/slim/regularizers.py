"""The names of ``tensorflow.contrib.slim.regularizers``."""

from retrograd.faces import missing
from retrograd.state.regularizers import (
    apply_regularization,
    l1_l2_regularizer,
    l1_regularizer,
    l2_regularizer,
    sum_regularizer,
)

__getattr__ = missing(__name__)
