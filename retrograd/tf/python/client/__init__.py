"""The names of ``tensorflow.python.client``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
