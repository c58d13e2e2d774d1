"""The names of ``tensorflow.python.ops.signal.mel_ops``."""

from retrograd.faces import missing
from retrograd.nn.signals import linear_to_mel_weight_matrix

__getattr__ = missing(__name__)
