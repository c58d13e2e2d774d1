"""The names of ``tensorflow.contrib.rnn.python.ops.rnn``."""

from retrograd.faces import missing
from retrograd.tf.contrib.rnn import stack_bidirectional_dynamic_rnn, stack_bidirectional_rnn

__getattr__ = missing(__name__)
