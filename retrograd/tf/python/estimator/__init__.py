"""The names of ``tensorflow.python.estimator``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
