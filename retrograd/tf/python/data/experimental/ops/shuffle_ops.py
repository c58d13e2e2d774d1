"""The names of ``tensorflow.python.data.experimental.ops.shuffle_ops``."""

from retrograd.data.experimental import shuffle_and_repeat
from retrograd.faces import missing

__getattr__ = missing(__name__)
