"""The names of ``tensorflow.python.keras.layers.local``."""

from retrograd.faces import missing
from retrograd.keras.layers.local import LocallyConnected1D, LocallyConnected2D
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.input_spec import InputSpec

__getattr__ = missing(__name__)
