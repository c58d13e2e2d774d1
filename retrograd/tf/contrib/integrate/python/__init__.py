"""The names of ``tensorflow.contrib.integrate.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
