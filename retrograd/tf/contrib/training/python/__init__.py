"""The names of ``tensorflow.contrib.training.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
