"""The names of ``tensorflow.python.ops.rnn``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
