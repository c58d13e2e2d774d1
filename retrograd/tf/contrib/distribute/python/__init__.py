"""The names of ``tensorflow.contrib.distribute.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
