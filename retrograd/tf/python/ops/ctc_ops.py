"""The names of ``tensorflow.python.ops.ctc_ops``."""

from retrograd.faces import missing
from retrograd.ops.ctc import ctc_greedy_decoder, ctc_loss

__getattr__ = missing(__name__)
