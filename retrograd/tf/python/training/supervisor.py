"""The names of ``tensorflow.python.training.supervisor``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
