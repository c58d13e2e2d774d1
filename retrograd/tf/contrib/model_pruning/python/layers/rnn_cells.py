"""The names of ``tensorflow.contrib.model_pruning.python.layers.rnn_cells``."""

from retrograd.contrib.masked_layers import MaskedBasicLSTMCell, MaskedLSTMCell
from retrograd.faces import missing

__getattr__ = missing(__name__)
