"""The names of ``tensorflow.contrib.layers.python.layers.encoders``."""

from retrograd.faces import missing
from retrograd.nn.contrib.layers import embed_sequence
from retrograd.nn.contrib.more_layers import bow_encoder

__getattr__ = missing(__name__)
