"""The names of ``tensorflow.contrib.saved_model.python.saved_model``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
