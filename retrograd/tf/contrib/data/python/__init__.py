"""The names of ``tensorflow.contrib.data.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
