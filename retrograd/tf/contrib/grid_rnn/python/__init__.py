"""The names of ``tensorflow.contrib.grid_rnn.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
