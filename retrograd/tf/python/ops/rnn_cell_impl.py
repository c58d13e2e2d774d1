"""The names of ``tensorflow.python.ops.rnn_cell_impl``."""

from retrograd.faces import missing
from retrograd.graph.deprecation import deprecated

__getattr__ = missing(__name__)
