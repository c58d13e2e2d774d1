"""The names of ``tensorflow.contrib.testing.python.framework``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
