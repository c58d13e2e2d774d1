"""The names of ``tensorflow.contrib.cudnn_rnn.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
