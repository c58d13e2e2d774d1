"""The names of ``tensorflow.contrib.estimator.python.estimator``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
