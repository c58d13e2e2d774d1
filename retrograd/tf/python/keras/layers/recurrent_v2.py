"""The names of ``tensorflow.python.keras.layers.recurrent_v2``."""

from retrograd.faces import missing
from retrograd.keras.layers.recurrent_v2 import GRU, LSTM, GRUCell, LSTMCell

__getattr__ = missing(__name__)
