"""The names of ``tensorflow.python.estimator.hooks``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
