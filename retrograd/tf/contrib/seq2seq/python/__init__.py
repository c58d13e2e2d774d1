"""The names of ``tensorflow.contrib.seq2seq.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
