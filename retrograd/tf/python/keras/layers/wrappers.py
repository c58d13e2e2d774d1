"""The names of ``tensorflow.python.keras.layers.wrappers``."""

from retrograd.faces import missing
from retrograd.keras.wrappers import Bidirectional, TimeDistributed, Wrapper
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.input_spec import InputSpec

__getattr__ = missing(__name__)
