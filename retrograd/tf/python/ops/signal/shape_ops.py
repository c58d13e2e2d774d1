"""The names of ``tensorflow.python.ops.signal.shape_ops``."""

from retrograd.faces import missing
from retrograd.nn.signals import frame

__getattr__ = missing(__name__)
