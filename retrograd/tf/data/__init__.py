"""The names of ``tensorflow.data``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
