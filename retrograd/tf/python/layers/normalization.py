"""The names of ``tensorflow.python.layers.normalization``."""

from retrograd.faces import missing
from retrograd.nn.layers.normalization import BatchNorm, BatchNormalization, batch_norm, batch_normalization

__getattr__ = missing(__name__)
