"""The names of ``tensorflow.python.training.tracking.base``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
