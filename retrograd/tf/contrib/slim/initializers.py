"""The names of ``tensorflow.contrib.slim.initializers``."""

from retrograd.faces import missing
from retrograd.state.xavier import (
    scaling_initializer as variance_scaling_initializer,
)
from retrograd.state.xavier import (
    xavier_initializer,
    xavier_initializer_conv2d,
)

__getattr__ = missing(__name__)
