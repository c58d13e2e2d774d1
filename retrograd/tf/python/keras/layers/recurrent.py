"""The names of ``tensorflow.python.keras.layers.recurrent``."""

from retrograd.faces import missing
from retrograd.keras.layers.recurrent import GRU, LSTM, RNN, SimpleRNN
from retrograd.keras.layers.recurrent_cells import (
    AbstractRNNCell,
    DropoutRNNCellMixin,
    GRUCell,
    LSTMCell,
    PeepholeLSTMCell,
    SimpleRNNCell,
    StackedRNNCells,
)
from retrograd.nn.layers.engine import Layer
from retrograd.nn.layers.input_spec import InputSpec

__getattr__ = missing(__name__)
