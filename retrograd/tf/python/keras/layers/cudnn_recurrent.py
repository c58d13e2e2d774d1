"""The names of ``tensorflow.python.keras.layers.cudnn_recurrent``."""

from retrograd.faces import missing
from retrograd.keras.layers.cudnn import CuDNNGRU, CuDNNLSTM
from retrograd.keras.layers.recurrent import RNN
from retrograd.nn.layers.input_spec import InputSpec

__getattr__ = missing(__name__)
