"""The names of ``tensorflow.contrib.rnn.python.ops.core_rnn_cell``."""

from retrograd.faces import missing
from retrograd.nn.recurrent.linear import Linear as _Linear
from retrograd.nn.recurrent.linear import linear as _linear
from retrograd.tf.contrib.rnn import EmbeddingWrapper, InputProjectionWrapper, OutputProjectionWrapper, RNNCell

__getattr__ = missing(__name__)
