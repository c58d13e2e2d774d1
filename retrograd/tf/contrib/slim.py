"""The names of ``tensorflow.contrib.slim``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated
from retrograd.state.regularizers import (
    apply_regularization,
    l1_l2_regularizer,
    l1_regularizer,
    l2_regularizer,
    sum_regularizer,
)
from retrograd.state.xavier import xavier_initializer
from retrograd.state.xavier import xavier_initializer as xavier_initializer_conv2d

__getattr__ = missing(__name__)
