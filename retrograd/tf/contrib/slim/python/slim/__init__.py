"""The names of ``tensorflow.contrib.slim.python.slim``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
