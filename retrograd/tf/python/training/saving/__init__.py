"""The names of ``tensorflow.python.training.saving``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
