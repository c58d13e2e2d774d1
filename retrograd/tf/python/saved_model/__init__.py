"""The names of ``tensorflow.python.saved_model``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
