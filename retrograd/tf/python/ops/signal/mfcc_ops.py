"""The names of ``tensorflow.python.ops.signal.mfcc_ops``."""

from retrograd.faces import missing
from retrograd.nn.signals import mfccs_from_log_mel_spectrograms

__getattr__ = missing(__name__)
