"""The names of ``tensorflow.python.distribute``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
