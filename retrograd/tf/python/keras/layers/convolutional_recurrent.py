"""The names of ``tensorflow.python.keras.layers.convolutional_recurrent``."""

from retrograd.faces import missing
from retrograd.keras.layers.convolutional_recurrent import ConvLSTM2D
from retrograd.keras.layers.recurrent import RNN
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.input_spec import InputSpec

__getattr__ = missing(__name__)
