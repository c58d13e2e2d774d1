"""The names of ``tensorflow.python.keras.layers.dense_attention``."""

from retrograd.faces import missing
from retrograd.keras.layers.attention import (
    AdditiveAttention,
    Attention,
    BaseDenseAttention,
)
from retrograd.keras.layers.attention import (
    lower_triangular_mask as _lower_triangular_mask,
)
from retrograd.nn.layers.engine import Layer

__getattr__ = missing(__name__)
