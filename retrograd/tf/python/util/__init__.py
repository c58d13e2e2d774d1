"""The names of ``tensorflow.python.util``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
