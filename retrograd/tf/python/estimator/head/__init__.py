"""The names of ``tensorflow.python.estimator.head``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
