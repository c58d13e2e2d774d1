"""The names of ``tensorflow.contrib.seq2seq.python.ops.helper``."""

from retrograd.faces import missing
from retrograd.nn.rnn import transpose_batch_time as _transpose_batch_time
from retrograd.nn.seq2seq.helpers import as_steps as _unstack_ta
from retrograd.nn.seq2seq.helpers import bernoulli_sample, categorical_sample
from retrograd.tf.contrib.seq2seq import *

__getattr__ = missing(__name__)
