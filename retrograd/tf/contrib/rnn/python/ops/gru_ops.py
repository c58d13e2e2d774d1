"""The names of ``tensorflow.contrib.rnn.python.ops.gru_ops``."""

from retrograd.faces import missing
from retrograd.tf.contrib.rnn import GRUBlockCell, GRUBlockCellV2

__getattr__ = missing(__name__)
