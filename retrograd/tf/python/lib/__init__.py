"""The names of ``tensorflow.python.lib``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
