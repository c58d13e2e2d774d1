"""The names of ``tensorflow.python.keras.layers.normalization``."""

from retrograd.faces import missing
from retrograd.keras.layers.normalizing import BatchNormalization, LayerNormalization
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.input_spec import InputSpec

__getattr__ = missing(__name__)
