"""The names of ``tensorflow.contrib.rnn.python.ops.fused_rnn_cell``."""

from retrograd.faces import missing
from retrograd.tf.contrib.rnn import FusedRNNCell, FusedRNNCellAdaptor, TimeReversedFusedRNN

__getattr__ = missing(__name__)
