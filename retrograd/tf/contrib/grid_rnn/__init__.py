"""The names of ``tensorflow.contrib.grid_rnn``."""

import __future__

from retrograd.faces import missing
from retrograd.nn.recurrent.grid import (
    Grid1BasicLSTMCell,
    Grid1BasicRNNCell,
    Grid1LSTMCell,
    Grid2BasicLSTMCell,
    Grid2BasicRNNCell,
    Grid2GRUCell,
    Grid2LSTMCell,
    Grid3LSTMCell,
    GridRNNCell,
)

absolute_import = __future__.absolute_import
division = __future__.division
print_function = __future__.print_function

from collections import namedtuple

from retrograd.tf.contrib import layers
from retrograd.tf.python.framework import tensor_shape
from retrograd.tf.python.ops import array_ops, math_ops, nn, rnn
from retrograd.tf.python.ops import variable_scope as vs
from retrograd.tf.python.platform import tf_logging as logging

__getattr__ = missing(__name__)
