"""The names of ``tensorflow.python.summary``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
