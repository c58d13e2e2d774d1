"""The names of ``tensorflow.contrib.eager.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
