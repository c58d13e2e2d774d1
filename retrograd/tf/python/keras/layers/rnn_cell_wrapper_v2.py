"""The names of ``tensorflow.python.keras.layers.rnn_cell_wrapper_v2``."""

from retrograd.faces import missing
from retrograd.keras.layers.cell_wrappers import DeviceWrapper, DropoutWrapper, ResidualWrapper
from retrograd.keras.layers.recurrent_cells import AbstractRNNCell

__getattr__ = missing(__name__)
