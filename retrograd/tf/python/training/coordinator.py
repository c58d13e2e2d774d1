"""The names of ``tensorflow.python.training.coordinator``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
