"""The names of ``tensorflow.python.layers.core``."""

from retrograd.faces import missing
from retrograd.nn.layers.core import (
    Dense,
    Dropout,
    Flatten,
    FullyConnected,
    dense,
    dropout,
    flatten,
    fully_connected,
)

__getattr__ = missing(__name__)
