"""The names of ``tensorflow.python.training.saver``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
