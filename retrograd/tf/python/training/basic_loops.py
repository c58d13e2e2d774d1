"""The names of ``tensorflow.python.training.basic_loops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
