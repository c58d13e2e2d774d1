"""The names of ``tensorflow.python.keras.layers.advanced_activations``."""

from retrograd.faces import missing
from retrograd.keras.layers.core import ELU, LeakyReLU, PReLU, ReLU, Softmax, ThresholdedReLU
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.input_spec import InputSpec

__getattr__ = missing(__name__)
