"""The names of ``tensorflow.contrib.checkpoint.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
