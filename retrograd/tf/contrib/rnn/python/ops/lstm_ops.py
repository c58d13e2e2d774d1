"""The names of ``tensorflow.contrib.rnn.python.ops.lstm_ops``."""

from retrograd.faces import missing
from retrograd.nn.recurrent.blocks import block_lstm as _block_lstm
from retrograd.tf.contrib.rnn import LSTMBlockCell, LSTMBlockFusedCell, LSTMBlockWrapper

__getattr__ = missing(__name__)
