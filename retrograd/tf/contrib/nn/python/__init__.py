"""The names of ``tensorflow.contrib.nn.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
