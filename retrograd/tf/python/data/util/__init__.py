"""The names of ``tensorflow.python.data.util``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
