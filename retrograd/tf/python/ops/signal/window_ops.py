"""The names of ``tensorflow.python.ops.signal.window_ops``."""

from retrograd.faces import missing
from retrograd.nn.signals import hamming_window, hann_window

__getattr__ = missing(__name__)
