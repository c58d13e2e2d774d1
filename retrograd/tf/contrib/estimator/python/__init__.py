"""The names of ``tensorflow.contrib.estimator.python``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
