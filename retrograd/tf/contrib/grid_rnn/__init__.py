"""The names of ``tensorflow.contrib.grid_rnn``."""

from retrograd.faces import missing
from retrograd.nn.recurrent.grid import (
    Grid1BasicLSTMCell,
    Grid1BasicRNNCell,
    Grid1LSTMCell,
    Grid2BasicLSTMCell,
    Grid2BasicRNNCell,
    Grid2GRUCell,
    Grid2LSTMCell,
    Grid3LSTMCell,
    GridRNNCell,
)

__getattr__ = missing(__name__)
