"""The names of ``tensorflow.python.keras.layers.local``."""

from retrograd.faces import missing
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.input_spec import InputSpec

__getattr__ = missing(__name__)
