"""The names of ``tensorflow.python.layers.normalization``."""

from retrograd.faces import missing
from retrograd.nn.moments import batch_normalization

__getattr__ = missing(__name__)
