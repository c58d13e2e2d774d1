"""The names of ``tensorflow.layers``."""

from retrograd.faces import missing
from retrograd.nn.layers.base import Layer
from retrograd.nn.layers.core import Dense, Dropout, Flatten, dense, dropout, flatten
from retrograd.nn.layers.input_spec import InputSpec
from retrograd.nn.layers.normalization import BatchNormalization, batch_normalization

__getattr__ = missing(__name__)
