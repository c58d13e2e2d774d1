"""The names of ``tensorflow.contrib.seq2seq.python.ops.decoder``."""

from retrograd.faces import missing
from retrograd.nn.rnn import transpose_batch_time as _transpose_batch_time
from retrograd.nn.rnn_cells import zero_states as _zero_state_tensors
from retrograd.nn.seq2seq.decoding import BaseDecoder
from retrograd.nn.seq2seq.decoding import zero_outputs as _create_zero_outputs
from retrograd.tf.contrib.seq2seq import *

__getattr__ = missing(__name__)
