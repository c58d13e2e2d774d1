"""The names of ``tensorflow.python.layers.layers``."""

from retrograd.faces import missing
from retrograd.nn.layers.base import Layer
from retrograd.nn.layers.input_spec import InputSpec
from retrograd.tf.layers import *

__getattr__ = missing(__name__)
