"""The names of ``tensorflow.contrib.rnn.python.ops.lstm_ops``."""

from retrograd.faces import missing
from retrograd.tf.contrib.rnn import LSTMBlockCell, LSTMBlockFusedCell, LSTMBlockWrapper

__getattr__ = missing(__name__)
