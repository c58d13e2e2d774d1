"""The names of ``tensorflow.python.keras.layers.local``."""

from retrograd.faces import missing
from retrograd.keras.layers.local import (
    LocallyConnected1D,
    LocallyConnected2D,
    local_conv_matmul,
    local_conv_sparse_matmul,
    make_2d,
)
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.input_spec import InputSpec

__getattr__ = missing(__name__)
