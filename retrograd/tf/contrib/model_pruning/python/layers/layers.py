"""The names of ``tensorflow.contrib.model_pruning.python.layers.layers``."""

from retrograd.contrib.masked_layers import masked_conv2d, masked_convolution, masked_fully_connected
from retrograd.faces import missing

__getattr__ = missing(__name__)
