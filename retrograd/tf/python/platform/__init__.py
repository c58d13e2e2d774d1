"""The names of ``tensorflow.python.platform``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
