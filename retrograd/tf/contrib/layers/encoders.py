"""The names of ``tensorflow.contrib.layers.encoders``."""

from retrograd.faces import missing
from retrograd.nn.contrib.layers import embed_sequence

__getattr__ = missing(__name__)
