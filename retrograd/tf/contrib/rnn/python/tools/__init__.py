"""The names of ``tensorflow.contrib.rnn.python.tools``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
