"""The names of ``tensorflow.python.ops.signal.spectral_ops``."""

from retrograd.faces import missing
from retrograd.nn.signals import inverse_stft, inverse_stft_window_fn, stft

__getattr__ = missing(__name__)
