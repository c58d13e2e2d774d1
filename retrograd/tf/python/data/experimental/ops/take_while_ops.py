"""The names of ``tensorflow.python.data.experimental.ops.take_while_ops``."""

from retrograd.data.experimental import take_while
from retrograd.faces import missing

__getattr__ = missing(__name__)
