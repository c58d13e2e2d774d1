"""The names of ``tensorflow.python.estimator.inputs``."""

from retrograd.faces import missing

__getattr__ = missing(__name__)
