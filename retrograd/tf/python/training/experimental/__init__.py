"""The names of ``tensorflow.python.training.experimental``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
