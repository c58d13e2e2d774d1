"""The names of ``tensorflow.python.training.input``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
