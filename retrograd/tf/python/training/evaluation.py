"""The names of ``tensorflow.python.training.evaluation``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
