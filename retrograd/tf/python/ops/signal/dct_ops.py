"""The names of ``tensorflow.python.ops.signal.dct_ops``."""

from retrograd.faces import missing
from retrograd.nn.signals import dct, idct

__getattr__ = missing(__name__)
