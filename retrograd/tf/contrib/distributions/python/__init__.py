"""The names of ``tensorflow.contrib.distributions.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
