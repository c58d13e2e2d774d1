"""The names of ``tensorflow.python.training.tracking``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
