"""The names of ``tensorflow.contrib.layers.python.layers.layers``."""

from retrograd.faces import missing
from retrograd.nn.contrib.layers import (
    avg_pool2d,
    bias_add,
    conv1d,
    conv2d,
    convolution,
    convolution1d,
    convolution2d,
    dropout,
    elu,
    flatten,
    fully_connected,
    layer_norm,
    linear,
    max_pool2d,
    one_hot_encoding,
    relu,
    relu6,
    repeat,
    stack,
)

__getattr__ = missing(__name__)
