"""The names of ``tensorflow.python.training.training_ops``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
