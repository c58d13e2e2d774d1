"""The names of ``tensorflow.python.ops.signal.reconstruction_ops``."""

from retrograd.faces import missing
from retrograd.nn.signals import overlap_and_add

__getattr__ = missing(__name__)
