"""The names of ``tensorflow.python.layers.convolutional``."""

from retrograd.faces import missing
from retrograd.nn.convolution import conv1d, conv2d_transpose, conv3d_transpose, separable_conv2d
from retrograd.ops.convolution import conv2d, conv3d

__getattr__ = missing(__name__)
