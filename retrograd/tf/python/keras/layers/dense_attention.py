"""The names of ``tensorflow.python.keras.layers.dense_attention``."""

from retrograd.faces import missing
from retrograd.keras.layers.attention import AdditiveAttention, Attention
from retrograd.nn.layers.engine import Layer

__getattr__ = missing(__name__)
