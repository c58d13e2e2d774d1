"""The names of ``tensorflow.contrib.seq2seq.python.ops.loss``."""

from retrograd.faces import missing
from retrograd.keras.sequence_loss import SequenceLoss
from retrograd.nn.seq2seq.loss import sequence_loss

__getattr__ = missing(__name__)
